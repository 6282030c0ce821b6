import { z, type ZodType } from "zod";
import { AppError, badRequest } from "../errors.ts";
import { readLimited } from "../lib/read-limited.ts";
import { bearerOf } from "./credential.ts";
import type { HttpContext } from "./http-env.ts";

export type Parsed<T> = { ok: true; value: T; text: string } | { ok: false; error: AppError };

const refuse = (error: AppError) => ({ ok: false, error }) as const;

/**
 * Reads and checks a JSON body without throwing: what is wrong with it is told only after
 * the access checks (decisions: 400 is the last). An empty body counts as `{}`.
 */
export async function readJson<T>(
  c: HttpContext,
  schema: ZodType<T>,
  maxBytes: number,
): Promise<Parsed<T>> {
  const read = await readLimited(c.req.raw.body, maxBytes);
  if (!read.ok)
    return refuse(
      new AppError("payload_too_large", `the body is larger than ${maxBytes / 1_048_576} MiB`),
    );
  if (!bearerOf(c) && read.bytes.length > 0 && !isJsonType(c.req.header("Content-Type")))
    return refuse(badRequest("the Content-Type must be application/json"));
  const decoded = decodeUtf8(read.bytes);
  if (!decoded.ok) return decoded;
  const { text } = decoded;
  const json = parseJson(text);
  if (!json.ok) return json;
  const result = schema.safeParse(withoutNulls(json.value));
  return result.success
    ? { ok: true, value: result.data, text }
    : refuse(badRequest(firstIssue(result.error.issues)));
}

function isJsonType(type: string | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type ?? "");
}

function decodeUtf8(bytes: Uint8Array): Parsed<string> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    return { ok: true, value: text, text };
  } catch {
    return refuse(badRequest("the body is not valid UTF-8"));
  }
}

function parseJson(text: string): Parsed<unknown> {
  if (text.trim() === "") return { ok: true, value: {}, text };
  try {
    return { ok: true, value: JSON.parse(text) as unknown, text };
  } catch {
    return refuse(badRequest("the body is not valid JSON"));
  }
}

/** A field of the body that is null is one left out, as typed clients write it. */
function withoutNulls(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** The first thing a schema found wrong, as `field: reason`. */
export function firstIssue(issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const [issue] = issues;
  if (!issue) return "the body is not valid";
  const field = issue.path.map(String).join(".");
  return field === "" ? issue.message : `${field}: ${issue.message}`;
}

/** The service's words for what a schema says nothing about itself: no answer speaks of zod's inputs. */
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
      return `must ${sizeOf(issue.origin, "at most", issue.maximum)}`;
    case "unrecognized_keys":
      return `must not have ${issue.keys.join(", ")}`;
    default:
      return "is not valid";
  }
};

/** What a schema expects, where that is not `a` and its name in zod. */
const KINDS: Record<string, string> = {
  array: "a list",
  int: "a whole number",
  object: "an object",
  record: "an object",
};

const kindOf = (expected: string) => KINDS[expected] ?? `a ${expected}`;

const UNITS: Record<string, string> = { string: "characters", array: "entries" };

function sizeOf(origin: string, bound: string, size: number | bigint): string {
  const unit = UNITS[origin];
  return unit === undefined ? `be ${bound} ${size}` : `have ${bound} ${size} ${unit}`;
}

z.config({ customError: wordIssue });
