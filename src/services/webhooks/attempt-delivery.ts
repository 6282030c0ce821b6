/*
 * One attempt to hand an event to a customer's endpoint: HTTP POST as in API reference §15.4. Success
 * is any 2xx.
 *
 * The endpoint is not trusted: it may hang at any point, redirect into our network, answer without end
 * or drop by drop, or with control characters. One clock of 10 s runs over connecting, headers and body;
 * redirects are not followed; 4 KiB of the body are read, and one short line of it is kept. The URL is
 * judged before each attempt: what was allowed when it was saved may not be any more.
 */
import type { App } from "../../app.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { PRODUCT } from "../../lib/product.ts";
import { readLimited } from "../../lib/read-limited.ts";
import { checkUrl } from "../../mail/net/host-guard.ts";
import type { Signer } from "./sign.ts";

const MAX_BODY_BYTES = 4_096;

/** What is kept of an endpoint's words, and of all words about an attempt. */
const MAX_EXCERPT_CHARACTERS = 120;
const MAX_ERROR_CHARACTERS = 255;

/** Answers that tell to ask elsewhere (RFC 9110 §15.4). */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const USER_AGENT = `Postrider/${PRODUCT.version}`;

/** Where to, and how it is signed; `signer` is undefined when the secret does not open. */
export interface Target {
  url: string;
  signer: Signer | undefined;
}

/** What is sent. */
export interface DueDelivery {
  id: string;
  eventType: string;
  payload: string;
}

/**
 * What came of an attempt. `statusCode` is null without an answer; `ranOut` tells that the time was used
 * up, also when a 2xx came before that.
 */
export type AttemptResult = { statusCode: number | null; ranOut: boolean } & (
  | { kind: "delivered" }
  | { kind: "failed"; error: string }
);

/** Makes one attempt of at most `timeoutMs`. Never throws. */
export async function attemptDelivery(
  app: App,
  { url, signer }: Target,
  delivery: DueDelivery,
  timeoutMs: number,
): Promise<AttemptResult> {
  const checked = checkUrl(url, { allowPrivate: app.config.allowPrivateTargets });
  if (!checked.ok) return failed(`the URL is not allowed: ${checked.reason}`);
  if (!signer) return failed("the webhook's secret cannot be opened: create the webhook anew");
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await app.fetch(checked.url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "X-Service-Signature": await signer(delivery.payload, app.now()),
        "X-Service-Event": delivery.eventType,
        "X-Service-Delivery": delivery.id,
      },
      body: delivery.payload,
      redirect: "manual",
      signal: timeout,
    });
    const excerpt = await readExcerpt(response);
    return judgeAnswer(response, excerpt, timeout.aborted);
  } catch (error) {
    if (timeout.aborted) return failed(`no answer within ${timeoutMs / 1_000} s`, true);
    // The runtime's words ("internal error; reference = …") tell an operator something, a customer nothing.
    logLine("warn", "webhook_unreachable", { deliveryId: delivery.id, error: errorText(error) });
    return failed("the host could not be reached");
  }
}

const failed = (error: string, ranOut = false): AttemptResult => ({
  kind: "failed",
  statusCode: null,
  error: oneLine(error, MAX_ERROR_CHARACTERS),
  ranOut,
});

/** The status decides; a body that breaks off or never ends changes nothing about it. */
function judgeAnswer({ status, ok }: Response, excerpt: string, ranOut: boolean): AttemptResult {
  if (ok) return { kind: "delivered", statusCode: status, ranOut };
  const words = REDIRECTS.has(status)
    ? `the endpoint answered ${status}: redirects are not followed`
    : `the endpoint answered ${status}${excerpt === "" ? "" : `: ${excerpt}`}`;
  return { kind: "failed", statusCode: status, error: words, ranOut };
}

/** The beginning of a short body as one line; "" for one that is long or breaks off. */
async function readExcerpt({ body }: Response): Promise<string> {
  try {
    const read = await readLimited(body, MAX_BODY_BYTES);
    return read.ok ? oneLine(new TextDecoder().decode(read.bytes), MAX_EXCERPT_CHARACTERS) : "";
  } catch {
    return ""; // the time ran out or the connection broke: the status has been given
  }
}

/** Text without control and format characters, in one line of at most so many UTF-16 units. */
function oneLine(text: string, maxCharacters: number): string {
  const line = text.replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim();
  return line.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, "");
}
