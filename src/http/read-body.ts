/*
 * Reads the JSON body of a request (API reference §2.9: 400 comes last). A small body is read
 * before the access check, so that the route's own reads share its round trip. A larger one is read
 * only once the caller, the project, the role and the rate limit are checked.
 */
import { isUtf8 } from "node:buffer";
import type { ZodType } from "zod";
import { AppError, refusal } from "../errors.ts";
import { findExcess, type JsonBounds } from "../lib/json-bounds.ts";
import { findJsonFault } from "../lib/json-fault.ts";
import { inUtf8 } from "../lib/spreadsheet-text.ts";
import { openBodyStream } from "./body-stream.ts";
import { bearerOf } from "./credential.ts";
import { withoutNulls } from "./given.ts";
import type { HttpContext } from "./http-env.ts";
import { refusalOfIssues } from "./issues.ts";
import { LARGE_BODY_BYTES, takeLargeBodySlot } from "./large-body-slot.ts";
import type { UnknownField } from "./route/unknown-fields.ts";

/** Maximum JSON body unless a route sets another limit (API reference §4.2). */
export const MAX_BODY_BYTES = 1_048_576;

/** Largest body that is read before the access check. */
export const SMALL_BODY_BYTES = 65_536;

/** Timeout for receiving any body; our own choice. */
const MAX_UPLOAD_MS = 60_000;

/** `Retry-After` for a body that arrived too slowly; our own choice. */
const SLOW_RETRY_SECONDS = 10;

/**
 * Limits on the structure of every body; our own choice. Routes set tighter limits for their own
 * lists.
 */
export const BODY_BOUNDS: JsonBounds = { levels: 100, entries: 65_536, values: 500_000 };

/** A validated body with its bytes, or its error. */
export type Parsed<T> =
  | { ok: true; value: T; bytes: Uint8Array; unknown: UnknownField[] }
  | { ok: false; error: AppError };

/** Parsers of a body by content type; they may throw 400, and return a promise. */
export type BodyTypes = Readonly<Record<string, (bytes: Uint8Array, c: HttpContext) => unknown>>;

/** The body of a route, and how to read it. */
export interface BodyRule<T> {
  schema: ZodType<T>;
  maxBytes: number;
  /** Parsers of other content types than JSON. */
  bodyTypes?: BodyTypes | undefined;
  /** True if null is a value of the fields; otherwise it counts as omitted. */
  keepsNulls?: boolean | undefined;
  /** Finds the fields of a JSON body that the schema does not know. */
  findUnknown?: ((body: unknown) => UnknownField[]) | undefined;
}

export interface IncomingBody<T> {
  /** A small body, or its error; undefined for a larger one. */
  early: Parsed<T> | undefined;
  /** Returns the body, whatever its size. Call it only after the access check. */
  finish: () => Promise<Parsed<T>>;
  /** Releases the body and the slot for large bodies. */
  end: () => void;
}

const refuse = (error: AppError) => ({ ok: false, error }) as const;

/** Starts to read a body: all of a small one, nothing of one declared to be larger. */
export async function receiveJson<T>(c: HttpContext, rule: BodyRule<T>): Promise<IncomingBody<T>> {
  const { maxBytes } = rule;
  const { stream, readLarge, end } = openBody(c, maxBytes);
  const small = await stream.readTo(SMALL_BODY_BYTES);
  const early = small && (await parseBody(c, small, rule));
  const finish = async () => {
    if (early) return early;
    const bytes = await readLarge();
    return bytes ? parseBody(c, bytes, rule) : refuse(tooLarge(maxBytes));
  };
  return { early, finish, end };
}

/**
 * Passes the whole body of a request to `use`, whatever its content type. Call it only after the
 * access check. Throws payload_too_large, body_too_slow and large_request_running.
 */
export async function withBytes<Result>(
  c: HttpContext,
  maxBytes: number,
  use: (bytes: Uint8Array) => Promise<Result>,
): Promise<Result> {
  const { readLarge, end } = openBody(c, maxBytes);
  try {
    const bytes = await readLarge();
    if (!bytes) throw tooLarge(maxBytes);
    return await use(bytes);
  } finally {
    end();
  }
}

/** Opens a body. `readLarge` returns it, or undefined if it is too large. */
function openBody(c: HttpContext, maxBytes: number) {
  const stream = openBodyStream(c.req.raw);
  stream.endWithin(MAX_UPLOAD_MS);
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
  const end = () => {
    releaseSlot();
    const closing = stream.close();
    if (closing) c.executionCtx.waitUntil(closing);
  };
  return { stream, readLarge, end };
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

/** Validates a body without throwing. An empty body counts as `{}`. */
async function parseBody<T>(
  c: HttpContext,
  body: Uint8Array,
  rule: BodyRule<T>,
): Promise<Parsed<T>> {
  const { bodyTypes = {} } = rule;
  const type = mediaTypeOf(c);
  const isOther = Object.hasOwn(bodyTypes, type) && !(FORM_TYPES.has(type) && isLikeJson(body));
  const parseOther = isOther ? bodyTypes[type] : undefined;
  const wrongType = body.length > 0 && !parseOther ? refusalOfType(c) : undefined;
  if (wrongType) return refuse(wrongType);
  const excess = parseOther ? undefined : findExcess(body, BODY_BOUNDS);
  if (excess !== undefined) return refuse(refusal("body_too_complex", { reason: excess }));
  const text = type === "text/csv" ? inUtf8(body) : body;
  if (!isUtf8(text)) return refuse(refusal("body_not_utf8", {}));
  const bytes = withoutByteOrderMark(text);
  const parsed = parseOther ? await parseWith(parseOther, bytes, c) : parseJson(bytes, type);
  if (!parsed.ok) return parsed;
  const result = rule.schema.safeParse(rule.keepsNulls ? parsed.value : withoutNulls(parsed.value));
  const unknown = rule.findUnknown?.(parsed.value) ?? [];
  if (result.success) return { ok: true, value: result.data, bytes, unknown };
  // A misspelled field is the likely cause of the others.
  const misspelled = unknown.filter(({ nearest }) => nearest !== undefined);
  const others = unknown.filter(({ nearest }) => nearest === undefined);
  return refuse(refusalOfIssues([...misspelled, ...result.error.issues, ...others]));
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const withoutByteOrderMark = (bytes: Uint8Array) =>
  BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte) ? bytes.subarray(3) : bytes;

/** Returns the media type of a body in lowercase, without parameters. */
export const mediaTypeOf = (c: HttpContext) =>
  c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase() ?? "";

/** The value of a body before its validation, or its error. */
type Raw = { ok: true; value: unknown } | { ok: false; error: AppError };

async function parseWith(
  parse: BodyTypes[string],
  bytes: Uint8Array,
  c: HttpContext,
): Promise<Raw> {
  try {
    return { ok: true, value: await parse(bytes, c) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refuse(error);
  }
}

function parseJson(bytes: Uint8Array, type: string): Raw {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  try {
    return { ok: true, value: BLANK.test(text) ? {} : JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuse(refusalOfText(text, type));
  }
}

/** The content types of HTML forms. */
const FORM_TYPES = new Set(["application/x-www-form-urlencoded", "multipart/form-data"]);

/** True for an empty body and for JSON, which curl posts as a form; no form begins like that. */
function isLikeJson(body: Uint8Array): boolean {
  const first = body.find((byte) => byte > 0x20);
  return first === undefined || '{["'.includes(String.fromCharCode(first));
}

/**
 * Returns the error for a text that is not JSON. curl also names the type of a form for JSON, so
 * only a text that does not begin like JSON counts as a form.
 */
function refusalOfText(text: string, type: string): AppError {
  const { line, column } = findJsonFault(text);
  if (FORM_TYPES.has(type) && line === 1 && column === 1) return refusal("body_is_form", {});
  return refusal("body_not_json", { line, column });
}

const BLANK = /^[ \t\r\n]*$/;

const NOTHING = new Uint8Array();

/**
 * Returns the body of a route without a schema. Its type is arbitrary, because no handler uses it.
 */
export function noBody<Body>(): IncomingBody<Body> {
  const early: Parsed<Body> = {
    ok: true,
    value: undefined as Body,
    bytes: NOTHING,
    unknown: [],
  };
  return { early, finish: async () => early, end: () => {} };
}
