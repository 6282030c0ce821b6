import { z } from "zod";
import { AppError } from "../errors.ts";
import { cutText } from "../lib/cut-text.ts";

/**
 * Bounds on the details of one answer, and on the part of a path that the caller made up; our own
 * choice.
 */
const MAX_DETAILS = 20;
const MAX_PATH_CHARACTERS = 200;
const MAX_KEYS_NAMED = 5;

/** A fault that a schema found in one field. */
interface Issue {
  code?: string;
  path: PropertyKey[];
  message: string;
}

const pathOf = ({ path }: Issue) => cutText(path.map(String).join("."), MAX_PATH_CHARACTERS);

/** Returns the first fault that a schema found, as `field: reason`. */
export function firstIssue(issues: readonly Issue[]): string {
  const [issue] = issues;
  if (!issue) return "the body must be another one";
  const path = pathOf(issue);
  return path === "" ? issue.message : `${path}: ${issue.message}`;
}

/** Makes the refusal of a schema's faults: its text names the first, and details list several. */
export function refusalOfIssues(issues: readonly Issue[]): AppError {
  const told = withoutFollowing(issues).slice(0, MAX_DETAILS);
  const details = told.map((issue) => ({ path: pathOf(issue), message: issue.message }));
  return new AppError("bad_request", firstIssue(issues), details.length > 1 ? { details } : {});
}

/**
 * Drops the faults of a value that follow from its wrong type or its unknown fields: the length of
 * a text is not a number of entries.
 */
function withoutFollowing(issues: readonly Issue[]): Issue[] {
  const first = issues.filter(
    ({ code }) => code === "invalid_type" || code === "unrecognized_keys",
  );
  const wrong = new Map(first.map((issue) => [JSON.stringify(issue.path), issue]));
  return issues.filter((issue) => (wrong.get(JSON.stringify(issue.path)) ?? issue) === issue);
}

/** Returns the text of a fault whose schema has none; answers never show zod's own words. */
const wordIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `${issue.path?.length ? "must" : "the body must"} be ${kindOf(issue.expected)}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return `must ${sizeOf(issue.origin, "at least", issue.minimum)}`;
    case "too_big":
      if (issue.maximum === Number.MAX_SAFE_INTEGER) return "is too large"; // for a whole number
      return `must ${sizeOf(issue.origin, "at most", issue.maximum)}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_format":
      return `must have the format ${issue.format}`;
    case "invalid_key":
      return `has a name that ${issue.issues[0]?.message ?? "must be another one"}`;
    case "unrecognized_keys":
      return `must not have ${namesOf(issue.keys)}`;
    default:
      return "must be of another form";
  }
};

function namesOf(keys: string[]): string {
  const named = keys.slice(0, MAX_KEYS_NAMED).map((key) => cutText(key, MAX_PATH_CHARACTERS));
  const rest = keys.length - named.length;
  return named.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** Names of the expected kinds that differ from `a` followed by zod's name. */
const KINDS: Record<string, string> = {
  array: "a list",
  int: "a whole number",
  object: "an object",
  record: "an object",
};

const kindOf = (expected: string) => KINDS[expected] ?? `a ${expected}`;

/** The units of sizes, as one and as several. */
const UNITS: Record<string, readonly [string, string]> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
};

function sizeOf(origin: string, bound: string, size: number | bigint): string {
  const unit = UNITS[origin];
  if (unit === undefined) return `be ${bound} ${size}`;
  return `have ${bound} ${size} ${unit[Number(size) === 1 ? 0 : 1]}`;
}

z.config({ customError: wordIssue });
