import { isJson, VARIABLES } from "../../db/subscriber-columns.ts";
import { findVariables } from "../../mail/template/index.ts";
import type { LackRow } from "./audience-queries.ts";
import { broadcastValues, type ReadDraft } from "./facts.ts";
import { preflightReason } from "../../messages/preflight.ts";
import { problem, type Problem } from "./problems.ts";

/** The maximum number of variables that are checked. */
const VARIABLES_MAX = 30;

/** The variables that every subscriber has. */
const ALWAYS = new Set([
  "email",
  "subscriber_id",
  "unsubscribe_url",
  "unsubscribe_link",
  "view_url",
  "view_link",
]);

/** The variables of a mail by source. */
export interface MailVariables {
  /** The paths of variables that a subscriber may or may not have. */
  personal: string[][];
  /** Variables that no subscriber has and the broadcast does not define. */
  unknown: string[];
}

/**
 * Finds the distinct variables that the contents of a draft print. Excludes variables that a block
 * tests first, because they may be missing.
 */
export function variablesIn({ row, contents }: ReadDraft): MailVariables {
  const parts = contents.flatMap(({ subject, htmlBody, textBody, preheader }) => [
    subject,
    htmlBody,
    textBody,
    row.plan.previewText ?? preheader,
  ]);
  const uses = parts.flatMap((source) => findVariables(source));
  const paths = [...new Map(uses.map(({ path }) => [path.join("."), path])).values()];
  const personal = paths.filter(isPersonal).slice(0, VARIABLES_MAX);
  const unknown = paths
    .filter(([first = "", ...rest]) => {
      if (first === "broadcast") return !isGiven(broadcastValues(row), rest);
      return !ALWAYS.has(first) && !VARIABLES.some((name) => name === first);
    })
    .map((path) => path.join("."));
  return { personal, unknown };
}

/**
 * Returns true for a path that can be looked up in a subscriber's JSON: no array index and no quote
 * in a name.
 */
function isPersonal([first, ...rest]: string[]): boolean {
  const column = VARIABLES.find((name) => name === first && name !== "email");
  if (column === undefined) return false;
  if (!isJson(column)) return rest.length === 0;
  return rest.length > 0 && rest.every((part) => !/^\d+$|"/.test(part));
}

function isGiven(value: unknown, path: string[]): boolean {
  const [first, ...rest] = path;
  if (first === undefined) return value !== undefined && value !== null && value !== "";
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, first)) return false;
  return isGiven((value as Record<string, unknown>)[first], rest);
}

/** Returns a path in SQLite's JSON path syntax. */
export const jsonPath = (path: readonly string[]) =>
  `$${path.map((part) => `."${part}"`).join("")}`;

export const lookedAt = (rows: readonly LackRow[]): number =>
  rows.find(({ n }) => n === -1)?.people ?? 0;

/** Returns a problem for each variable that real recipients lack, the most frequent first. */
export function judgeVariables(
  { personal, unknown }: MailVariables,
  rows: readonly LackRow[],
): Problem[] {
  const never = unknown.map((name) =>
    problem("missing_variable", {
      reason: preflightReason("variable_of_nobody", { variable: `{{${name}}}` }),
    }),
  );
  const looked = lookedAt(rows);
  const lacking = rows.filter(({ n }) => n >= 0).toSorted((a, b) => b.people - a.people);
  return [
    ...never,
    ...lacking.map(({ n, people, named }) => {
      const list = JSON.parse(named ?? "[]") as (string | null)[]; // written by the statement
      const examples = list.filter((email) => email !== null).join(", ");
      const name = personal[n]?.join(".") ?? "";
      const variable = `{{${name}}}`;
      const reason = preflightReason("variable_of_some", { variable, people, looked, examples });
      return problem("missing_variable", { reason });
    }),
  ];
}
