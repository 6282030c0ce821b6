/*
 * The JSON body of a request (API reference §2.9: 400 is the last). The server reads a small body
 * before the access check, so that a route's own reads run with it. A larger one stays unread until
 * the caller, the project, the role and the rate are known.
 */
import { isUtf8 } from "node:buffer";
import type { ZodType } from "zod";
import { AppError, refusal } from "../errors.ts";
import { findExcess, type JsonBounds } from "../lib/json-bounds.ts";
import { parseJson, parseJsonList } from "../lib/parse-json.ts";
import { inUtf8 } from "../lib/spreadsheet-text.ts";
import { openBodyStream } from "./body-stream.ts";
import { bearerOf } from "./credential.ts";
import { withoutNulls } from "./given.ts";
import type { HttpContext } from "./http-env.ts";
import { refusalOfIssues } from "./issues.ts";
import { LARGE_BODY_BYTES, takeLargeBodySlot } from "./large-body-slot.ts";

/** Largest JSON body unless a route sets another bound (API reference §4.2). */
export const MAX_BODY_BYTES = 1_048_576;

/** Largest body that the server reads from an unknown caller, or before it knows the caller. */
export const SMALL_BODY_BYTES = 65_536;

/** The time within which any body must arrive; our own choice. */
const MAX_UPLOAD_MS = 60_000;

/** The time after which a caller may retry a body that arrived too slowly; our own choice. */
const SLOW_RETRY_SECONDS = 10;

/** Bounds on every body; our own choice. Routes have tighter bounds for their own lists. */
export const BODY_BOUNDS: JsonBounds = { levels: 100, entries: 65_536, values: 500_000 };

/** A checked body with its bytes, or its fault. */
export type Parsed<T> = { ok: true; value: T; bytes: Uint8Array } | { ok: false; error: AppError };

/** The body of a route, and how to read it. */
export interface BodyRule<T> {
  schema: ZodType<T>;
  maxBytes: number;
  /** The names of fields that lead to base64 texts; large ones reach the schema as bytes. */
  base64At?: readonly string[] | undefined;
  /** True when a list reaches the schema as a JsonList. */
  isList?: boolean | undefined;
  /** Parsers of bodies of other types than JSON, by type; they may throw 400. */
  bodyTypes?: Readonly<Record<string, (bytes: Uint8Array) => unknown>> | undefined;
}

/** The body of one request. */
export interface IncomingBody<T> {
  /** A small body, or its fault; undefined for a larger one. */
  early: Parsed<T> | undefined;
  /** Returns the body, whatever its size; only for a caller that has passed the access check. */
  finish: () => Promise<Parsed<T>>;
  /** Ends the request's hold on its body and on the memory for large ones. */
  end: () => void;
}

const refuse = (error: AppError) => ({ ok: false, error }) as const;

/**
 * Begins to read the body of a request: the whole of a small one, and nothing of one known to be
 * larger.
 */
export async function receiveJson<T>(c: HttpContext, rule: BodyRule<T>): Promise<IncomingBody<T>> {
  const { maxBytes } = rule;
  const stream = openBodyStream(c.req.raw);
  stream.endWithin(MAX_UPLOAD_MS);
  const small = await stream.readTo(SMALL_BODY_BYTES);
  const early = small && parseBody(c, small, rule);
  let releaseSlot = () => {};
  const readLarge = async () => {
    if (stream.declaredBytes > maxBytes) return undefined;
    const unheld = await stream.readTo(Math.min(LARGE_BODY_BYTES, maxBytes));
    if (unheld || maxBytes <= LARGE_BODY_BYTES) return unheld;
    const slot = takeLargeBodySlot(c.var.ctx.deps.now, () => stream.stop(tooSlow()));
    releaseSlot = slot.release;
    const bytes = await stream.readTo(maxBytes);
    slot.keep();
    return bytes;
  };
  const finish = async () => {
    if (early) return early;
    const bytes = await readLarge();
    return bytes ? parseBody(c, bytes, rule) : refuse(tooLarge(maxBytes));
  };
  const end = () => {
    releaseSlot();
    const closing = stream.close();
    if (closing) c.executionCtx.waitUntil(closing);
  };
  return { early, finish, end };
}

const tooSlow = () =>
  refusal("slow_request_displaced", {}, { retryAfterSeconds: SLOW_RETRY_SECONDS });

const tooLarge = (maxBytes: number) =>
  refusal("payload_too_large", { limit: sizeInWords(maxBytes) });

export const sizeInWords = (bytes: number) =>
  bytes < 1_048_576 ? `${bytes / 1_024} KiB` : `${bytes / 1_048_576} MiB`;

function refusalOfType(c: HttpContext): AppError | undefined {
  if (bearerOf(c) || isJsonType(c.req.header("Content-Type"))) return undefined;
  return refusal("wrong_content_type", {});
}

function isJsonType(type: string | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type ?? "");
}

/** Checks a body without throwing. An empty one counts as `{}`. */
function parseBody<T>(c: HttpContext, body: Uint8Array, rule: BodyRule<T>): Parsed<T> {
  const { bodyTypes = {} } = rule;
  const type = typeOf(c);
  const parseOther = Object.hasOwn(bodyTypes, type) ? bodyTypes[type] : undefined;
  const wrongType = body.length > 0 && !parseOther ? refusalOfType(c) : undefined;
  if (wrongType) return refuse(wrongType);
  const excess = parseOther ? undefined : findExcess(body, BODY_BOUNDS);
  if (excess !== undefined) return refuse(refusal("body_too_complex", { reason: excess }));
  const text = type === "text/csv" ? inUtf8(body) : body;
  if (!isUtf8(text)) return refuse(refusal("body_not_utf8", {}));
  const bytes = withoutByteOrderMark(text);
  const parsed = parseOther ? parseWith(parseOther, bytes) : parseValue(bytes, rule);
  if (!parsed.ok) return parsed;
  const result = rule.schema.safeParse(withoutNulls(parsed.value));
  return result.success
    ? { ok: true, value: result.data, bytes }
    : refuse(refusalOfIssues(result.error.issues));
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const withoutByteOrderMark = (bytes: Uint8Array) =>
  BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte) ? bytes.subarray(3) : bytes;

/** Returns the type of a body in lower case, without parameters. */
const typeOf = (c: HttpContext) =>
  c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase() ?? "";

function parseWith(parse: (bytes: Uint8Array) => unknown, bytes: Uint8Array): Parsed<unknown> {
  try {
    return { ok: true, value: parse(bytes), bytes };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refuse(error);
  }
}

function parseValue(bytes: Uint8Array, rule: BodyRule<unknown>): Parsed<unknown> {
  try {
    const value = rule.isList ? parseJsonList(bytes) : parseJson(bytes, rule.base64At);
    return { ok: true, value: value === undefined ? {} : value, bytes };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuse(refusal("body_not_json", {}));
  }
}

const NOTHING = new Uint8Array();

/** Returns the body of a route without a schema; its type is free, because no handler uses it. */
export function noBody<Body>(): IncomingBody<Body> {
  const early = { ok: true, value: undefined as Body, bytes: NOTHING } as const;
  return { early, finish: async () => early, end: () => {} };
}
