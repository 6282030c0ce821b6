// `npm run mutate -- FILE…`: changes the code in one place at a time and shows which tests notice.
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { OperatorError, runCommand, UsageError } from "./command-line.ts";
import { copyProject } from "./mutate/copy-project.ts";
import { findMutants, type Target } from "./mutate/find-mutants.ts";
import { printResults } from "./mutate/print-results.ts";
import { tryMutants } from "./mutate/try-mutants.ts";

const USAGE = `npm run mutate -- FILE[:FIRST-LAST]… [--node] [--tests FILE…]

  FILE            a source file, or a range of its lines, to mutate
  --tests FILE…   the test files to run (default: all that import the code)
  --titles REGEX  run only the tests whose whole title matches
  --node          run the tests in Node.js: for tests that need no part of Workers, and quick
  --list          print the mutants and run nothing`;

const FOLDER = ".cache/mutate";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
await runCommand(USAGE, async () => {
  const { values, tokens } = parseArgs({
    options: {
      tests: { type: "boolean" },
      titles: { type: "string" },
      node: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
    },
    allowPositionals: true,
    tokens: true,
  });
  // Arguments after `--tests` are test files.
  const border = tokens.find((token) => token.kind === "option" && token.name === "tests")?.index;
  const positionals = tokens.flatMap((token) => (token.kind === "positional" ? [token] : []));
  const isTest = ({ index }: { index: number }) => border !== undefined && index > border;
  const targets = positionals
    .filter((token) => !isTest(token))
    .map(({ value }) => parseTarget(value));
  const tests = positionals.filter(isTest).map(({ value }) => value);
  if (targets.length === 0) throw new UsageError("name a file to mutate");
  if (new Set(targets.map(({ file }) => file)).size < targets.length)
    throw new UsageError("name each file once: the last range of a file would hide the others");
  if (border !== undefined && tests.length === 0) throw new UsageError("--tests names no file");
  for (const file of tests) assertFile(file);

  const { mutants, files } = await findMutants(targets);
  if (values.list || mutants.length === 0) {
    printResults(mutants, new Map());
    return;
  }
  const folder = join(FOLDER, "project");
  mkdirSync(FOLDER, { recursive: true });
  copyProject(folder, { inNode: values.node });
  for (const { name, content } of files) writeFileSync(join(folder, name), content);
  const killers = await tryMutants(folder, mutants, {
    inNode: values.node,
    tests,
    titles: values.titles,
    related: files.map(({ name }) => name),
  });
  printResults(mutants, killers);
});

function parseTarget(text: string): Target {
  const {
    file = "",
    first,
    last,
  } = /^(?<file>.+?)(?::(?<first>\d+)-(?<last>\d+))?$/.exec(text)?.groups ?? {};
  assertFile(file);
  return {
    file,
    lines: first === undefined ? undefined : { first: Number(first), last: Number(last) },
  };
}

function assertFile(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new OperatorError(`${file} is not a file`);
}
