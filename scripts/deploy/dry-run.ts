import { globSync } from "node:fs";
import { join } from "node:path";
import { outputOf } from "../cloudflare/run-tool.ts";
import type { ServiceConfig } from "../cloudflare/service-config.ts";
import { OperatorError } from "../command-line.ts";
import { writeDeployConfig } from "./deploy-config.ts";
import type { Machine } from "./machine.ts";
import type { DeployOptions } from "./options.ts";
import { BOUNCES, planSteps, STEPS } from "./plan.ts";

/** Placeholder for ids that only Cloudflare knows. */
const UNKNOWN_ID = "00000000-0000-0000-0000-000000000000";

/**
 * Prints the plan, type-checks, and bundles the Worker with the generated configuration. Makes no
 * request to Cloudflare. Throws OperatorError for a problem detected locally.
 */
export async function dryRun(
  machine: Machine,
  config: ServiceConfig,
  options: DeployOptions,
): Promise<void> {
  const { migrationsDir } = config.database;
  const migrations = globSync(join(machine.directory, migrationsDir, "*.sql")).length;
  const plan = planSteps(config, options, migrations);
  for (const name of STEPS) machine.say(`plan    ${name.padEnd(12)} ${plan[name]}`);
  if (options.bounceDomain)
    machine.say(
      `plan    ${BOUNCES.padEnd(12)} route mail to ${options.bounceDomain} to the Worker with Email Routing`,
    );
  const compiled = await machine.runCompiler(["-p", "."]);
  if (compiled.status !== 0) {
    throw new OperatorError(`type check failed:\n${outputOf(compiled)}`);
  }
  const file = writeDeployConfig(machine.directory, config, {
    baseUrl: `https://${options.domain ?? "example.com"}`,
    licensePublicKey: undefined,
    databaseId: UNKNOWN_ID,
    namespaceIds: Object.fromEntries(
      config.namespaces.map(({ binding }) => [binding, UNKNOWN_ID.replaceAll("-", "")]),
    ),
    bucketName: config.bucket?.name,
    domain: options.domain,
    workersDev: config.workersDev,
  });
  const args = ["deploy", "--dry-run", "--config", file];
  const bundled = await machine.runWrangler(args);
  if (bundled.status !== 0) {
    throw new OperatorError(`\`wrangler ${args.join(" ")}\` failed:\n${outputOf(bundled)}`);
  }
  machine.say("The type check passed and the Worker bundles. Nothing was changed.");
}
