import type { Deps } from "../../deps.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { WELCOMES, type Welcome } from "../subscribers/index.ts";
import { addressMarkOf, linkToken, openLinkToken } from "./link-token.ts";

const CONFIRMATION_LIFE_MS = 7 * DAY_MS;

/** The link in a confirmation mail. */
export interface ConfirmationLink {
  projectId: string;
  subscriberId: string;
  /** A mark of the recipient's address. */
  addressMark: string;
  /** When the mail was composed, in milliseconds. */
  mailedAt: number;
  isExpired: boolean;
  welcome: Welcome;
}

/** Returns the URL at which a subscriber confirms (API reference §13.6). */
export async function confirmationUrl(
  deps: Deps,
  projectId: string,
  subscriber: { id: string; email: string },
  welcome: Welcome,
): Promise<string> {
  const token = await linkToken(deps, "confirm", {
    projectId,
    subscriberId: subscriber.id,
    addressMark: addressMarkOf(subscriber.id, subscriber.email),
    ids: [],
    numbers: [deps.now() + CONFIRMATION_LIFE_MS, WELCOMES.indexOf(welcome)],
  });
  return `${deps.config.baseUrl}/confirm/${token}`;
}

/** Reads the token of such a URL; undefined if it is forged. */
export async function openConfirmationLink(
  deps: Deps,
  token: string,
): Promise<ConfirmationLink | undefined> {
  const facts = await openLinkToken(deps, "confirm", token, { ids: 0, numbers: 2 });
  if (!facts) return undefined;
  const { projectId, subscriberId, addressMark, numbers } = facts;
  const [expiresAt = 0, welcome = 0] = numbers;
  return {
    projectId,
    subscriberId,
    addressMark,
    mailedAt: expiresAt - CONFIRMATION_LIFE_MS,
    isExpired: expiresAt <= deps.now(),
    welcome: WELCOMES[welcome] ?? "none",
  };
}
