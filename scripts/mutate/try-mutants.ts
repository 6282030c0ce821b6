import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { OperatorError } from "../command-line.ts";
import { parseReport, type Job, type Mutant, type Report } from "./protocol.ts";

/** The result of a mutant. */
export type Fate = { state: "killed"; by: string } | { state: "survived" };

/** Silence after which a process counts as hanging: with one mutant active, and without. */
const HANGS_AFTER_MS = { test: 60_000, load: 180_000, nothing: 300_000 };
const GRACE_MS = 20_000;

/** Runs the tests over the mutants; no test reached a mutant that is missing from the result. */
export async function tryMutants(
  folder: string,
  mutants: Mutant[],
  settings: Omit<Job, "todo">,
): Promise<Map<string, Fate>> {
  const fates = new Map<string, Fate>();
  const leftOut = new Set<string>();
  for (let isDone = false; !isDone;) {
    const todo = mutants.flatMap(({ id }) => (fates.get(id)?.state === "killed" ? [] : [id]));
    if (todo.length === 0) break;
    const hanging = await runProcess(folder, { ...settings, todo }, (report) => {
      if (report.event === "left out") leftOut.add(report.test);
      if (report.event === "killed") fates.set(report.mutant, { state: "killed", by: report.test });
      if (report.event === "survived")
        for (const id of report.mutants) if (!fates.has(id)) fates.set(id, { state: "survived" });
      showProgress(fates, mutants.length);
    });
    if (hanging === undefined) isDone = true;
    else fates.set(hanging, { state: "killed", by: "a time-out" });
  }
  if (leftOut.size > 0) process.stdout.write(`${leftOut.size} tests need Workers: left out\n`);
  return fates;
}

function showProgress(fates: Map<string, Fate>, all: number): void {
  if (!process.stderr.isTTY) return;
  const killed = [...fates.values()].filter(({ state }) => state === "killed").length;
  process.stderr.write(`\r${killed} killed, ${fates.size - killed} survived of ${all} `);
}

/** Runs one process to its end; returns the mutant that made it hang, if any. */
async function runProcess(
  folder: string,
  job: Job,
  listen: (report: Report) => void,
): Promise<string | undefined> {
  const jobFile = join(folder, "job.json");
  writeFileSync(jobFile, JSON.stringify(job));
  const child = spawn(process.execPath, ["scripts/mutate/run-tests.ts", "job.json"], {
    cwd: folder,
    env: { ...process.env, PWD: resolve(folder) },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true, // its own group, so that the runtimes end with it
  });
  const output: string[] = [];
  let last: Report | undefined;
  let hanging: string | undefined;
  let fault: string | undefined;
  let hasHung = false;
  let timer: NodeJS.Timeout | undefined;
  const watch = () => {
    clearTimeout(timer);
    timer = setTimeout(stop, silenceOf(last));
  };
  const stop = () => {
    hasHung = true;
    hanging = last?.event === "try" ? last.mutant : undefined;
    child.kill("SIGTERM");
    timer = setTimeout(endGroup, GRACE_MS);
  };
  /** Ends the rest of the group: an endless test outlives the runner that started it. */
  const endGroup = () => {
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // all have ended
    }
  };
  const read = (line: string) => {
    const report = parseReport(line);
    if (!report) {
      if (!line.includes("vitest/suite")) output.push(line); // a warning at each start
      return;
    }
    if (hasHung) return;
    last = report;
    watch();
    if (report.event === "fault") fault = report.why;
    if (report.event === "broken") fault = `fails without a mutant: ${report.test}: ${report.why}`;
    listen(report);
  };
  createInterface(child.stdout).on("line", read);
  createInterface(child.stderr).on("line", read);
  watch();
  await new Promise((resolve) => child.once("close", resolve));
  clearTimeout(timer);
  endGroup();
  if (hanging !== undefined) return hanging;
  if (last?.event !== "done") fault ??= hasHung ? "the tests hang" : "the tests ended early";
  if (fault !== undefined) throw new OperatorError(`${fault}\n${output.slice(-40).join("\n")}`);
  return undefined;
}

function silenceOf(last: Report | undefined): number {
  if (last?.event !== "try") return HANGS_AFTER_MS.nothing;
  return last.test === "load" ? HANGS_AFTER_MS.load : HANGS_AFTER_MS.test;
}
