// `npm run bench [-- part …] [-- --quick]`: measures the service against its peers; see README.md.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runCommand, UsageError } from "../scripts/command-line.ts";
import { memoryDirectory } from "../test/support/memory-directory.ts";
import { FULL, isMet, QUICK, type PartResult, type Sizes } from "./harness/report.ts";
import { formatPart } from "./harness/table.ts";
import { measureAutomations } from "./parts/automations.ts";
import { measureBill } from "./parts/bill.ts";
import { measureBodies } from "./parts/bodies.ts";
import { measureBroadcast } from "./parts/broadcast.ts";
import { measureDashboard } from "./parts/dashboard.ts";
import { measureGrowth } from "./parts/growth.ts";
import { measureImport } from "./parts/import.ts";
import { measureLongBroadcast } from "./parts/long-broadcast.ts";
import { measureSegments } from "./parts/segments.ts";
import { measureSend } from "./parts/send.ts";
import { measureStorage } from "./parts/storage.ts";
import { measureTracking } from "./parts/tracking.ts";

const PARTS: Record<string, (sizes: Sizes) => Promise<PartResult | PartResult[]>> = {
  broadcast: measureBroadcast,
  "long-broadcast": measureLongBroadcast,
  tracking: measureTracking,
  send: measureSend,
  growth: measureGrowth,
  import: measureImport,
  segments: measureSegments,
  bodies: measureBodies,
  storage: measureStorage,
  dashboard: measureDashboard,
  automations: measureAutomations,
  bill: measureBill,
};
const RESULTS_FILE = "bench/results.json";
const USAGE = `Usage: npm run bench -- [${Object.keys(PARTS).join("|")}] … [--quick]`;

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
// A signal exits the process normally, so that all children end with it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => process.exit(130));

// The state of the local runtime goes to memory, because each write would wait for the disk.
process.env["TMPDIR"] = memoryDirectory() ?? tmpdir();

await runCommand(USAGE, async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: "boolean", default: false } },
  });
  const unknown = positionals.find((name) => !(name in PARTS));
  if (unknown !== undefined) throw new UsageError(`there is no part "${unknown}"`);
  const names = positionals.length > 0 ? positionals : Object.keys(PARTS);
  const results: Record<string, PartResult[]> = {};
  for (const name of names) {
    process.stdout.write(`measuring ${name} …\n`);
    const result = await PARTS[name]?.(values.quick ? QUICK : FULL);
    if (result) results[name] = [result].flat();
  }
  const parts = Object.values(results).flat();
  process.stdout.write(`${parts.map(formatPart).join("\n")}\n\n`);
  const goals = parts.flatMap((part) => part.goals);
  process.stdout.write(`${goals.filter(isMet).length} of ${goals.length} goals met\n`);
  if (values.quick) process.stdout.write(`a try: ${RESULTS_FILE} is left as it was\n`);
  else keep(results);
});

/** Saves the results of these parts and keeps the others from earlier runs. */
function keep(results: Record<string, PartResult[]>): void {
  const measuredAt = new Date().toISOString();
  const machine = { cpus: cpus().length, model: cpus()[0]?.model, node: process.version };
  const fresh = Object.entries(results).map(([name, result]) => [
    name,
    { measured_at: measuredAt, machine, tables: result },
  ]);
  const all = { ...readResults(), ...Object.fromEntries(fresh) };
  writeFileSync(RESULTS_FILE, `${JSON.stringify(all, null, 2)}\n`);
  process.stdout.write(`written to ${RESULTS_FILE}\n`);
}

function readResults(): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(RESULTS_FILE, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw error;
  }
}
