import type { Deps } from "../../deps.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import { addressMarkOf, linkToken, openLinkToken } from "./link-token.ts";

/** The lifetime of the link to the stored data. */
const DATA_LIFE_MS = HOUR_MS;

/** The link in the mail that a reader requested. */
interface DataLink {
  projectId: string;
  subscriberId: string;
  /** A mark of the recipient's address. */
  addressMark: string;
  isExpired: boolean;
}

/** Returns the URL at which subscribers download their data (API reference §13.5). */
export async function dataUrl(
  deps: Deps,
  projectId: string,
  subscriber: { id: string; email: string },
): Promise<string> {
  const token = await linkToken(deps, "data", {
    projectId,
    subscriberId: subscriber.id,
    addressMark: addressMarkOf(subscriber.id, subscriber.email),
    ids: [],
    numbers: [deps.now() + DATA_LIFE_MS],
  });
  return `${deps.config.baseUrl}/preferences/${token}/data`;
}

/** Reads the token of such a URL; undefined if it is forged. */
export async function openDataLink(deps: Deps, token: string): Promise<DataLink | undefined> {
  const facts = await openLinkToken(deps, "data", token, { ids: 0, numbers: 1 });
  if (!facts) return undefined;
  const { projectId, subscriberId, addressMark, numbers } = facts;
  const [expiresAt = 0] = numbers;
  return { projectId, subscriberId, addressMark, isExpired: expiresAt <= deps.now() };
}
