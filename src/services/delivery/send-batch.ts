import type { Ctx } from "../../context.ts";
import { AppError, conflict } from "../../errors.ts";
import type { Mailbox } from "../../mail/address.ts";
import type { ProjectRow } from "../access/index.ts";
import { openSender } from "../projects/index.ts";
import { selectSuppressed } from "../suppressions/index.ts";
import type { MailTemplate, SubjectOf } from "../templates/index.ts";
import { settleAbandonedBatch } from "./abandoned.ts";
import type { BatchAnswer, Counts } from "./answers.ts";
import { failuresOf, unknownFailures, withFailures } from "./batch-failures.ts";
import { composeMail, NO_EXTRAS } from "./compose-mail.ts";
import { deliverAll, type ClaimedMail, type Ledger } from "./deliver-all.ts";
import { renderForAddress, requireTemplate, subjectOf } from "./draft.ts";
import { beginOperation, recallOperation, type Idempotency } from "./idempotency.ts";
import { leaseEnd } from "./lease.ts";
import { failed, suppressedOutcome } from "./outcome.ts";
import { finishOperation, operationHeld, updateHeldOperation, type Claim } from "./queries.ts";
import { requireBody } from "./require-body.ts";
import { runSettle } from "./run-settle.ts";
import type { SendFacts } from "./send-facts.ts";
import { inFlightOf, settleStatements, type SettledMail } from "./settle.ts";

export interface BatchInput {
  templateId: string;
  subject: string | undefined;
  recipients: { to: Mailbox; data: Record<string, unknown> }[];
}

/**
 * Sends a template to many addresses and counts the outcomes. Records every group before SMTP and
 * settles it after: one D1 round trip for 26 to 50 mails. A repeated request with the
 * Idempotency-Key of a batch whose worker died continues that batch. Authorised by the route
 * (`send:transactional`).
 * Throws bad_request (settings, a template without a body, a subject that does not parse),
 * not_found (template), conflict.
 */
export async function sendBatch(
  ctx: Ctx,
  project: ProjectRow,
  input: BatchInput,
  facts: SendFacts,
  idempotency: Idempotency | undefined,
): Promise<BatchAnswer> {
  const { deps } = ctx;
  const recalled = await recallOperation(ctx, idempotency, facts.operation);
  // `finishOperation` stored the answer. An old answer lacks the field `failures`.
  if (recalled.kind === "answered") return { failures: [], ...(recalled.result as Counts) };
  const template = requireTemplate(facts.template);
  requireBody({ html: template.htmlBody, text: template.textBody });
  const toSubject = subjectOf(template, input.subject);
  const sender = await openSender(deps, project);
  const progress: Progress = { ...NOTHING_DONE };
  let claim: Claim;
  if (recalled.kind === "abandoned") {
    const { operation } = recalled;
    claim = recalled.claim;
    await settleAbandonedBatch(deps, claim, operation, false);
    const { nextIndex, sent, bounced, suppressed } = operation;
    const failed = operation.failed + operation.inFlight.length;
    const failures = withFailures(operation.failures, unknownFailures(operation.inFlight));
    Object.assign(progress, { nextIndex, sent, failed, bounced, suppressed, failures });
  } else {
    claim = await beginOperation(ctx, project.id, "batch", idempotency, []);
  }
  await deliverAll(
    deps,
    sender,
    batchLedger(
      ctx,
      project,
      { ...input, template, toSubject, from: sender.from },
      claim,
      progress,
    ),
  );
  const { nextIndex: _done, ...answer } = progress;
  await runSettle(deps, [], [finishOperation(deps.db, claim, answer)]);
  return answer;
}

type Progress = BatchAnswer & { nextIndex: number };

const NOTHING_DONE: Progress = {
  nextIndex: 0,
  sent: 0,
  failed: 0,
  bounced: 0,
  suppressed: 0,
  failures: [],
};

/** The shared content of all mails of a batch. */
interface BatchContent extends BatchInput {
  from: Mailbox;
  template: MailTemplate;
  toSubject: SubjectOf;
}

/**
 * Creates a ledger that claims recipients in order and keeps index, counts and mails in flight in
 * the operation's row.
 */
function batchLedger(
  ctx: Ctx,
  project: ProjectRow,
  content: BatchContent,
  claim: Claim,
  progress: Progress,
): Ledger {
  const { deps } = ctx;
  return {
    hasMore: () => progress.nextIndex < content.recipients.length,
    async advance(settled, inHand, count) {
      const { nextIndex } = progress;
      const group = content.recipients.slice(nextIndex, nextIndex + count);
      const claimed = group.map((recipient) => claimRecipient(ctx, content, recipient));
      addOutcomes(progress, settled);
      progress.nextIndex += group.length;
      const inFlight = [...inHand, ...claimed.map(({ mail }) => mail)].map(inFlightOf);
      // A repeated write claims the same group, because its values come from here, not from the
      // row.
      const settling = settleStatements(deps, project.id, settled, operationHeld(claim));
      const [held, suppressed] = await runSettle(deps, settling, [
        updateHeldOperation(deps.db, claim, {
          ...progress,
          inFlight,
          leaseUntil: leaseEnd(deps),
        }),
        selectSuppressed(
          deps.db,
          project.id,
          group.map(({ to }) => to.address),
        ),
      ]);
      if (held.length === 0) throw conflict("this batch was taken over by another worker");
      const hit = new Set(suppressed.map(({ email }) => email));
      return claimed.map((one) => {
        const { address } = one.mail.to;
        return hit.has(address) ? { ...one, next: { decided: suppressedOutcome(address) } } : one;
      });
    },
  };
}

function claimRecipient(
  { deps }: Ctx,
  { from, template, subject, toSubject }: BatchContent,
  { to, data }: BatchInput["recipients"][number],
): ClaimedMail {
  const facts = {
    logId: deps.newId(),
    to,
    extras: NO_EXTRAS,
    templateId: template.id,
    subscriberId: null,
    broadcastId: null,
  };
  try {
    const content = { subject: toSubject(data), html: "", text: "" };
    // Each mail renders its bodies in its turn. A group of the largest mails does not fit into
    // memory.
    const compose = async () => {
      const rendered = renderForAddress(template, toSubject, data);
      requireBody(rendered);
      return composeMail(deps, { ...facts, content: rendered, from });
    };
    return { mail: { ...facts, content }, next: { compose } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const content = { subject: subject ?? template.subject, html: "", text: "" };
    return { mail: { ...facts, content }, next: { decided: failed(to.address, error.message) } };
  }
}

function addOutcomes(progress: Progress, settled: SettledMail[]): void {
  for (const { outcome } of settled) progress[outcome.main.status] += 1;
  progress.failures = withFailures(progress.failures, failuresOf(settled));
}
