/*
 * The JSON body of a request (API reference §2.9: 400 is the last). A small body is read
 * before the access check, so that a route's own reads ride along with it. A larger one stays where
 * it is until the caller, the project, the role and the rate are known.
 */
import type { ZodType } from "zod";
import { AppError, badRequest } from "../errors.ts";
import { findExcess, type JsonBounds } from "../lib/json-bounds.ts";
import { openBodyStream } from "./body-stream.ts";
import { bearerOf } from "./credential.ts";
import { withoutNulls } from "./given.ts";
import type { HttpContext } from "./http-env.ts";
import { refusalOfIssues } from "./issues.ts";
import { LARGE_BODY_BYTES, takeLargeBodySlot } from "./large-body-slot.ts";

/** Largest JSON body unless a route says otherwise (API reference §4.2). */
export const MAX_BODY_BYTES = 1_048_576;

/** Largest body that is read before its caller is known, and the largest of a caller nobody knows. */
export const SMALL_BODY_BYTES = 65_536;

/** Any body arrives within this time, or is refused; ours. */
const MAX_UPLOAD_MS = 60_000;

/** When a body that arrived too slowly may be tried again; ours. */
const SLOW_RETRY_SECONDS = 10;

/** What any body may hold; ours. Routes have tighter bounds for their own lists. */
export const BODY_BOUNDS: JsonBounds = { levels: 100, entries: 65_536, values: 500_000 };

export type Parsed<T> = { ok: true; value: T; text: string } | { ok: false; error: AppError };

/** The body of one request. */
export interface IncomingBody<T> {
  /** A small body, or what is wrong with it; undefined for one that is larger. */
  early: Parsed<T> | undefined;
  /** Returns the body, whatever its size; only to be called for a caller that was let in. */
  finish: () => Promise<Parsed<T>>;
  /** Ends the request's hold on its body and on the memory for large ones. */
  end: () => void;
}

const refuse = (error: AppError) => ({ ok: false, error }) as const;

/** Begins to read the body of a request: all of a small one, nothing of what is known to be larger. */
export async function receiveJson<T>(
  c: HttpContext,
  schema: ZodType<T>,
  maxBytes: number,
): Promise<IncomingBody<T>> {
  const stream = openBodyStream(c.req.raw);
  stream.endWithin(MAX_UPLOAD_MS);
  const small = await stream.readTo(SMALL_BODY_BYTES);
  const early = small && parseBody(c, small, schema);
  let releaseSlot = () => {};
  const readLarge = async () => {
    if (stream.declaredBytes > maxBytes) return undefined;
    const unheld = await stream.readTo(Math.min(LARGE_BODY_BYTES, maxBytes));
    if (unheld || maxBytes <= LARGE_BODY_BYTES) return unheld;
    const slot = takeLargeBodySlot(c.var.ctx.app.now, () => stream.stop(tooSlow()));
    releaseSlot = slot.release;
    const bytes = await stream.readTo(maxBytes);
    slot.keep();
    return bytes;
  };
  const finish = async () => {
    if (early) return early;
    const bytes = await readLarge();
    return bytes ? parseBody(c, bytes, schema) : refuse(tooLarge(maxBytes));
  };
  const end = () => {
    releaseSlot();
    c.executionCtx.waitUntil(stream.close());
  };
  return { early, finish, end };
}

const tooSlow = () =>
  new AppError("unavailable", "another large request took the place of this slow one: try again", {
    retryAfterSeconds: SLOW_RETRY_SECONDS,
  });

const tooLarge = (maxBytes: number) =>
  new AppError("payload_too_large", `the body is larger than ${sizeInWords(maxBytes)}`);

const sizeInWords = (bytes: number) =>
  bytes < 1_048_576 ? `${bytes / 1_024} KiB` : `${bytes / 1_048_576} MiB`;

function refusalOfType(c: HttpContext): AppError | undefined {
  if (bearerOf(c) || isJsonType(c.req.header("Content-Type"))) return undefined;
  return badRequest("the Content-Type must be application/json");
}

function isJsonType(type: string | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type ?? "");
}

/** Checks a body without throwing. An empty one counts as `{}`. */
function parseBody<T>(c: HttpContext, bytes: Uint8Array, schema: ZodType<T>): Parsed<T> {
  const wrongType = bytes.length > 0 ? refusalOfType(c) : undefined;
  if (wrongType) return refuse(wrongType);
  const excess = findExcess(bytes, BODY_BOUNDS);
  if (excess !== undefined) return refuse(badRequest(`the body ${excess}`));
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) return decoded;
  const { text } = decoded;
  const json = parseJson(text);
  if (!json.ok) return json;
  const result = schema.safeParse(withoutNulls(json.value));
  return result.success
    ? { ok: true, value: result.data, text }
    : refuse(refusalOfIssues(result.error.issues));
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
    const value: unknown = JSON.parse(text);
    return { ok: true, value, text };
  } catch {
    return refuse(badRequest("the body is not valid JSON"));
  }
}

/** The body of a route without a schema; nothing tells what `Body` is, and no handler uses it. */
export function noBody<Body>(): IncomingBody<Body> {
  const early = { ok: true, value: undefined as Body, text: "" } as const;
  return { early, finish: async () => early, end: () => {} };
}
