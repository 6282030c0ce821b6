/** A template with fewer expressions: `kept` holds the positions of the remaining ones. */
export interface SqlVariant {
  texts: string[];
  kept: number[];
}

/** Stands for `${…}` in the joined text; no statement contains this character. */
const HOLE = "\u0000";
const WORD =
  /\b(?:and|or|between|order|group|limit|returning|union|on|from|case|when|then|else|end|where)\b|[()]|$/gi;
const ENDS = new Set([
  "and",
  "or",
  "order",
  "group",
  "limit",
  "returning",
  "union",
  ")",
  "",
  "then",
  "else",
  "end",
  "where",
  "on",
  "from",
]);

/** Returns every variant of a statement that lacks one operand of an `and` or `or`. */
export function withoutConditions(texts: readonly string[]): SqlVariant[] {
  const sql = texts.join(HOLE);
  const variants: SqlVariant[] = [];
  for (const { index, 0: word } of sql.matchAll(/\b(?:and|or|where)\b/gi)) {
    if (isBetween(sql, index)) continue;
    const after = index + word.length;
    const end = operandEnd(sql, after);
    if (word.toLowerCase() !== "where") variants.push(cutOut(sql, index, end));
    else if (/^(?:and|or)\b/i.test(sql.slice(end))) {
      const next = /^(?:and|or)\b/i.exec(sql.slice(end))?.[0].length ?? 0;
      variants.push(cutOut(sql, after, end + next));
    }
  }
  return variants;
}

/** Returns true for the `and` of `between x and y`. */
function isBetween(sql: string, at: number): boolean {
  return /\bbetween\s+\S+\s+$/i.test(sql.slice(0, at));
}

/** Returns the end of the operand that starts here, at the same depth of brackets. */
function operandEnd(sql: string, from: number): number {
  let depth = 0;
  let isBetweenOpen = false;
  for (const { index, 0: found } of sql.slice(from).matchAll(WORD)) {
    const word = found.toLowerCase();
    if (word === "(") depth += 1;
    else if (depth > 0 && word !== "") depth -= word === ")" ? 1 : 0;
    else if (word === "between") isBetweenOpen = true;
    else if (word === "and" && isBetweenOpen) isBetweenOpen = false;
    else if (ENDS.has(word)) return from + index;
  }
  return sql.length;
}

function cutOut(sql: string, from: number, to: number): SqlVariant {
  const kept: number[] = [];
  let hole = 0;
  for (let at = 0; at < sql.length; at++) {
    if (sql[at] !== HOLE) continue;
    if (at < from || at >= to) kept.push(hole);
    hole += 1;
  }
  return { texts: `${sql.slice(0, from)} ${sql.slice(to)}`.split(HOLE), kept };
}
