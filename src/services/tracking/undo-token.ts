import type { App } from "../../app.ts";
import { isTextMac, signText } from "./link-mac.ts";

/** Names its purpose, so that no other token of ours is good for it. */
const signedText = (projectId: string, subscriberId: string) =>
  `undo-unsubscribe.${projectId}.${subscriberId}`;

/** The token of the unsubscribe page that takes the unsubscription back (decisions, "Tracking and unsubscribe"). */
export function undoToken(app: App, projectId: string, subscriberId: string): Promise<string> {
  return signText(app, signedText(projectId, subscriberId));
}

/** Whether a token came from the unsubscribe page of this subscriber. */
export function isUndoToken(
  app: App,
  projectId: string,
  subscriberId: string,
  token: string,
): Promise<boolean> {
  return isTextMac(app, signedText(projectId, subscriberId), token);
}
