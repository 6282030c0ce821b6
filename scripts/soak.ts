// `npm run soak -- [RUNS]`: runs the complete `npm test` repeatedly, 20 times by default. Every
// second run shares each core with a busy process. Exits with 1 if a run fails.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, openSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { runCommand, UsageError } from "./command-line.ts";
import { exitOnSignals } from "./exit-on-signals.ts";

const USAGE = "Usage: npm run soak [-- RUNS]   RUNS is a whole number from 1, by default 20";
const DEFAULT_RUNS = 20;
const LOGS = ".cache/soak";

/** Running child processes, which must not outlive this one. */
const children = new Set<ChildProcess>();

await runCommand(USAGE, async () => {
  const runs = readRuns(parseArgs({ allowPositionals: true }).positionals);
  endChildrenAtExit();
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
});

function readRuns([text, ...others]: string[]): number {
  if (text === undefined) return DEFAULT_RUNS;
  if (others.length > 0 || !/^[1-9]\d*$/.test(text))
    throw new UsageError(`"${[text, ...others].join(" ")}" is no number of runs`);
  return Number(text);
}

function startBusyProcesses(): ChildProcess[] {
  return Array.from({ length: availableParallelism() }, () =>
    keep(spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" })),
  );
}

function runTests(logFile: string): Promise<number | null> {
  const log = openSync(logFile, "w");
  const child = keep(spawn("npm", ["test"], { stdio: ["ignore", log, log] }));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
}

function keep(child: ChildProcess): ChildProcess {
  children.add(child);
  child.once("close", () => children.delete(child));
  return child;
}

/** Terminates every child when this process exits, even on a signal. */
function endChildrenAtExit(): void {
  process.once("exit", () => {
    // Allows npm to pass the signal on to the tests.
    for (const child of children) child.kill("SIGTERM");
  });
  exitOnSignals();
}
