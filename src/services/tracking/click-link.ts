import type { Deps } from "../../deps.ts";
import { fromBase64Url, toBase64Url } from "../../lib/encoding.ts";
import { isBareTextMac, isTextMac, signText } from "./link-mac.ts";
import { isLogId } from "./tracking-event.ts";

/**
 * Returns the text under the signature: the log id, and the URL and the tag as they stand in the
 * link. So a token is valid for that link of that mail alone, in the one spelling that was mailed.
 */
const signedText = (logId: string, encoded: string) => `${logId}.${encoded}`;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/**
 * Returns the tracked address of a link: `<base>/c/<logId>/<base64url URL>.<base64url
 * HMAC-SHA256>`. A tag stands in base64url between the two, and a person's click adds it.
 */
export async function clickLink(
  deps: Deps,
  logId: string,
  url: string,
  tag?: string,
): Promise<string> {
  const encoded = [url, ...(tag === undefined ? [] : [tag])]
    .map((text) => toBase64Url(encoder.encode(text)))
    .join(".");
  const mac = await signText(deps, "click", signedText(logId, encoded));
  return `${deps.config.baseUrl}/c/${logId}/${encoded}.${mac}`;
}

export type ClickTarget = { ok: true; url: string; tag?: string } | { ok: false };

/**
 * Reads the payload of a tracked link. Tokens made with the previous JWT_SECRET are still valid,
 * and so are those of the first version, which signed no purpose. A log id is a UUID, so the text
 * that they signed begins with one and never looks like a text that begins with a purpose.
 */
export async function openClickPayload(
  deps: Deps,
  logId: string,
  payload: string,
): Promise<ClickTarget> {
  const parts = payload.split(".");
  const mac = parts.pop() ?? "";
  const [encodedUrl = "", encodedTag] = parts;
  const text = signedText(logId, parts.join("."));
  const isSigned =
    parts.length <= 2 &&
    isLogId(logId) &&
    ((await isTextMac(deps, "click", text, mac)) || (await isBareTextMac(deps, text, mac)));
  if (!isSigned) return { ok: false };
  const [url, tag] = [decoded(encodedUrl), decoded(encodedTag ?? "")];
  if (url === undefined || tag === undefined) return { ok: false };
  return { ok: true, url, ...(encodedTag === undefined ? {} : { tag }) };
}

function decoded(text: string): string | undefined {
  const bytes = fromBase64Url(text);
  return bytes.ok ? decoder.decode(bytes.bytes) : undefined;
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
