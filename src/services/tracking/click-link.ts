import type { App } from "../../app.ts";
import { fromBase64Url, toBase64Url } from "../../lib/encoding.ts";
import { isTextMac, signText } from "./link-mac.ts";

/** What is signed: the log id and the URL, so that a token is good for that link of that mail alone. */
const signedText = (logId: string, url: string) => `${logId}.${url}`;

const UTF_8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** The tracked address of a link: `<base>/c/<logId>/<base64url URL>.<base64url HMAC-SHA256>`. */
export async function clickLink(app: App, logId: string, url: string): Promise<string> {
  const mac = await signText(app, signedText(logId, url));
  const payload = `${toBase64Url(new TextEncoder().encode(url))}.${mac}`;
  return `${app.config.baseUrl}/c/${logId}/${payload}`;
}

export type ClickTarget = { ok: true; url: string } | { ok: false };

/** Reads the payload of a tracked link; tokens made with the previous JWT_SECRET still hold. */
export async function openClickPayload(
  app: App,
  logId: string,
  payload: string,
): Promise<ClickTarget> {
  const [encodedUrl = "", mac = "", ...rest] = payload.split(".");
  const bytes = fromBase64Url(encodedUrl);
  if (!bytes.ok || rest.length > 0) return { ok: false };
  const url = UTF_8.decode(bytes.bytes);
  // Other spellings of the same URL were never mailed.
  if (toBase64Url(new TextEncoder().encode(url)) !== encodedUrl) return { ok: false };
  return (await isTextMac(app, signedText(logId, url), mac)) ? { ok: true, url } : { ok: false };
}

/** The address of the open pixel of a mail. */
export function pixelUrl(app: App, logId: string): string {
  return `${app.config.baseUrl}/t/${logId}.gif`;
}

/** The address that unsubscribes a subscriber. */
export function unsubscribeUrl(app: App, projectId: string, subscriberId: string): string {
  return `${app.config.baseUrl}/unsubscribe/${projectId}/${subscriberId}`;
}
