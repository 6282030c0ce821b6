import type { Deps } from "../../../../deps.ts";
import { isRenewalDue, leaseEnd } from "../../../../db/lease.ts";
import { AppError, conflict } from "../../../../errors.ts";
import type { Mailbox } from "../../../../mail/address.ts";
import type { OutgoingMessage } from "../../../../mail/smtp/index.ts";
import type { SenderAddress } from "../../../projects/index.ts";
import { selectSuppressed } from "../../../suppressions/index.ts";
import { requireBody, type MailTemplate, type SubjectOf } from "../../../templates/index.ts";
import { NO_EXTRAS } from "../../compose.ts";
import { NOTED_MAX, type ClaimedMail, type Ledger } from "../../ledger.ts";
import { watchLink } from "../../missing-link.ts";
import {
  operationHeld,
  updateHeldOperation,
  type Claim,
} from "../../operations/operation-queries.ts";
import { notedMail } from "../../operations/outcomes-left.ts";
import { failed, suppressedOutcome } from "../../outcome.ts";
import { composePrepared, renderPrepared, type PreparedMail } from "../../prepare.ts";
import { runSettle } from "../../run-settle.ts";
import { inFlightOf, settleStatements, type MailFacts, type SettledMail } from "../../settle.ts";
import type { BatchAnswer } from "../answers.ts";
import { addOutcomes } from "./batch-failures.ts";

/** One recipient of a batch. */
export interface BatchRecipient {
  to: Mailbox;
  data: Record<string, unknown>;
}

/**
 * The free places at which a write claims more. A batch of 5,000 runs in one invocation, so it makes
 * fewer writes than a broadcast.
 */
const GROUP = 12;

/** The recipients whose suppression is asked for at a time. */
const ASKED_AHEAD = 48;

/** The shared content of all mails of a batch. */
interface BatchContent {
  template: MailTemplate;
  prepared: PreparedMail;
  /** The subject before rendering. */
  subject: string;
  toSubject: SubjectOf;
  from: SenderAddress;
}

interface BatchWork {
  projectId: string;
  recipients: BatchRecipient[];
  content: BatchContent;
  claim: Claim;
}

/** The counts of a running batch, and the index of the first recipient that is not claimed. */
export type BatchProgress = BatchAnswer & { nextIndex: number };

export const NOTHING_DONE: BatchProgress = {
  nextIndex: 0,
  sent: 0,
  failed: 0,
  bounced: 0,
  suppressed: 0,
  failures: [],
};

/**
 * Creates a ledger that claims recipients in order and keeps index, counts and mails in flight in
 * the operation's row. It moves `progress` on.
 */
export function batchLedger(
  deps: Deps,
  { projectId, recipients, content, claim }: BatchWork,
  progress: BatchProgress,
): Ledger {
  const noted: SettledMail[] = [];
  let leaseUntil = leaseEnd(deps);
  const suppressedAddresses = new Set<string>();
  let askedTo = progress.nextIndex;
  return {
    groupSize: GROUP,
    hasMore: () => progress.nextIndex < recipients.length,
    owesLog: () => noted.length > 0,
    async advance(finished, inHand, count) {
      const end = Math.min(recipients.length, progress.nextIndex + count);
      const group = recipients.slice(progress.nextIndex, end);
      const claimed = group.map((recipient) => claimRecipient(deps, content, recipient));
      noted.push(...finished);
      const logs = count === 0 || noted.length >= NOTED_MAX;
      const settled = logs ? noted.splice(0) : [];
      Object.assign(progress, addOutcomes(progress, settled), { nextIndex: end });
      const inFlight = [
        ...noted.map(notedMail),
        ...[...inHand, ...claimed.map(({ mail }) => mail)].map(inFlightOf),
      ];
      if (isRenewalDue(deps, leaseUntil, deps.config.leaseMs)) leaseUntil = leaseEnd(deps);
      // A repeated write claims the same group, because its values come from here, not from the
      // row.
      const settling = settleStatements(deps, projectId, settled, operationHeld(claim));
      const update = updateHeldOperation(deps.db, claim, { ...progress, inFlight, leaseUntil });
      const asked = end > askedTo ? recipients.slice(askedTo, askedTo + ASKED_AHEAD) : [];
      const addresses = asked.map(({ to }) => to.address);
      const select = selectSuppressed(deps.db, projectId, addresses);
      const selects = asked.length > 0 ? [select] : [];
      const [held, suppressed = []] = await runSettle(deps, settling, [update, ...selects]);
      if (held.length === 0) throw conflict("this batch was taken over by another worker");
      askedTo += asked.length;
      for (const { email } of suppressed) suppressedAddresses.add(email);
      return skipSuppressed(claimed, suppressedAddresses);
    },
  };
}

function skipSuppressed(claimed: ClaimedMail[], hit: Set<string>): ClaimedMail[] {
  return claimed.map((one) => {
    const { address } = one.mail.to;
    return hit.has(address) ? { ...one, next: { decided: suppressedOutcome(address) } } : one;
  });
}

/** Returns the mail of one recipient. It fails alone if its subject cannot be rendered. */
function claimRecipient(
  deps: Deps,
  content: BatchContent,
  { to, data }: BatchRecipient,
): ClaimedMail {
  const facts = {
    logId: deps.newId(),
    to,
    tags: null,
    templateId: content.template.id,
    subscriberId: null,
    broadcastId: null,
  };
  try {
    const mail = { ...facts, subject: content.toSubject(data) };
    return { mail, next: { compose: () => composeFor(deps, content, mail, data) } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const mail = { ...facts, subject: content.subject };
    return { mail, next: { decided: failed(to.address, error.message) } };
  }
}

/**
 * Renders a mail only in its turn, because a group of the largest mails does not fit into memory.
 */
async function composeFor(
  deps: Deps,
  { prepared, toSubject, from }: BatchContent,
  { logId, to }: MailFacts,
  data: Record<string, unknown>,
): Promise<OutgoingMessage> {
  const watched = watchLink(data);
  const rendered = { subject: toSubject(watched.data), ...renderPrepared(prepared, watched.data) };
  watched.requireUnprinted();
  requireBody(rendered);
  const addressing = { logId, from, to, extras: NO_EXTRAS, unsubscribeUrl: undefined };
  return composePrepared(deps, prepared, addressing, rendered);
}
