/*
 * Pending mails: the confirmation of a waitlist, a welcome, or mail of the service itself. The
 * batch that adds the subscriber stores the mail. The row of the mail is removed once the outcome
 * is in the log. A queue message only wakes a worker. So if a message is lost, a worker dies before
 * it claims its send, or a server defers the mail, this costs time but not the mail. If a worker
 * dies between the claim and the log, it may have sent the mail. The log then says "outcome
 * unknown", and nothing repeats the send, so no mail arrives twice.
 */
import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { wakeServiceMail } from "../service-mail/index.ts";
import {
  beginAttempt,
  deletePendingMail,
  insertPendingMail,
  movePendingMail,
  postponePendingMail,
  renewPendingMail,
  takeDueMails,
  takeNextMail,
  type PendingMail,
} from "./pending-queries.ts";
import type { Welcome } from "./welcome.ts";

/** The time after which an unprocessed message counts as lost. */
const MESSAGE_GRACE_MS = 2 * 60_000;

const MINUTE_MS = 60_000;

/**
 * Waits between attempts. The first two together last longer than the lease of a send. So whoever
 * makes the first attempt, or the third or a later one, knows that no other worker is sending.
 */
const BACKOFF_MS = [1, 3, 10, 30, 60, 120, 240, 360].map((minutes) => minutes * MINUTE_MS);

/**
 * The number of attempts after which the service gives up a mail. PENDING_LIFE_MS limits the time.
 */
export const MAX_ATTEMPTS = BACKOFF_MS.length;
/**
 * The longest life of a pending mail. It is shorter than the memory of an Idempotency-Key, so an
 * attempt always finds the result of an earlier one with its id.
 */
export const PENDING_LIFE_MS = 23 * 3_600_000;

/**
 * The number of mails woken in one run of the sweep: the limit of one `sendBatch` (Queues
 * documentation, "Limits").
 */
const MAILS_PER_RUN = 100;

/** The number of mails of one project woken in one run: as many as its limit allows in a minute. */
const MAILS_OF_PROJECT_PER_RUN = 60;

/**
 * Returns the Idempotency-Key of the send of a pending mail. It contains spaces, which the key of a
 * request cannot contain, so no client can use it. Its words must never change, or a mail in flight
 * during an update would be sent again.
 */
export const sendKeyOf = (id: string) => `pending mail ${id}`;

/**
 * The template by id, or by name: the project's own and then the built-in one. `isPublic` marks
 * metadata that anybody could have written.
 */
export type PendingTemplate = ({ id: string } | { name: string }) & { isPublic: boolean };

/**
 * A mail that asks for a confirmation, and the welcome that follows it. Its template may be `id`.
 */
export interface PendingConfirmation {
  confirm: Welcome;
  id?: string | undefined;
  isPublic: boolean;
}

/** A mail with the link to the stored data of the subscriber. */
interface PendingDataMail {
  link: "data";
  isPublic: boolean;
}

/**
 * Returns the statement of a new pending mail, and its id. The statement goes after the
 * subscriber's in the batch. If a mail with this id exists, nothing is stored.
 */
export function addPendingMail(
  { db, newId, now }: Deps,
  projectId: string,
  subscriberId: string,
  template: PendingTemplate | PendingConfirmation | PendingDataMail,
  { id = newId(), when = sql`true` }: { id?: string; when?: SQL } = {},
): { id: string; statement: ReturnType<typeof insertPendingMail> } {
  const at = now();
  const mail = {
    id,
    subscriberId,
    templateId: ("id" in template ? template.id : null) ?? null,
    templateName: "name" in template ? template.name : null,
    isPublic: template.isPublic,
    data: dataOf(template),
    dueAt: at + MESSAGE_GRACE_MS,
    createdAt: at,
  };
  return { id, statement: insertPendingMail(db, projectId, mail, when) };
}

function dataOf(template: PendingTemplate | PendingConfirmation | PendingDataMail) {
  if ("confirm" in template) return { confirm: template.confirm };
  return "link" in template ? { link: template.link } : null;
}

/**
 * Mails a subscriber of any status the link to their stored data. The mail goes to the address that
 * the subscriber has when it is sent, and a suppressed address gets none. The link in a mail
 * authorises the call; the HTTP layer limits it. Takes one D1 round trip.
 */
export async function mailDataLink(
  { deps }: Ctx,
  { id, projectId }: { id: string; projectId: string },
): Promise<void> {
  const mail = addPendingMail(deps, projectId, id, { link: "data", isPublic: true });
  await runBatch(deps.db, [mail.statement]);
  deps.waitUntil(wakePendingMails(deps, [mail.id]));
}

/**
 * Queues pending mails for processing. Never throws: the sweep starts what a lost message would
 * have started.
 */
export async function wakePendingMails(deps: Deps, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  try {
    await deps.mailQueue.sendBatch(
      ids.map((pendingMailId) => ({ body: { type: "pending_mail", pendingMailId } })),
    );
  } catch (error) {
    logLine("warn", "pending_mail_wake_refused", { mails: ids.length, error: errorText(error) });
  }
}

/**
 * Wakes mails that are due because of lost messages, dead workers or deferred attempts. Mails of
 * the service have a queue of their own. Runs every minute.
 */
export async function sweepPendingMails(deps: Deps): Promise<number> {
  const due = await takeDueMails(deps.db, deps.now(), MESSAGE_GRACE_MS, {
    ofProject: MAILS_OF_PROJECT_PER_RUN,
    inAll: MAILS_PER_RUN,
  });
  const { own = [], others = [] } = Object.groupBy(due, ({ kind }) =>
    kind === "subscriber" ? "others" : "own",
  );
  await wakeServiceMail(deps, ...own);
  await wakePendingMails(
    deps,
    others.map(({ id }) => id),
  );
  return due.length;
}

/**
 * Wakes the mail to a subscriber of a project that has been due for longest. Returns false if none
 * is due. Never throws: the sweep finds what this leaves.
 */
export async function wakeNextMail(deps: Deps, projectId: string): Promise<boolean> {
  try {
    const [next] = await takeNextMail(deps.db, projectId, deps.now(), MESSAGE_GRACE_MS);
    if (next) await wakePendingMails(deps, [next.id]);
    return next !== undefined;
  } catch (error) {
    logLine("warn", "pending_mail_wake_refused", { mails: 1, error: errorText(error) });
    return false;
  }
}

/** The start of an attempt; `settled` when the mail is no longer pending. */
export type PendingAttempt = { kind: "pending"; mail: PendingMail } | { kind: "settled" };

/**
 * Begins an attempt at a pending mail. The next attempt becomes due by itself unless
 * `removePendingMail` follows. Gives up a mail without attempts or time left, with an error line in
 * the log.
 */
export async function attemptPendingMail(deps: Deps, id: string): Promise<PendingAttempt> {
  const [mail] = await beginAttempt(deps.db, id, deps.now(), BACKOFF_MS);
  if (!mail) return { kind: "settled" };
  const isOld = deps.now() - mail.createdAt >= PENDING_LIFE_MS;
  if (mail.attempts <= MAX_ATTEMPTS && !isOld) return { kind: "pending", mail };
  const { projectId, subscriberId, attempts } = mail;
  logLine("error", "pending_mail_given_up", { projectId, subscriberId, attempts });
  await removePendingMail(deps, id);
  return { kind: "settled" };
}

/** Removes a mail whose outcome is in the log, or can never be there. */
export async function removePendingMail(deps: Deps, id: string): Promise<void> {
  await deletePendingMail(deps.db, id);
}

/**
 * Keeps a mail whose attempt is in the log as a transient failure. The id of a pending mail
 * distinguishes sends, so the mail gets another id. A worker with the old id finds nothing pending.
 * If this worker dies first, the next attempt sees the failure again and comes here.
 */
export async function putOffPendingMail(deps: Deps, id: string): Promise<void> {
  await renewPendingMail(deps.db, id, deps.newId());
}

/**
 * Hands a mail of the service that no worker can be sending over to another project. Returns false,
 * and changes nothing, if one may be sending it.
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
 * Postpones a mail that a limit holds back. Its time starts again when it is due, unless it
 * `keepsAge`. The next attempt at a mail that is `isCounted` is not its first.
 */
export async function holdBackPendingMail(
  deps: Deps,
  id: string,
  { waitMs, isCounted, keepsAge }: { waitMs: number; isCounted?: boolean; keepsAge?: boolean },
): Promise<void> {
  const dueAt = deps.now() + waitMs;
  const createdAt = keepsAge ? undefined : dueAt;
  await postponePendingMail(deps.db, id, { dueAt, createdAt, attemptsMin: isCounted ? 1 : 0 });
}
