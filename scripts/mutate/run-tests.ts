/*
 * Runs the tests of a job inside the copy. It runs in a process of its own, which is killed when a
 * mutant hangs. The global set-up (SMTP, IMAP and DNS servers) starts once for all runs.
 */
import { readFileSync } from "node:fs";
import { createVitest, type TestSpecification, type Vitest } from "vitest/node";
import { formatReport, parseReport, type Job, type Plan, type Report } from "./protocol.ts";

const job = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Job;
const todo = new Set(job.todo);
const vitest = await createVitest("test", {
  config: "./vitest.mutate.config.ts",
  watch: false,
  reporters: [{}],
  fileParallelism: false,
  bail: 0,
  ...(job.titles === undefined ? {} : { testNamePattern: job.titles }),
  ...(job.tests.length === 0 ? { related: job.related } : {}),
});
process.once("SIGTERM", () => void vitest.close().finally(() => process.exit(1)));
try {
  await vitest.standalone();
  const files = await findTests(vitest);
  if (files.length === 0) throw new Error("no test file imports the code");
  for (const file of files) await runFile(vitest, file);
  report({ event: "done" });
} catch (error) {
  report({ event: "fault", why: String(error) });
}
await vitest.close();
process.exit();

/** Returns the named files, or else those that import the code. */
async function findTests(vitest: Vitest): Promise<TestSpecification[]> {
  return job.tests.length === 0
    ? vitest.getRelevantTestSpecifications()
    : vitest.globTestSpecifications(job.tests);
}

async function runFile(vitest: Vitest, file: TestSpecification): Promise<void> {
  const loaded = new Set<string>();
  const reaching = new Set<string>();
  const leftOut = new Set<string>();
  const survivors: Record<string, string[]> = {};
  for (let isDirty = true; isDirty && todo.size > 0;) {
    let hasResult = false;
    isDirty = false;
    const result = await run(
      vitest,
      file,
      { mode: "repeat", todo: [...todo], survivors, mayFail: job.inNode },
      (heard) => {
        hasResult ||= heard.event === "killed" || heard.event === "survived";
        if (heard.event === "survived") (survivors[heard.test] ??= []).push(...heard.mutants);
        if (heard.event === "killed") todo.delete(heard.mutant);
        if (heard.event === "loaded") heard.mutants.forEach((id) => loaded.add(id));
        if (heard.event === "reaches") reaching.add(heard.test);
        if (heard.event === "left out") leftOut.add(heard.test);
        if (heard.event === "dirty") isDirty = true;
      },
    );
    if (result.unloaded !== undefined)
      report({ event: "broken", test: file.moduleId, why: result.unloaded });
    if (isDirty && !hasResult) throw new Error(`${file.moduleId} cannot be repeated`);
  }
  for (const mutant of loaded) {
    if (!todo.has(mutant)) continue;
    // Tests that reach the mutated files are likelier to notice; others may read a constant.
    let hasFailed = false;
    for (const skips of [false, true]) {
      const tests = skips ? [...reaching, ...leftOut] : [...reaching];
      const plan: Plan = { mode: "fresh", mutant, tests, skips };
      hasFailed ||= (await run(vitest, file, plan, () => {})).hasFailed;
    }
    if (hasFailed) {
      todo.delete(mutant);
      report({ event: "killed", mutant, test: file.moduleId });
    } else {
      report({ event: "survived", mutants: [mutant], test: file.moduleId });
    }
  }
}

/** Runs one test file under a plan; `listen` receives the reports of the runtime. */
async function run(
  vitest: Vitest,
  file: TestSpecification,
  plan: Plan,
  listen: (heard: Report) => void,
): Promise<{ hasFailed: boolean; unloaded: string | undefined }> {
  for (const project of vitest.projects) project.provide("mutation", plan);
  const stopListening = listenTo(process.stdout, listen);
  const { testModules } = await vitest.runTestSpecifications([file]);
  stopListening();
  const errors = testModules.flatMap((module) => module.errors());
  const hasFailed = testModules.length === 0 || testModules.some((module) => !module.ok());
  return { hasFailed, unloaded: errors[0]?.message };
}

/** Reads the runtime's lines, which pass through this process's standard output. */
function listenTo(stream: NodeJS.WriteStream, listen: (heard: Report) => void): () => void {
  const write = stream.write.bind(stream);
  let rest = "";
  stream.write = (chunk: string | Uint8Array, ...more: never[]) => {
    rest += String(chunk);
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const heard = parseReport(line);
      if (heard) listen(heard);
    }
    return write(chunk, ...more);
  };
  return () => {
    stream.write = write;
  };
}

function report(message: Report): void {
  process.stdout.write(`${formatReport(message)}\n`);
}
