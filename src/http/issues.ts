import { z } from "zod";
import { AppError, type FieldFault } from "../errors.ts";
import { cutText } from "../lib/cut-text.ts";
import { faultOf } from "../messages/faults.ts";
import type { Message } from "../messages/message.ts";
import { fault, readFault } from "./fault.ts";

/**
 * Limits on the details of one response, and on the caller-supplied part of a path; our own choice.
 */
export const MAX_DETAILS = 20;
const MAX_PATH_CHARACTERS = 200;
const MAX_KEYS_NAMED = 5;

/** The code of an issue about a field that the schema does not know (route/unknown-fields.ts). */
export const UNKNOWN_FIELD = "unknown_field";

/** A schema issue in one field. */
export interface Issue {
  code?: string;
  path: PropertyKey[];
  message: string;
}

const pathOf = ({ path }: Issue) => cutText(path.map(String).join("."), MAX_PATH_CHARACTERS);

/** Returns an issue as the details of a response show it. */
export const fieldFault = (issue: Issue): FieldFault => ({
  path: pathOf(issue),
  ...readFault(issue.message),
});

/** Returns the first schema issue as a message that begins with its field. */
export function firstFault(issues: readonly Issue[]): Message {
  const [issue] = issues;
  if (!issue) return faultOf("invalid");
  const { path, ...found } = fieldFault(issue);
  return path === "" ? found : { ...found, message: `${path}: ${found.message}` };
}

/** Returns the first schema issue as `field: reason`. */
export const firstIssue = (issues: readonly Issue[]): string => firstFault(issues).message;

/**
 * Creates the error for schema issues: its message and code are those of the first, and `details`
 * lists all. `place` locates the validated value, such as a line.
 */
export function refusalOfIssues(issues: readonly Issue[], place = ""): AppError {
  const details = withoutFollowing(issues)
    .slice(0, MAX_DETAILS)
    .map(fieldFault)
    .map((found) => ({ ...found, path: [place, found.path].filter(Boolean).join(": ") }));
  const message = [place, firstIssue(issues)].filter(Boolean).join(": ");
  const code = issues[0]?.code === UNKNOWN_FIELD ? UNKNOWN_FIELD : "invalid_request";
  return new AppError(code, message, { details });
}

/**
 * Drops issues that follow from a wrong type or from unknown fields: the length of a string is not
 * a number of items.
 */
function withoutFollowing(issues: readonly Issue[]): Issue[] {
  const first = issues.filter(
    ({ code }) => code === "invalid_type" || code === "unrecognized_keys",
  );
  const wrong = new Map(first.map((issue) => [JSON.stringify(issue.path), issue]));
  return issues.filter((issue) => (wrong.get(JSON.stringify(issue.path)) ?? issue) === issue);
}

/** Returns the fault of an issue whose schema sets none. */
const describeIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return fault("required");
  switch (issue.code) {
    case "invalid_type":
      return fault(issue.path?.length ? "invalid_type" : "body_type", {
        expected: kindOf(issue.expected),
      });
    case "invalid_value":
      return fault("not_in_list", { values: issue.values.map(String).join(", ") });
    case "too_small":
      if (issue.origin in SIZES && Number(issue.minimum) === 1) return fault("empty");
      return fault(SIZES[issue.origin]?.small ?? "too_small", { min: Number(issue.minimum) });
    case "too_big":
      return fault(SIZES[issue.origin]?.big ?? "too_large", { max: Number(issue.maximum) });
    case "not_multiple_of":
      return fault("not_multiple", { divisor: issue.divisor });
    case "invalid_format":
      return fault("invalid_format", { format: issue.format });
    case "invalid_key":
      return fault("invalid_name", { reason: nameFault(issue.issues) });
    case "unrecognized_keys":
      return fault("unknown_fields", { names: namesOf(issue.keys) });
    default:
      return fault("invalid");
  }
};

const nameFault = ([issue]: readonly Issue[]): Message =>
  issue ? readFault(issue.message) : faultOf("invalid");

function namesOf(keys: string[]): string {
  const named = keys.slice(0, MAX_KEYS_NAMED).map((key) => cutText(key, MAX_PATH_CHARACTERS));
  const rest = keys.length - named.length;
  return named.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** Expected types whose wording is not "a" plus zod's name. */
const KINDS: Record<string, string> = {
  array: "a list",
  int: "a whole number",
  object: "an object",
  record: "an object",
};

const kindOf = (expected: string) => KINDS[expected] ?? `a ${expected}`;

/** Size faults by the type of value; numbers by default. */
const SIZES: Partial<
  Record<string, { small: "too_short" | "too_few"; big: "too_long" | "too_many" }>
> = {
  string: { small: "too_short", big: "too_long" },
  array: { small: "too_few", big: "too_many" },
};

z.config({ customError: describeIssue });
