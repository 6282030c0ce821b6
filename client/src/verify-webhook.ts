import { PostriderError } from "./errors.ts";

/** The body of a webhook. */
export interface WebhookEvent {
  id: string;
  type: string;
  created_at: string;
  project_id: string;
  data: Record<string, unknown>;
}

/** The headers of a request: `Headers`, or an object with names in lower case, as in Node. */
export type WebhookHeaders = HeaderReader | Record<string, string | string[] | undefined>;
type HeaderReader = { get: (name: string) => string | null };

const utf8 = new TextEncoder();
const HMAC = { name: "HMAC", hash: "SHA-256" };

const invalid = (message: string) => new PostriderError(message, "invalid_webhook");

/** A signature as a request has it: one of the codes must be that of the text. */
interface Signature {
  time: string;
  codes: Uint8Array<ArrayBuffer>[];
  text: string;
  key: Uint8Array<ArrayBuffer>;
}

/**
 * Returns the event of a webhook after verifying the signature in its headers: that of Standard
 * Webhooks, or else `X-Service-Signature`, which may also be given as `signature`. `body` is the raw
 * text, before any parsing. Throws PostriderError (`invalid_webhook`) for a wrong signature, and for
 * a timestamp that is more than `toleranceSeconds` off.
 */
export async function verifyWebhook(
  given: {
    body: string;
    secret: string;
    toleranceSeconds?: number;
    now?: () => number;
  } & ({ headers: WebhookHeaders } | { signature: string | null | undefined }),
): Promise<WebhookEvent> {
  const { body, toleranceSeconds = 300, now = Date.now } = given;
  const signature =
    "headers" in given ? readHeaders(given.headers, given) : readOwn(given.signature, given);
  if (!signature) throw invalid("the signature is missing or malformed");
  const { time, codes, text, key } = signature;
  const imported = await crypto.subtle.importKey("raw", key, HMAC, false, ["verify"]);
  // verify() compares in constant time
  const checks = codes.map((code) =>
    crypto.subtle.verify("HMAC", imported, code, utf8.encode(text)),
  );
  if (!(await Promise.all(checks)).includes(true)) throw invalid("the signature is wrong");
  if (Math.abs(now() / 1000 - Number(time)) > toleranceSeconds)
    throw invalid("the signature is too old");
  return JSON.parse(body);
}

type Signed = { body: string; secret: string };

const isReader = (headers: WebhookHeaders): headers is HeaderReader =>
  typeof headers.get === "function";

function readHeaders(headers: WebhookHeaders, signed: Signed): Signature | undefined {
  const read = (name: string) => {
    const value = isReader(headers) ? headers.get(name) : headers[name];
    return typeof value === "string" ? value : "";
  };
  const list = read("webhook-signature");
  if (list === "") return readOwn(read("x-service-signature"), signed);
  const [id, time] = [read("webhook-id"), read("webhook-timestamp")];
  const key = fromBase64(signed.secret.replace(/^whsec_/, ""));
  const codes = list.split(" ").flatMap((code) => {
    const bytes = code.startsWith("v1,") ? fromBase64(code.slice(3)) : undefined;
    return bytes ? [bytes] : [];
  });
  if (!/^\d{1,12}$/.test(time) || !key) return undefined;
  return { time, codes, text: `${id}.${time}.${signed.body}`, key };
}

/** Reads an `X-Service-Signature`. */
function readOwn(
  signature: string | null | undefined,
  { body, secret }: Signed,
): Signature | undefined {
  const [, time, code] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature ?? "") ?? [];
  if (time === undefined || code === undefined) return undefined;
  const bytes = Uint8Array.from(code.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return {
    time,
    codes: [bytes],
    text: `${time}.${body}`,
    key: new Uint8Array(utf8.encode(secret)),
  };
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const decoded = atob(text);
    const bytes = new Uint8Array(decoded.length);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = decoded.charCodeAt(at);
    return bytes;
  } catch {
    return undefined; // anything can be in a header
  }
}
