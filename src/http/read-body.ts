import type { ZodType } from "zod";
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
  const text = new TextDecoder().decode(read.bytes);
  if (!bearerOf(c) && text !== "" && !isJsonType(c.req.header("Content-Type")))
    return refuse(badRequest("the Content-Type must be application/json"));
  const json = parseJson(text);
  if (!json.ok) return json;
  const result = schema.safeParse(json.value);
  return result.success
    ? { ok: true, value: result.data, text }
    : refuse(badRequest(firstIssue(result.error.issues)));
}

function isJsonType(type: string | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type ?? "");
}

function parseJson(text: string): Parsed<unknown> {
  if (text.trim() === "") return { ok: true, value: {}, text };
  try {
    return { ok: true, value: JSON.parse(text) as unknown, text };
  } catch {
    return refuse(badRequest("the body is not valid JSON"));
  }
}

/** The first thing a schema found wrong, as `field: reason`. */
export function firstIssue(issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const [issue] = issues;
  if (!issue) return "the body is not valid";
  const field = issue.path.map(String).join(".");
  return field === "" ? issue.message : `${field}: ${issue.message}`;
}
