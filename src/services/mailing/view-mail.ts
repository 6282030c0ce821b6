import { runBatch } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import type { Language } from "../../lib/languages.ts";
import { selectViewed, selectVariant } from "../broadcasts/index.ts";
import { audienceSettingsOf, selectProject } from "../projects/index.ts";
import { selectSubscriber } from "../subscribers/index.ts";
import type { RenderedMail } from "../templates/index.ts";
import { addressMarkOf, type ViewLink } from "../tracking/index.ts";
import { decorate } from "./decorate.ts";
import { renderFor } from "./sources/broadcast/render-for.ts";

/** A mail as its recipient sees it, and the language of its project. */
interface ViewedMail {
  mail: RenderedMail;
  language: Language;
}

/**
 * Renders the mail of a broadcast or automation again, with the recipient's present data, and without pixel and
 * tracked links. `url` is the link itself. Undefined if the broadcast, its recipient or the project
 * is gone, or if the recipient has another address by now. The signed link authorizes the call. One
 * D1 round trip.
 */
export async function viewMail(
  deps: Deps,
  { projectId, subscriberId, addressMark, broadcastId, variant: n }: ViewLink,
  url: string,
): Promise<ViewedMail | undefined> {
  const { db } = deps;
  const [[project], [subscriber], [broadcast], [variant]] = await runBatch(db, [
    selectProject(db, projectId),
    selectSubscriber(db, projectId, subscriberId),
    selectViewed(db, { projectId, broadcastId, subscriberId }),
    selectVariant(db, broadcastId, n ?? -1),
  ]);
  if (!project || !subscriber || !broadcast || (n !== null && !variant)) return undefined;
  if (addressMarkOf(subscriberId, subscriber.email) !== addressMark) return undefined;
  const { subject, htmlBody, textBody, preheader } = variant ?? broadcast;
  const content = { broadcast: { ...broadcast, subject, htmlBody, textBody, preheader }, n };
  const recipient = { ...subscriber, event: broadcast.event };
  const { rendered, unsubscribe } = await renderFor(deps, content, recipient, url);
  const { html, text } = rendered;
  const tracking = { opens: false, clicks: false };
  const untracked = { projectId, logId: "", unsubscribe, tracking, utm: {} };
  const whole = await decorate(deps, { html, text }, untracked);
  const { language } = audienceSettingsOf(project);
  return { mail: { subject: rendered.subject, html: whole.html, text: whole.text }, language };
}
