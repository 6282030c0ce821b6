// `npm run soak -- [RUNS]`: runs the whole of `npm test` many times in a row, 20 by default. Every
// second run shares each core with a busy process. Exits with 1 when a run fails.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, openSync } from "node:fs";
import { availableParallelism } from "node:os";

const DEFAULT_RUNS = 20;
const LOGS = ".cache/soak";

const runs = Number(process.argv[2] ?? DEFAULT_RUNS);
mkdirSync(LOGS, { recursive: true });
let failed = 0;
for (let run = 1; run <= runs; run++) {
  const busy = run % 2 === 0 ? startBusyProcesses() : [];
  const startedAt = performance.now();
  const logFile = `${LOGS}/run-${run}.log`;
  const code = await runTests(logFile);
  for (const child of busy) child.kill("SIGKILL");
  if (code !== 0) failed += 1;
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const load = busy.length > 0 ? ` beside ${busy.length} busy processes` : "";
  console.log(`run ${run}: ${code === 0 ? "green" : `RED, see ${logFile}`}, ${seconds} s${load}`);
}
console.log(`${runs - failed} of ${runs} runs are green`);
process.exitCode = failed > 0 ? 1 : 0;

function startBusyProcesses(): ChildProcess[] {
  return Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
}

function runTests(logFile: string): Promise<number | null> {
  const log = openSync(logFile, "w");
  const child = spawn("npm", ["test"], { stdio: ["ignore", log, log] });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
}
