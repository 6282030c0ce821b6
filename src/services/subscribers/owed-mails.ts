/*
 * Mails the service owes a subscriber: the confirmation of a waitlist, a welcome. The debt is written
 * in the batch that adds the subscriber, and removed when the outcome is in the log; a queue message
 * only wakes a worker. So a lost message, a worker that dies before its send is claimed, or a server
 * that puts the mail off costs time and not the mail. A worker that dies between the claim and the log
 * may have sent it: that is logged as "outcome unknown" and not repeated, so that none comes twice.
 */
import type { App } from "../../app.ts";
import type { Statement } from "../../db/client.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import {
  beginAttempt,
  deleteOwedMail,
  insertOwedMail,
  postponeOwedMail,
  renewOwedMail,
  takeDueMails,
  type OwedMail,
} from "./owed-queries.ts";

/** A message that is not worked off in this time is taken for lost. */
const MESSAGE_GRACE_MS = 2 * 60_000;

const MINUTE_MS = 60_000;

/** From an attempt to the next one; the first two waits together outlast the lease of a send. */
const BACKOFF_MS = [1, 3, 10, 30, 60, 120, 240, 360].map((minutes) => minutes * MINUTE_MS);

/** After this many attempts, or this long, a mail is given up. */
export const MAX_ATTEMPTS = BACKOFF_MS.length;
/** Less than an Idempotency-Key is remembered: an attempt always finds what an earlier one with its id did. */
const OWED_LIFE_MS = 23 * 3_600_000;

/** Mails woken in one run of the sweep: what a `sendBatch` takes (Queues documentation, "Limits"). */
const MAILS_PER_RUN = 100;

/** What of one project is woken in one run: what its limit lets pass in a minute. */
const MAILS_OF_PROJECT_PER_RUN = 60;

/**
 * Which template: by id, or by name, the project's own and then the built-in one. `isPublic` where
 * anybody could have written the metadata.
 */
export type OwedTemplate = ({ id: string } | { name: string }) & { isPublic: boolean };

/** A debt as it is written: the statement for the batch, after the subscriber's, and its id. */
export function oweMail(
  { db, newId, now }: App,
  projectId: string,
  subscriberId: string,
  template: OwedTemplate,
): { id: string; statement: Statement } {
  const id = newId();
  const at = now();
  const statement = insertOwedMail(db, projectId, {
    id,
    subscriberId,
    templateId: "id" in template ? template.id : null,
    templateName: "name" in template ? template.name : null,
    isPublic: template.isPublic,
    dueAt: at + MESSAGE_GRACE_MS,
    createdAt: at,
  });
  return { id, statement };
}

/** Has the queue work off owed mails. Never throws: what a lost message would have started the sweep finds. */
export async function wakeOwedMails(app: App, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  try {
    await app.mailQueue.sendBatch(
      ids.map((owedMailId) => ({ body: { type: "subscriber_mail", owedMailId } })),
    );
  } catch (error) {
    logLine("warn", "owed_mail_wake_refused", { mails: ids.length, error: errorText(error) });
  }
}

/** Wakes mails that are due: of lost messages, dead workers and attempts put off; run every minute. */
export async function sweepOwedMails(app: App): Promise<number> {
  const due = await takeDueMails(app.db, app.now(), MESSAGE_GRACE_MS, {
    ofProject: MAILS_OF_PROJECT_PER_RUN,
    inAll: MAILS_PER_RUN,
  });
  await wakeOwedMails(
    app,
    due.map(({ id }) => id),
  );
  return due.length;
}

/** What an attempt begins with; `settled` when nothing is owed any more. */
export type OwedAttempt = { kind: "owed"; mail: OwedMail } | { kind: "settled" };

/**
 * Begins an attempt at an owed mail: the next one is due by itself unless `settleOwedMail` follows.
 * A mail that had its attempts or its time is given up, with an error line in the log.
 */
export async function attemptOwedMail(app: App, id: string): Promise<OwedAttempt> {
  const [mail] = await beginAttempt(app.db, id, app.now(), BACKOFF_MS);
  if (!mail) return { kind: "settled" };
  const isOld = app.now() - mail.createdAt >= OWED_LIFE_MS;
  if (mail.attempts <= MAX_ATTEMPTS && !isOld) return { kind: "owed", mail };
  const { projectId, subscriberId, attempts } = mail;
  logLine("error", "owed_mail_given_up", { projectId, subscriberId, attempts });
  await settleOwedMail(app, id);
  return { kind: "settled" };
}

/** Removes a debt: its outcome is in the log, or can never be. */
export async function settleOwedMail(app: App, id: string): Promise<void> {
  await deleteOwedMail(app.db, id);
}

/**
 * Owes a mail on whose attempt was logged as a transient failure. Sends are told apart by the debt's id,
 * so it gets another: whoever still has the old one finds nothing owed, and if the worker dies before this,
 * the next attempt is given the failure again and comes here.
 */
export async function putOffOwedMail(app: App, id: string): Promise<void> {
  await renewOwedMail(app.db, id, app.newId());
}

/** Has a mail wait that a limit holds back; it is not lost, and its time begins anew. */
export async function holdBackOwedMail(app: App, id: string, waitMs: number): Promise<void> {
  const now = app.now();
  await postponeOwedMail(app.db, id, now, now + waitMs);
}
