// `npm run doctor`: diagnoses the local service, or with --remote the deployed one, and suggests a
// remedy for each problem. Changes nothing.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { withDatabase } from "./accounts/with-database.ts";
import { logIn } from "./cloudflare/login.ts";
import { readServiceConfig } from "./cloudflare/service-config.ts";
import { OperatorError, runCommand } from "./command-line.ts";
import { thisMachine } from "./deploy/machine.ts";
import { judge, type Finding } from "./doctor/checks.ts";
import { readDeployed } from "./doctor/read-deployed.ts";
import { readLocal } from "./doctor/read-local.ts";
import { readStateDir } from "./local/settings.ts";

const USAGE = `Usage: npm run doctor [-- --remote [--account ID]]
  checks the service of \`npm start\` (with the same PORT and STATE_DIR), or with --remote the deployed
  one, and changes nothing. The exit code is 1 if there is a fault.`;

const directory = fileURLToPath(new URL("..", import.meta.url));
process.chdir(directory);

await runCommand(USAGE, async () => {
  const { values } = parseArgs({
    options: {
      remote: { type: "boolean", default: false },
      account: { type: "string" },
    },
  });
  const machine = thisMachine(directory, process.env);
  const config = readServiceConfig(directory, machine.env);
  const wish = values.account ?? (machine.env["CLOUDFLARE_ACCOUNT_ID"] || undefined);
  const reading = values.remote
    ? await readDeployed(machine, (await logIn(machine, wish)).api, config)
    : await withDatabase({ kind: "local", stateDir: readStateDir(machine.env) }, ({ query }) =>
        readLocal(machine, config, query),
      );
  const findings = judge(reading);
  for (const finding of findings) machine.say(format(finding));
  const faults = findings.filter(({ outcome }) => outcome === "fault").length;
  if (faults > 0) throw new OperatorError(`${faults} fault(s)`);
});

function format({ check, outcome, says, remedy }: Finding): string {
  const mark = { ok: "ok     ", warning: "WARNING", fault: "FAULT  " }[outcome];
  const advice = remedy === "" ? "" : `\n${" ".repeat(21)}→ ${remedy}`;
  return `${mark} ${check.padEnd(12)} ${says}${advice}`;
}
