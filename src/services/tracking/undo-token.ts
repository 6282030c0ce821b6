import type { Deps } from "../../deps.ts";
import { isTextMac, signText } from "./link-mac.ts";

/** An unsubscribe through the link of a mail; `at` is the subscriber's `unsubscribed_at`. */
export interface Unsubscription {
  projectId: string;
  subscriberId: string;
  at: number;
}

const signedText = ({ projectId, subscriberId, at }: Unsubscription) =>
  `${projectId}.${subscriberId}.${at}`;

/** Returns the token that undoes this unsubscribe (API reference §13.4). */
export function undoToken(deps: Deps, unsubscription: Unsubscription): Promise<string> {
  return signText(deps, "undo-unsubscribe", signedText(unsubscription));
}

/** Returns true if a token belongs to exactly this unsubscribe. */
export function isUndoToken(
  deps: Deps,
  unsubscription: Unsubscription,
  token: string,
): Promise<boolean> {
  return isTextMac(deps, "undo-unsubscribe", signedText(unsubscription), token);
}
