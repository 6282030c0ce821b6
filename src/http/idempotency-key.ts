import { refusal } from "../errors.ts";
import type { Ctx } from "../context.ts";
import { sha256Hex } from "../lib/hash.ts";
import { callerIdOf, type Idempotency } from "../services/idempotency/index.ts";
import type { HttpContext } from "./http-env.ts";

const HEADER = "Idempotency-Key";
const KEY = /^[!-~]{1,255}$/;

/** Returns the raw `Idempotency-Key` of a request; `idempotencyOf` validates it. */
export function idempotencyKeyOf(c: HttpContext): string | undefined {
  return c.req.header(HEADER);
}

/** What requests said that replaces their body in the hash. */
const said = new WeakMap<Request, Uint8Array>();

/**
 * Makes the hash of a request cover `text` instead of its body, for a caller within the service
 * whose body differs with each repetition.
 */
export const identifyBy = (request: Request, text: string) =>
  void said.set(request, new TextEncoder().encode(text));

/**
 * Returns the key with a hash of the whole request (caller, method, path and body), so that one
 * caller's key never replays another caller's response. Throws invalid_idempotency_key unless the
 * key is 1 to 255 printable ASCII characters without spaces.
 */
export function idempotencyOf(c: HttpContext, ctx: Ctx, body: Uint8Array): Idempotency | undefined {
  const key = idempotencyKeyOf(c);
  if (key === undefined) return undefined;
  if (!KEY.test(key)) throw refusal("invalid_idempotency_key", {});
  return {
    key,
    requestHash: sha256Hex(
      `${callerIdOf(ctx)} ${c.req.method} ${c.req.path}\n`,
      said.get(c.req.raw) ?? body,
    ),
  };
}
