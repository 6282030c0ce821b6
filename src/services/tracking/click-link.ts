import { Buffer } from "node:buffer";
import type { Deps } from "../../deps.ts";
import { fromBase64Url, toBase64Url, toHex } from "../../lib/encoding.ts";
import { uuidOfHex } from "../../lib/ids.ts";
import { isTextMac, signText } from "./link-mac.ts";
import { isLogId } from "./tracking-event.ts";

/** The mail that a link is in. */
export interface LinkedMail {
  projectId: string;
  logId: string;
}

/** The characters of an HMAC-SHA256 in base64url. */
const MAC_LENGTH = 43;

/**
 * Returns the signed text: the project, the log id, and the URL and tag as encoded in the link. A
 * token is therefore valid only for that link of that mail, in the exact spelling that was sent.
 */
const signedText = (project: string, logId: string, encoded: string) =>
  `${project}/${logId}.${encoded}`;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/**
 * Returns the tracked URL of a link: `<base>/c/<logId>/<base64url URL>.<token>`. The token is the
 * project id and the HMAC-SHA256, each in base64url. A tag, which a person's click adds to the
 * subscriber, precedes the token in base64url.
 */
export async function clickLink(
  deps: Deps,
  { projectId, logId }: LinkedMail,
  url: string,
  tag?: string,
): Promise<string> {
  const encoded = [url, ...(tag === undefined ? [] : [tag])]
    .map((text) => toBase64Url(encoder.encode(text)))
    .join(".");
  const project = Buffer.from(projectId.replaceAll("-", ""), "hex").toString("base64url");
  const mac = await signText(deps, "click", signedText(project, logId, encoded));
  return `${deps.config.baseUrl}/c/${logId}/${encoded}.${project}${mac}`;
}

export type ClickTarget =
  | { ok: true; url: string; tag?: string; projectId: string }
  | { ok: false };

/**
 * Reads the payload of a tracked link. Tokens made with the previous JWT_SECRET are still valid.
 */
export async function openClickPayload(
  deps: Deps,
  logId: string,
  payload: string,
): Promise<ClickTarget> {
  const parts = payload.split(".");
  const token = parts.pop() ?? "";
  const [project, mac] = [token.slice(0, -MAC_LENGTH), token.slice(-MAC_LENGTH)];
  const [encodedUrl = "", encodedTag] = parts;
  const text = signedText(project, logId, parts.join("."));
  const isSigned =
    parts.length <= 2 && isLogId(logId) && (await isTextMac(deps, "click", text, mac));
  if (!isSigned) return { ok: false };
  const [url, tag] = [decoded(encodedUrl), decoded(encodedTag ?? "")];
  if (url === undefined || tag === undefined) return { ok: false };
  return {
    ok: true,
    url,
    ...(encodedTag === undefined ? {} : { tag }),
    projectId: uuidOfHex(toHex(Buffer.from(project, "base64url"))),
  };
}

function decoded(text: string): string | undefined {
  const bytes = fromBase64Url(text);
  return bytes.ok ? decoder.decode(bytes.bytes) : undefined;
}

/** Returns the URL of a mail's open pixel. */
export function pixelUrl(deps: Deps, logId: string): string {
  return `${deps.config.baseUrl}/t/${logId}.gif`;
}

/** Returns the URL that unsubscribes a subscriber, for a mail of a broadcast or another one. */
export function unsubscribeUrl(
  deps: Deps,
  projectId: string,
  subscriberId: string,
  broadcastId?: string,
): string {
  const ids = [projectId, subscriberId, ...(broadcastId === undefined ? [] : [broadcastId])];
  return `${deps.config.baseUrl}/unsubscribe/${ids.join("/")}`;
}
