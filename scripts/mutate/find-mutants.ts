import { readFileSync } from "node:fs";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { addMutators } from "./extra-mutators.ts";
import { ignoreWords } from "./ignore-words.ts";
import type { Mutant } from "./protocol.ts";

/** A source file, or a range of its lines: "src/lib/seal.ts", "src/lib/seal.ts:10-20". */
export interface Target {
  file: string;
  lines: { first: number; last: number } | undefined;
}

export interface Instrumented {
  mutants: Mutant[];
  /** Code that holds all mutants of its file, each behind a switch. */
  files: readonly { name: string; content: string }[];
}

const silent = () => {};
const LOGGER = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
};

/** Finds the mutants of the targets; skips those of messages for people. */
export async function findMutants(targets: Target[]): Promise<Instrumented> {
  await addMutators();
  const sources = new Map(targets.map(({ file }) => [file, readFileSync(file, "utf8")]));
  const result = await new Instrumenter(LOGGER).instrument(
    targets.map(({ file, lines }) => ({
      name: file,
      content: sources.get(file) ?? "",
      mutate:
        lines === undefined
          ? true
          : [
              {
                start: { line: lines.first - 1, column: 0 },
                end: { line: lines.last - 1, column: 1_000 },
              },
            ],
    })),
    { plugins: null, excludedMutations: [], ignorers: [{ shouldIgnore: ignoreWords }] },
  );
  const mutants = result.mutants
    .filter(({ status }) => status === undefined)
    .map(({ id, fileName, location, mutatorName, replacement }) => ({
      id,
      file: fileName,
      line: location.start.line + 1,
      mutator: mutatorName,
      original: cut(sources.get(fileName) ?? "", location),
      replacement,
    }));
  return { mutants, files: result.files };
}

interface Location {
  start: Position;
  end: Position;
}
interface Position {
  line: number;
  column: number;
}

function cut(source: string, { start, end }: Location): string {
  const lines = source.split("\n").slice(start.line, end.line + 1);
  lines[lines.length - 1] = (lines.at(-1) ?? "").slice(0, end.column);
  lines[0] = (lines[0] ?? "").slice(start.column);
  return lines.join("\n");
}
