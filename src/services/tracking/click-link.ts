import type { Deps } from "../../deps.ts";
import { fromBase64Url, toBase64Url } from "../../lib/encoding.ts";
import { isBareTextMac, isTextMac, signText } from "./link-mac.ts";
import { isLogId } from "./tracking-event.ts";

/**
 * Returns the text under the signature: the log id and the URL as it stands in the link. So a token
 * holds for that link of that mail alone, in the one spelling that was mailed.
 */
const signedText = (logId: string, encodedUrl: string) => `${logId}.${encodedUrl}`;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/**
 * Returns the tracked address of a link: `<base>/c/<logId>/<base64url URL>.<base64url
 * HMAC-SHA256>`.
 */
export async function clickLink(deps: Deps, logId: string, url: string): Promise<string> {
  const encodedUrl = toBase64Url(encoder.encode(url));
  const mac = await signText(deps, "click", signedText(logId, encodedUrl));
  return `${deps.config.baseUrl}/c/${logId}/${encodedUrl}.${mac}`;
}

export type ClickTarget = { ok: true; url: string } | { ok: false };

/**
 * Reads the payload of a tracked link. Tokens made with the previous JWT_SECRET still hold, and so
 * do those of the first version, which signed no purpose. A log id is a UUID, so the text that they
 * signed begins with one and never looks like a text that begins with a purpose.
 */
export async function openClickPayload(
  deps: Deps,
  logId: string,
  payload: string,
): Promise<ClickTarget> {
  const [encodedUrl = "", mac = "", ...rest] = payload.split(".");
  const text = signedText(logId, encodedUrl);
  const isSigned =
    rest.length === 0 &&
    isLogId(logId) &&
    ((await isTextMac(deps, "click", text, mac)) || (await isBareTextMac(deps, text, mac)));
  if (!isSigned) return { ok: false };
  const bytes = fromBase64Url(encodedUrl);
  return bytes.ok ? { ok: true, url: decoder.decode(bytes.bytes) } : { ok: false };
}

/** Returns the address of a mail's open pixel. */
export function pixelUrl(deps: Deps, logId: string): string {
  return `${deps.config.baseUrl}/t/${logId}.gif`;
}

/** Returns the address that unsubscribes a subscriber, by a mail of a broadcast or another one. */
export function unsubscribeUrl(
  deps: Deps,
  projectId: string,
  subscriberId: string,
  broadcastId?: string,
): string {
  const ids = [projectId, subscriberId, ...(broadcastId === undefined ? [] : [broadcastId])];
  return `${deps.config.baseUrl}/unsubscribe/${ids.join("/")}`;
}
