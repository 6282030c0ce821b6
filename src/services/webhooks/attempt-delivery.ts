/*
 * One attempt to deliver an event to a customer's endpoint: HTTP POST as in API reference §15.4.
 * Any 2xx is a success.
 *
 * The endpoint is not trustworthy. It may hang at any point, redirect into our network, or answer
 * endlessly, byte by byte or with control characters. A single timeout of 10 s covers connection,
 * headers and body. The attempt follows no redirect and reads 4 KiB of the body. It checks the URL
 * each time, because a URL that was allowed at its creation may be forbidden now.
 */
import type { Deps } from "../../deps.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { PRODUCT } from "../../lib/product.ts";
import { checkUrl } from "../../mail/net/host-guard.ts";
import { readAnswer, type EndpointAnswer } from "./read-answer.ts";
import type { WebhookRow } from "./queries.ts";
import { resendPayload, svixHeaders } from "./resend-format.ts";
import type { Signer } from "./sign.ts";
import { cutText } from "../../lib/cut-text.ts";

/**
 * The maximum number of characters of an endpoint's response in an error, and of any text about an
 * attempt.
 */
const MAX_EXCERPT_CHARACTERS = 120;
const MAX_ERROR_CHARACTERS = 255;

/** Statuses that redirect (RFC 9110 §15.4). */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const USER_AGENT = `Postrider/${PRODUCT.version}`;

/**
 * The URL, the signature and the format of an attempt. `signer` is undefined if the secret cannot be
 * decrypted.
 */
export interface Target {
  url: string;
  signer: Signer | undefined;
  format: WebhookRow["format"];
}

export interface DueDelivery {
  id: string;
  eventId: string;
  eventType: string;
  payload: string;
}

/**
 * The result of an attempt. `statusCode` and `answer` are null if there was no response. `ranOut`
 * is true if the attempt timed out, even if a 2xx came first.
 */
export type AttemptResult = {
  statusCode: number | null;
  answer: EndpointAnswer | null;
  ranOut: boolean;
} & ({ kind: "delivered" } | { kind: "failed"; error: string });

/** Makes one attempt of at most `timeoutMs`. Never throws. */
export async function attemptDelivery(
  deps: Deps,
  { url, signer, format }: Target,
  delivery: DueDelivery,
  timeoutMs: number,
): Promise<AttemptResult> {
  const checked = checkUrl(url, { allowPrivate: deps.config.allowPrivateTargets });
  if (!checked.ok) return failed(`the URL is not allowed: ${checked.reason.message}`);
  if (!signer) return failed("the webhook's secret cannot be decrypted: create a new webhook");
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const body = format === "resend" ? resendPayload(delivery.payload) : delivery.payload;
    const signed = await signer({ id: delivery.eventId, body }, deps.now());
    const response = await deps.fetch(checked.url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "X-Service-Event": delivery.eventType,
        "X-Service-Delivery": delivery.id,
        ...(format === "resend" ? svixHeaders(signed) : signed),
      },
      body,
      redirect: "manual",
      signal: timeout,
    });
    return judgeAnswer(response, await readAnswer(response.body), timeout.aborted);
  } catch (error) {
    if (timeout.aborted) return failed(`no answer within ${timeoutMs / 1_000} s`, true);
    // The runtime's text ("internal error; reference = …") helps the operator, but not the
    // customer.
    logLine("warn", "webhook_unreachable", { deliveryId: delivery.id, error: errorText(error) });
    return failed("the host could not be reached");
  }
}

const failed = (error: string, ranOut = false): AttemptResult => ({
  kind: "failed",
  statusCode: null,
  answer: null,
  error: oneLine(error, MAX_ERROR_CHARACTERS),
  ranOut,
});

/** Judges a response by its status. A body that breaks off or never ends makes no difference. */
function judgeAnswer(
  { status, ok }: Response,
  answer: EndpointAnswer,
  ranOut: boolean,
): AttemptResult {
  if (ok) return { kind: "delivered", statusCode: status, answer, ranOut };
  const excerpt = answer.isComplete ? oneLine(answer.body, MAX_EXCERPT_CHARACTERS) : "";
  const words = REDIRECTS.has(status)
    ? `the endpoint answered ${status}: redirects are not followed`
    : `the endpoint answered ${status}${excerpt === "" ? "" : `: ${excerpt}`}`;
  return { kind: "failed", statusCode: status, answer, error: words, ranOut };
}

/**
 * Returns a text without control and format characters, as one line of at most this many UTF-16
 * code units.
 */
function oneLine(text: string, maxCharacters: number): string {
  const line = text.replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim();
  return cutText(line, maxCharacters);
}
