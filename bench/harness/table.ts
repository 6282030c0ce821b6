import { isMet, type PartResult } from "./report.ts";
import { readable } from "./statistics.ts";

/** Formats a part as text: the table with right-aligned numbers, then its goals. */
export function formatPart({ title, columns, rows, goals, notes = [] }: PartResult): string {
  const cells = [columns, ...rows.map((row) => row.map(textOf))];
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const lines = cells.map((row, line) =>
    row
      .map((cell, at) => {
        const isNumber = line > 0 ? typeof rows[line - 1]?.[at] !== "string" : at > 0;
        const width = widths[at] ?? 0;
        return isNumber ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd(),
  );
  const rule = widths.map((width) => "─".repeat(width)).join("  ");
  const judged = goals.map((goal) => {
    const mark = isMet(goal) ? "met   " : "MISSED";
    const sign = goal.kind === "at_least" ? "≥" : "≤";
    return `  ${mark}  ${goal.what}: ${readable(goal.measured)} (goal ${sign} ${readable(goal.limit)})`;
  });
  const [head = "", ...body] = lines;
  return [
    "",
    `## ${title}`,
    "",
    head,
    rule,
    ...body,
    "",
    ...judged,
    ...notes.map((note) => `  ${note}`),
  ].join("\n");
}

const textOf = (value: string | number | undefined): string =>
  typeof value === "string" ? value : readable(value);
