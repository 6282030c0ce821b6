import type { Deps } from "../../../../deps.ts";
import { AppError, notFound } from "../../../../errors.ts";
import { parseEmailAddress, type Mailbox } from "../../../../mail/address.ts";
import type { OutgoingMessage } from "../../../../mail/smtp/index.ts";
import { variantLetter, type BroadcastRow, type Recipient } from "../../../broadcasts/index.ts";
import { broadcastLogId, VARIANT_TAG } from "../../../email-log/index.ts";
import type { SenderAddress } from "../../../projects/index.ts";
import { ownSubject } from "../../../templates/index.ts";
import { selectTopic, type TopicRow } from "../../../topics/index.ts";
import { confirmationUrl, viewUrl } from "../../../tracking/index.ts";
import { composeMail, fromNamed, NO_EXTRAS, repliesTo } from "../../compose.ts";
import type { ClaimedMail } from "../../ledger.ts";
import { failed, suppressedOutcome } from "../../outcome.ts";
import type { MailFacts } from "../../record.ts";
import { subscriberData } from "../../variables.ts";
import type { ContentVariant } from "./content-variant.ts";
import { ownData, renderFor, sourceOf } from "./render-for.ts";

/** The shared content of all mails of an variant. */
export interface BroadcastContent {
  variant: ContentVariant;
  topic: TopicRow | undefined;
  /** True if its mails may show their link to the browser, which costs a signature each. */
  hasViewLink: boolean;
}

/** Reads the content of a variant once for all recipients. */
export async function prepareBroadcast(
  deps: Deps,
  variant: ContentVariant,
): Promise<BroadcastContent> {
  const hasViewLink = Object.values(sourceOf(variant)).some((part) => VIEW_LINK.test(part));
  return { variant, topic: await topicOf(deps, variant.broadcast), hasViewLink };
}

const VIEW_LINK = /view_(?:url|link)/;

/** Reads the topic of a broadcast that has one. Throws not_found if the topic was deleted. */
async function topicOf(
  { db }: Deps,
  { projectId, topicId }: BroadcastRow,
): Promise<TopicRow | undefined> {
  if (topicId === null) return undefined;
  const [topic] = await selectTopic(db, projectId, topicId);
  if (!topic) throw notFound("topic");
  return topic;
}

/**
 * Returns the facts of a recipient's mail for the log. The mail renders its bodies when it is
 * composed. `page` is that of its chunk.
 */
export function factsOfMail(
  variant: ContentVariant,
  recipient: Recipient,
  page: string,
  address = parseEmailAddress(recipient.email),
): MailFacts {
  const { id, email, name } = recipient;
  const { broadcast, n, isTried } = variant;
  return {
    logId: broadcastLogId(broadcast, id, page),
    // An address that predates a stricter parser stays in the log as stored. No mail goes to it.
    to: { name, address: address.ok ? address.address : (email as Mailbox["address"]) },
    subject: subjectFor(variant, recipient),
    tags: isTried && n !== null ? { [VARIANT_TAG]: variantLetter(n) } : null,
    templateId: broadcast.templateId,
    subscriberId: id,
    broadcastId: broadcast.id,
  };
}

/** Returns the subject with its variables, or the unrendered subject if it cannot be rendered. */
function subjectFor(variant: ContentVariant, recipient: Recipient): string {
  try {
    return ownSubject(sourceOf(variant))(
      subscriberData(recipient, ownData(variant.broadcast, recipient), ""),
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return variant.broadcast.subject;
  }
}

/**
 * Returns the mail of one recipient. For suppressed recipients and unusable addresses, decides the
 * outcome at once.
 */
export function claimRecipient(
  deps: Deps,
  from: SenderAddress,
  content: BroadcastContent,
  recipient: Recipient,
  page: string,
): ClaimedMail {
  const { email, suppressed } = recipient;
  const address = parseEmailAddress(email);
  const mail = factsOfMail(content.variant, recipient, page, address);
  if (!address.ok) return { mail, next: { decided: failed(email, address.fault.message) } };
  if (suppressed) return { mail, next: { decided: suppressedOutcome(email) } };
  return { mail, next: { compose: () => composeFor(deps, from, content, mail, recipient) } };
}

/**
 * Renders a mail only when its turn comes, because a group of the largest mails does not fit into
 * memory.
 */
async function composeFor(
  deps: Deps,
  from: SenderAddress,
  { variant, topic, hasViewLink }: BroadcastContent,
  { logId, to }: MailFacts,
  recipient: Recipient,
): Promise<OutgoingMessage> {
  const { broadcast, fromName } = variant;
  const extras = {
    ...NO_EXTRAS,
    ...fromNamed(fromName),
    headers: from.headers?.broadcast ?? {},
    replyTo: repliesTo(broadcast.plan?.replyTo),
  };
  const { id: campaignId, templateId, projectId } = broadcast;
  const viewed = { broadcastId: campaignId, variant: variant.n };
  const view = hasViewLink ? await viewUrl(deps, projectId, recipient, viewed) : undefined;
  const granting = await grantingData(deps, broadcast, recipient);
  const { rendered, unsubscribe } = await renderFor(deps, variant, recipient, view, granting);
  const feedback = { campaignId, templateId, projectId };
  const { plan, tracking: template, name } = broadcast;
  const tracking = [template, plan?.tracking];
  const broadcastUtm = { own: plan?.utm ?? {}, name };
  const own = { topic, unsubscribe, tracking, broadcastUtm, isUntouched: granting !== undefined };
  const mail = { projectId, logId, from, to, extras, feedback, ...own };
  return composeMail(deps, mail, rendered);
}

/**
 * Returns the confirmation link of a mail of an automation to somebody who has not confirmed yet;
 * undefined for any other mail.
 */
async function grantingData(
  deps: Deps,
  { projectId, automationId, status }: BroadcastRow,
  recipient: Recipient,
): Promise<{ confirm_url: string } | undefined> {
  if (automationId === null || status !== "pending") return undefined;
  return { confirm_url: await confirmationUrl(deps, projectId, recipient, "none") };
}
