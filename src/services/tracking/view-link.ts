import type { Deps } from "../../deps.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { NIL_UUID } from "../../lib/ids.ts";
import { addressMarkOf, linkToken, openLinkToken } from "./link-token.ts";

const VIEW_LIFE_MS = 90 * DAY_MS;

const PATH = "/view/";

/** The mail that a link shows in the browser. */
export interface ViewedMail {
  broadcastId: string;
  /** The variant of an A/B test; null without one. */
  variant: number | null;
}

/** The link in a mail of a broadcast that shows the mail in the browser. */
export interface ViewLink extends ViewedMail {
  projectId: string;
  subscriberId: string;
  /** A mark of the recipient's address. */
  addressMark: string;
  isExpired: boolean;
  /** True for the link in a test or a preview, which no recipient has. */
  isTest: boolean;
}

/** Returns the URL at which a recipient sees their mail in the browser (API reference §13.9). */
export async function viewUrl(
  deps: Deps,
  projectId: string,
  subscriber: { id: string; email: string },
  { broadcastId, variant }: ViewedMail,
): Promise<string> {
  const token = await linkToken(deps, "view", {
    projectId,
    subscriberId: subscriber.id,
    addressMark: addressMarkOf(subscriber.id, subscriber.email),
    ids: [broadcastId],
    numbers: [deps.now() + VIEW_LIFE_MS, variant === null ? 0 : variant + 1],
  });
  return `${deps.config.baseUrl}${PATH}${token}`;
}

/** Returns the URL of a test or a preview, whose page only says what it is. */
export const testViewUrl = (deps: Deps, projectId: string): Promise<string> =>
  viewUrl(deps, projectId, { id: NIL_UUID, email: "" }, { broadcastId: NIL_UUID, variant: null });

/** Returns true for a URL of `viewUrl`, which no visit records. */
export const isViewUrl = ({ config }: Deps, url: string): boolean =>
  url.startsWith(config.baseUrl + PATH);

/** Reads the token of such a URL; undefined if it is forged. */
export async function openViewLink(deps: Deps, token: string): Promise<ViewLink | undefined> {
  const facts = await openLinkToken(deps, "view", token, { ids: 1, numbers: 2 });
  if (!facts) return undefined;
  const { projectId, subscriberId, addressMark, ids, numbers } = facts;
  const [broadcastId = ""] = ids;
  const [expiresAt = 0, variant = 0] = numbers;
  return {
    projectId,
    subscriberId,
    addressMark,
    broadcastId,
    variant: variant === 0 ? null : variant - 1,
    isExpired: expiresAt <= deps.now(),
    isTest: subscriberId === NIL_UUID,
  };
}
