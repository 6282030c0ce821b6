import type { Deps } from "../../deps.ts";
import { fromBase64Url, toBase64Url } from "../../lib/encoding.ts";
import { parseEmailAddress, type EmailAddress } from "../../mail/address.ts";
import { isTextMac, signText } from "./link-mac.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const signedText = (projectId: string, encoded: string) => `${projectId}.${encoded}`;

/**
 * Returns the link with which an address that is not a subscriber's unsubscribes (API reference
 * §13.4).
 */
export async function addressUnsubscribeUrl(
  deps: Deps,
  projectId: string,
  address: EmailAddress,
): Promise<string> {
  const encoded = toBase64Url(encoder.encode(address));
  const mac = await signText(deps, "unsubscribe", signedText(projectId, encoded));
  return `${deps.config.baseUrl}/unsubscribe/${projectId}/${encoded}.${mac}`;
}

/** Reads the token of such a link; undefined for a forged one. */
export async function openAddressToken(
  deps: Deps,
  projectId: string,
  token: string,
): Promise<EmailAddress | undefined> {
  const [encoded = "", mac = "", ...rest] = token.split(".");
  const bytes = fromBase64Url(encoded);
  if (rest.length > 0 || !bytes.ok) return undefined;
  if (!(await isTextMac(deps, "unsubscribe", signedText(projectId, encoded), mac)))
    return undefined;
  const address = parseEmailAddress(decoder.decode(bytes.bytes));
  return address.ok ? address.address : undefined;
}
