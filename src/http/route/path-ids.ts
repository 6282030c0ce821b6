import { invalidField, type AppError } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import type { HttpContext } from "../http-env.ts";

/** An id in a path: a UUID or a ULID (API reference §1.3). */
const ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-7][0-9a-hjkmnp-tv-z]{25})$/i;

/** Parameters that accept any text: queue ids, ids or emails, and names. */
const ANY_TEXT = new Set(["letterId", "subscriber", "provider", "service"]);

/** Returns the error for a path with a malformed id; undefined for any other path. */
export function faultOfIds(c: HttpContext, path: string): AppError | undefined {
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = ""]) => name);
  const wrong = names.find((name) => !ANY_TEXT.has(name) && !ID.test(c.req.param(name) ?? ""));
  return wrong === undefined ? undefined : invalidField(wrong, faultOf("not_id"));
}
