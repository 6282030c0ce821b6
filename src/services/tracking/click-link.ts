import type { App } from "../../app.ts";
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
export async function clickLink(app: App, logId: string, url: string): Promise<string> {
  const encodedUrl = toBase64Url(encoder.encode(url));
  const mac = await signText(app, "click", signedText(logId, encodedUrl));
  return `${app.config.baseUrl}/c/${logId}/${encodedUrl}.${mac}`;
}

export type ClickTarget = { ok: true; url: string } | { ok: false };

/**
 * Reads the payload of a tracked link. Tokens made with the previous JWT_SECRET still hold, and so
 * do those of the first version, which signed no purpose. A log id is a UUID, so the text that they
 * signed begins with one and never looks like a text that begins with a purpose.
 */
export async function openClickPayload(
  app: App,
  logId: string,
  payload: string,
): Promise<ClickTarget> {
  const [encodedUrl = "", mac = "", ...rest] = payload.split(".");
  const text = signedText(logId, encodedUrl);
  const isSigned =
    rest.length === 0 &&
    isLogId(logId) &&
    ((await isTextMac(app, "click", text, mac)) || (await isBareTextMac(app, text, mac)));
  if (!isSigned) return { ok: false };
  const bytes = fromBase64Url(encodedUrl);
  return bytes.ok ? { ok: true, url: decoder.decode(bytes.bytes) } : { ok: false };
}

/** Returns the address of a mail's open pixel. */
export function pixelUrl(app: App, logId: string): string {
  return `${app.config.baseUrl}/t/${logId}.gif`;
}

/** Returns the address that unsubscribes a subscriber. */
export function unsubscribeUrl(app: App, projectId: string, subscriberId: string): string {
  return `${app.config.baseUrl}/unsubscribe/${projectId}/${subscriberId}`;
}
