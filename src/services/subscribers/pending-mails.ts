/*
 * Pending mails, an outbox for waitlist confirmations, welcome mails and mail of the service
 * itself. The batch that adds the subscriber also stores the mail, and its row is deleted once the
 * outcome is in the log. A queue message only wakes the sender of the project. A lost message, a
 * sender that crashes before it claims the send, or a deferral by the server therefore delays the
 * mail but never loses it. A sender that crashes between the claim and the log may have sent the mail. The log then says
 * "outcome unknown", and the send is not retried, so no mail is sent twice.
 */
import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { logLine } from "../../lib/log-line.ts";
import { wakeSenders, wakingSenders } from "../projects/index.ts";
import {
  beginAttempt,
  deletePendingMail,
  insertPendingMail,
  movePendingMail,
  postponePendingMail,
  renewPendingMail,
  selectDueProjects,
  type PendingMail,
} from "./pending-queries.ts";
import type { Welcome } from "./welcome.ts";

const MINUTE_MS = 60_000;

/**
 * Backoff between attempts. The first two together exceed the lease of a send, so the first
 * attempt, and the third and later ones, can rely on no other worker sending the mail.
 */
const BACKOFF_MS = [1, 3, 10, 30, 60, 120, 240, 360].map((minutes) => minutes * MINUTE_MS);

/** The number of attempts after which the service gives up. PENDING_LIFE_MS limits the time. */
export const MAX_ATTEMPTS = BACKOFF_MS.length;
/**
 * The maximum lifetime of a pending mail. It is shorter than the retention of an Idempotency-Key,
 * so an attempt always finds the result of an earlier one with its id.
 */
export const PENDING_LIFE_MS = 23 * 3_600_000;

/** The number of projects that one run of the sweep wakes. */
const PROJECTS_PER_RUN = 100;

/**
 * Returns the Idempotency-Key of the send of a pending mail. It contains spaces, which are not
 * allowed in a request's key, so no client can use it. It must never change, or a mail in flight
 * during a deployment would be sent again.
 */
export const sendKeyOf = (id: string) => `pending mail ${id}`;

/**
 * The template by id, or by name: the project's own or else the built-in one. `isPublic` marks
 * metadata that unauthenticated callers could have written.
 */
export type PendingTemplate = ({ id: string } | { name: string }) & {
  isPublic: boolean;
  /** True if the recipient has just confirmed, so no stranger can have caused the mail. */
  isConfirmed?: boolean;
};

/** A confirmation mail, and the welcome mail that follows it. Its template may be `id`. */
export interface PendingConfirmation {
  confirm: Welcome;
  id?: string | undefined;
  isPublic: boolean;
}

/** A mail with the link to the subscriber's stored data. */
interface PendingDataMail {
  link: "data";
  isPublic: boolean;
}

/**
 * Returns the statement of a new pending mail, and its id. The statement follows the subscriber's
 * in the batch, which wakes the sender. Does nothing if a mail with this id exists.
 */
export function addPendingMail(
  deps: Deps,
  projectId: string,
  subscriberId: string,
  template: PendingTemplate | PendingConfirmation | PendingDataMail,
  { id = deps.newId(), when = sql`true` }: { id?: string; when?: SQL } = {},
): { id: string; statement: ReturnType<typeof insertPendingMail> } {
  const at = deps.now();
  const mail = {
    id,
    subscriberId,
    templateId: ("id" in template ? template.id : null) ?? null,
    templateName: "name" in template ? template.name : null,
    isPublic: template.isPublic,
    data: dataOf(template),
    dueAt: at,
    createdAt: at,
  };
  return { id, statement: wakingSenders(deps, insertPendingMail(deps.db, projectId, mail, when)) };
}

function dataOf(template: PendingTemplate | PendingConfirmation | PendingDataMail) {
  if ("confirm" in template) return { confirm: template.confirm };
  if ("link" in template) return { link: template.link };
  return template.isConfirmed ? { after: "confirmation" } : null;
}

/**
 * Sends a subscriber of any status the link to their stored data. The mail goes to the subscriber's
 * address at the time of sending, unless it is suppressed. The link in a mail authorizes the call;
 * the HTTP layer rate-limits it. Takes one D1 round trip.
 */
export async function mailDataLink(
  { deps }: Ctx,
  { id, projectId }: { id: string; projectId: string },
): Promise<void> {
  const mail = addPendingMail(deps, projectId, id, { link: "data", isPublic: true });
  await runBatch(deps.db, [mail.statement]);
}

/**
 * Wakes the senders of projects with mails that are due: a message was lost, or a server asked for
 * another attempt. Runs every minute.
 */
export async function sweepPendingMails(deps: Deps): Promise<void> {
  const due = await selectDueProjects(deps.db, deps.now(), PROJECTS_PER_RUN);
  await wakeSenders(
    deps,
    due.map(({ projectId }) => projectId),
  );
}

/** The start of an attempt; `done` when the mail is no longer pending. */
export type PendingAttempt = { kind: "pending"; mail: PendingMail } | { kind: "done" };

/**
 * Begins an attempt at a pending mail. The next attempt becomes due automatically unless
 * `removePendingMail` follows. Gives up a mail without attempts or time left, with an error in the
 * log.
 */
export async function attemptPendingMail(deps: Deps, id: string): Promise<PendingAttempt> {
  const [mail] = await beginAttempt(deps.db, id, deps.now(), BACKOFF_MS);
  if (!mail) return { kind: "done" };
  const isOld = deps.now() - mail.createdAt >= PENDING_LIFE_MS;
  if (mail.attempts <= MAX_ATTEMPTS && !isOld) return { kind: "pending", mail };
  const { projectId, subscriberId, attempts } = mail;
  logLine("error", "pending_mail_given_up", { projectId, subscriberId, attempts });
  await removePendingMail(deps, id);
  return { kind: "done" };
}

/** Deletes a mail whose outcome is in the log, or can never be logged. */
export async function removePendingMail(deps: Deps, id: string): Promise<void> {
  await deletePendingMail(deps.db, id);
}

/**
 * Keeps a mail whose attempt is logged as a transient failure. A send is identified by the id of
 * its pending mail, so the mail gets a new id. A worker with the old id finds nothing pending. If
 * this worker crashes first, the next attempt finds the failure and repeats this step.
 */
export async function putOffPendingMail(deps: Deps, id: string): Promise<void> {
  await renewPendingMail(deps.db, id, deps.newId());
}

/**
 * Moves a service mail to another project, unless a worker may be sending it. Returns false without
 * a change in that case.
 */
export async function handOverPendingMail(
  deps: Deps,
  { id, attempts }: Pick<PendingMail, "id" | "attempts">,
  projectId: string,
): Promise<boolean> {
  if (attempts === 2) return false;
  await movePendingMail(deps.db, id, projectId);
  return true;
}

/**
 * Postpones a mail because of a limit. Its lifetime restarts when it is due. If `isCounted`, the
 * next attempt does not count as the first.
 */
export async function holdBackPendingMail(
  deps: Deps,
  id: string,
  { waitMs, isCounted }: { waitMs: number; isCounted?: boolean },
): Promise<void> {
  const dueAt = deps.now() + waitMs;
  await postponePendingMail(deps.db, id, { dueAt, attemptsMin: isCounted ? 1 : 0 });
}
