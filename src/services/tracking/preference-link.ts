import type { Deps } from "../../deps.ts";
import { NIL_UUID } from "../../lib/ids.ts";
import { addressMarkOf, linkToken, openLinkToken } from "./link-token.ts";

/** The preferences link in a mail of a topic, or of a broadcast that was a draft. */
export interface PreferenceLink {
  projectId: string;
  subscriberId: string;
  /** A mark of the recipient's address. */
  addressMark: string;
  /** The topic of the mail, if it has one. */
  topicId: string | null;
  /** `NIL_UUID` in a mail of no broadcast. */
  broadcastId: string;
}

/** Returns the URL of a reader's preferences (API reference §13.5). */
export async function preferencesUrl(
  deps: Deps,
  projectId: string,
  subscriber: { id: string; email: string },
  { topicId, broadcastId }: { topicId: string | null; broadcastId: string | null },
): Promise<string> {
  const token = await linkToken(deps, "preferences", {
    projectId,
    subscriberId: subscriber.id,
    addressMark: addressMarkOf(subscriber.id, subscriber.email),
    ids: [topicId ?? NIL_UUID, broadcastId ?? NIL_UUID],
    numbers: [deps.now()], // unused, but required to keep links in earlier mails valid
  });
  return `${deps.config.baseUrl}/preferences/${token}`;
}

/** Reads the token of such a URL; undefined if it is forged. */
export async function openPreferenceLink(
  deps: Deps,
  token: string,
): Promise<PreferenceLink | undefined> {
  const facts = await openLinkToken(deps, "preferences", token, { ids: 2, numbers: 1 });
  if (!facts) return undefined;
  const { ids, projectId, subscriberId, addressMark } = facts;
  const [topicId = "", broadcastId = ""] = ids;
  return {
    projectId,
    subscriberId,
    addressMark,
    topicId: topicId === NIL_UUID ? null : topicId,
    broadcastId,
  };
}
