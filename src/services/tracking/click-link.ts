import type { App } from "../../app.ts";
import { fromBase64Url, toBase64Url } from "../../lib/encoding.ts";

const HMAC = { name: "HMAC", hash: "SHA-256" };

/** Imported keys are kept for the isolate's life: importing costs more than signing. */
const keys = new Map<string, Promise<CryptoKey>>();

function keyOf(secret: string): Promise<CryptoKey> {
  const known =
    keys.get(secret) ??
    crypto.subtle.importKey("raw", new TextEncoder().encode(secret), HMAC, false, [
      "sign",
      "verify",
    ]);
  keys.set(secret, known);
  return known;
}

/** What is signed: the log id and the URL, so that a token is good for that link of that mail alone. */
const signedText = (logId: string, url: string) => new TextEncoder().encode(`${logId}.${url}`);

/** The tracked address of a link: `<base>/c/<logId>/<base64url URL>.<base64url HMAC-SHA256>`. */
export async function clickLink(app: App, logId: string, url: string): Promise<string> {
  const { baseUrl, linkSecrets } = app.config;
  const key = await keyOf(linkSecrets.current);
  const mac = await crypto.subtle.sign(HMAC, key, signedText(logId, url));
  const payload = `${toBase64Url(new TextEncoder().encode(url))}.${toBase64Url(new Uint8Array(mac))}`;
  return `${baseUrl}/c/${logId}/${payload}`;
}

export type ClickTarget = { ok: true; url: string } | { ok: false };

/** Reads the payload of a tracked link; tokens made with the previous JWT_SECRET still hold. */
export async function openClickPayload(
  app: App,
  logId: string,
  payload: string,
): Promise<ClickTarget> {
  const [encodedUrl = "", encodedMac = "", ...rest] = payload.split(".");
  const bytes = fromBase64Url(encodedUrl);
  const mac = fromBase64Url(encodedMac);
  if (!bytes.ok || !mac.ok || rest.length > 0) return { ok: false };
  const url = new TextDecoder().decode(bytes.bytes);
  const { current, previous } = app.config.linkSecrets;
  for (const secret of previous === undefined ? [current] : [current, previous]) {
    const key = await keyOf(secret);
    if (await crypto.subtle.verify(HMAC, key, mac.bytes, signedText(logId, url)))
      return { ok: true, url };
  }
  return { ok: false };
}

/** The address of the open pixel of a mail. */
export function pixelUrl(app: App, logId: string): string {
  return `${app.config.baseUrl}/t/${logId}.gif`;
}

/** The address that unsubscribes a subscriber. */
export function unsubscribeUrl(app: App, projectId: string, subscriberId: string): string {
  return `${app.config.baseUrl}/unsubscribe/${projectId}/${subscriberId}`;
}
