import type { Mutant } from "./protocol.ts";
import type { Fate } from "./try-mutants.ts";

const MAX_CHARACTERS = 100;

/** Prints each mutant with its fate, then a line of sums for each file. */
export function printResults(mutants: Mutant[], fates: Map<string, Fate>): void {
  for (const { id, file, line, mutator, original, replacement } of mutants) {
    const fate = fates.get(id);
    const name = fate?.state ?? "not reached";
    const by = fate?.state === "killed" ? `   by ${fate.by}` : "";
    const change = describeChange(original, replacement);
    process.stdout.write(`${name.padEnd(11)} ${file}:${line} ${mutator}: ${change}${by}\n`);
  }
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const own = mutants.filter((mutant) => mutant.file === file);
    const killed = own.filter(({ id }) => fates.get(id)?.state === "killed").length;
    const missed = own.filter(({ id }) => !fates.has(id)).length;
    process.stdout.write(
      `${file}: ${own.length} mutants, ${killed} killed, ${own.length - killed} survived` +
        ` (${missed} of them reached by no test)\n`,
    );
  }
}

/** Formats both sides on one line; shortens long ones to the part that differs. */
function describeChange(original: string, replacement: string): string {
  const [before, after] = [original, replacement].map((code) => code.replaceAll(/\s+/g, " "));
  if (before === undefined || after === undefined) return "";
  if (before.length <= MAX_CHARACTERS) return `${before} → ${shorten(after)}`;
  let start = 0;
  while (start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const isAlike = start + end > after.length / 2;
  if (!isAlike) return `${shorten(before)} → ${shorten(after)}`;
  const part = (code: string) =>
    `…${shorten(code.slice(Math.max(0, start - 20), code.length - end))}…`;
  return `${part(before)} → ${part(after)}`;
}

function shorten(code: string): string {
  return code.length > MAX_CHARACTERS ? `${code.slice(0, MAX_CHARACTERS)}…` : code;
}
