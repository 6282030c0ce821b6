import { PostriderError } from "./errors.ts";

/** The body of a webhook. */
export interface WebhookEvent {
  id: string;
  type: string;
  created_at: string;
  project_id: string;
  data: Record<string, unknown>;
}

const utf8 = new TextEncoder();
const HMAC = { name: "HMAC", hash: "SHA-256" };

const invalid = (message: string) => new PostriderError(message, "invalid_webhook");

/**
 * Returns the event of a webhook after verifying its `X-Service-Signature`. `body` is the raw text,
 * before any parsing. Throws PostriderError (`invalid_webhook`) for a wrong signature, and for a
 * timestamp that is more than `toleranceSeconds` off.
 */
export async function verifyWebhook(given: {
  body: string;
  signature: string | null | undefined;
  secret: string;
  toleranceSeconds?: number;
  now?: () => number;
}): Promise<WebhookEvent> {
  const { body, signature, secret, toleranceSeconds = 300, now = Date.now } = given;
  const [, time = "", mac = ""] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature ?? "") ?? [];
  if (mac === "") throw invalid("the signature is missing or malformed");
  const bytes = Uint8Array.from(mac.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const key = await crypto.subtle.importKey("raw", utf8.encode(secret), HMAC, false, ["verify"]);
  // verify() compares in constant time
  if (!(await crypto.subtle.verify("HMAC", key, bytes, utf8.encode(`${time}.${body}`))))
    throw invalid("the signature is wrong");
  if (Math.abs(now() / 1000 - Number(time)) > toleranceSeconds)
    throw invalid("the signature is too old");
  return JSON.parse(body);
}
