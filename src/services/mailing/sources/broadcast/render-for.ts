import type { Deps } from "../../../../deps.ts";
import type { MailedSubscriber } from "../../../../db/subscriber-columns.ts";
import { isDraftRow, type BroadcastRow } from "../../../broadcasts/index.ts";
import { renderMail, type RenderedMail, type RenderSource } from "../../../templates/index.ts";
import { preferencesUrl, unsubscribeUrl } from "../../../tracking/index.ts";
import type { UnsubscribeLink } from "../../decorate.ts";
import { subscriberData } from "../../variables.ts";
import type { ContentVariant } from "./content-variant.ts";

export function sourceOf({ broadcast, n }: Pick<ContentVariant, "broadcast" | "n">): RenderSource {
  const { id, subject, htmlBody, textBody, plan, preheader } = broadcast;
  const version = n === null ? `broadcast:${id}` : `broadcast:${id}:${n}`;
  return { version, subject, htmlBody, textBody, previewText: plan?.previewText ?? preheader };
}

/**
 * Returns the variables that the broadcast itself gives its mails, and the data of the event that
 * started the run of an automation. A broadcast that was never a draft has none.
 */
export function ownData(
  { name, variables }: Pick<BroadcastRow, "name" | "variables">,
  { event }: Evented = {},
): Record<string, unknown> {
  return {
    ...(variables !== null && { broadcast: { name, ...variables } }),
    ...(event != null && { event }),
  };
}

interface Evented {
  event?: Record<string, unknown> | null;
}

/**
 * Renders the mail of a recipient, before the service adds anything to it. `granting` are variables
 * with links that grant something, so only the mail itself has them.
 */
export async function renderFor(
  deps: Deps,
  variant: Pick<ContentVariant, "broadcast" | "n">,
  recipient: MailedSubscriber & Evented,
  viewLink: string | undefined,
  granting: Record<string, string> = {},
): Promise<{ rendered: RenderedMail; unsubscribe: UnsubscribeLink }> {
  const { broadcast } = variant;
  const url = await linkFor(deps, broadcast, recipient);
  const own = { ...ownData(broadcast, recipient), ...granting };
  const data = subscriberData(recipient, own, url, viewLink);
  const unsubscribe = { url, isRequired: true, isSubscribers: true };
  return { rendered: renderMail(sourceOf(variant), data), unsubscribe };
}

/**
 * Returns the link by which the reader of a mail leaves. It leads to the preferences or, for a
 * broadcast that was never a draft and has no topic, unsubscribes the reader.
 */
async function linkFor(
  deps: Deps,
  broadcast: BroadcastRow,
  recipient: MailedSubscriber,
): Promise<string> {
  const { id: broadcastId, projectId, topicId } = broadcast;
  if (topicId === null && !isDraftRow(broadcast))
    return unsubscribeUrl(deps, projectId, recipient.id, broadcastId);
  return preferencesUrl(deps, projectId, recipient, { topicId, broadcastId });
}
