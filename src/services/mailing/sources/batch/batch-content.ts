import type { Deps } from "../../../../deps.ts";
import { AppError } from "../../../../errors.ts";
import { sha256Hex } from "../../../../lib/hash.ts";
import type { Message } from "../../../../messages/message.ts";
import type { EmailAddress } from "../../../../mail/address.ts";
import type { OutgoingMessage } from "../../../../mail/smtp/index.ts";
import type { BroadcastRow } from "../../../broadcasts/index.ts";
import { broadcastLogId } from "../../../email-log/index.ts";
import type { SenderAddress } from "../../../projects/index.ts";
import {
  ownSubject,
  renderBodies,
  requireBody,
  type RenderSource,
} from "../../../templates/index.ts";
import { composeMail, NO_EXTRAS } from "../../compose.ts";
import type { ClaimedMail } from "../../ledger.ts";
import { failed, type AddressOutcome } from "../../outcome.ts";
import { NOBODY, type MailFacts } from "../../record.ts";
import { addressVariables } from "../../variables.ts";
import { addressOf, type BatchRecipient } from "./batch-recipient.ts";

/** Returns the From address of a batch that has its own. */
export const ownAddressOf = ({ fromAddress }: BroadcastRow): EmailAddress | undefined =>
  (fromAddress ?? undefined) as EmailAddress | undefined; // `insertBatch` wrote it

/** The bodies of a batch, to render. */
export type BatchBodies = Omit<RenderSource, "subject">;

/** Returns the bodies of a batch. Batches with the same bodies reuse the compiled parts. */
export function bodiesOfBatch({ htmlBody, textBody, preheader }: BroadcastRow): BatchBodies {
  const hash = sha256Hex(JSON.stringify([htmlBody, textBody, preheader]));
  return { version: `batch:${hash}`, htmlBody, textBody, previewText: preheader };
}

/** The facts of one recipient's mail with its data, or with its outcome if it cannot be made. */
export type NamedMail = { mail: MailFacts } & (
  | { data: Record<string, unknown> }
  | { refusal: AddressOutcome }
);

/**
 * Returns the facts of a recipient's mail for the log. The mail keeps its log id even after a
 * crash.
 */
export function factsOfRecipient(
  batch: BroadcastRow,
  id: string,
  recipient: BatchRecipient,
): NamedMail {
  const isFaulty = "fault" in recipient;
  const facts = {
    logId: broadcastLogId(batch, id),
    to: isFaulty ? NOBODY : recipient.to,
    tags: null,
    templateId: batch.templateId,
    subscriberId: null,
    broadcastId: null,
    isTest: batch.test === 1,
  };
  const refused = ({ message, code }: Pick<Message, "message" | "code">): NamedMail => ({
    mail: { ...facts, subject: batch.subject },
    refusal: failed(addressOf(recipient), message, code),
  });
  if (isFaulty) return refused(recipient.fault);
  const { data } = recipient;
  try {
    return { mail: { ...facts, subject: subjectOfBatch(batch, data) }, data };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refused(error);
  }
}

/** Renders the subject. Batches with the same subject reuse its compiled form. */
function subjectOfBatch({ subject }: BroadcastRow, data: Record<string, unknown>): string {
  return ownSubject({ version: `subject:${sha256Hex(subject)}`, subject })(data);
}

/** The content that the mails of a batch share, and its sender. */
export interface BatchContent {
  batch: BroadcastRow;
  bodies: BatchBodies;
  from: SenderAddress;
}

/** Returns the mail of one recipient. */
export const mailOfRecipient = (
  deps: Deps,
  content: BatchContent,
  mail: MailFacts,
  data: Record<string, unknown>,
): ClaimedMail => ({ mail, next: { compose: () => composeFor(deps, content, mail, data) } });

/**
 * Renders a mail only when its turn comes, because a group of the largest mails does not fit into
 * memory.
 */
async function composeFor(
  deps: Deps,
  { batch, bodies, from }: BatchContent,
  { logId, to }: MailFacts,
  data: Record<string, unknown>,
): Promise<OutgoingMessage> {
  const { id: campaignId, templateId, projectId } = batch;
  const { data: variables, unsubscribe } = await addressVariables(
    deps,
    projectId,
    to.address,
    data,
  );
  const subject = subjectOfBatch(batch, variables);
  const rendered = { subject, ...renderBodies(bodies, variables) };
  requireBody(rendered);
  const feedback = { campaignId, templateId, projectId };
  const address = ownAddressOf(batch);
  const own = address && { from: { name: batch.fromName ?? "", address } };
  const extras = { ...NO_EXTRAS, ...own, headers: from.headers?.send ?? {} };
  const mail = { projectId, logId, from, to, extras, feedback, unsubscribe };
  return composeMail(deps, { ...mail, tracking: [batch.tracking] }, rendered);
}
