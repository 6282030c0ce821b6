import type { SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { EmailAddress, Mailbox } from "../../mail/address.ts";
import type { Statement } from "../../db/client.ts";
import type { InFlight } from "../../db/schema/index.ts";
import { appendLog, delayedEvents, type LogEntry, type LogStatus } from "../email-log/index.ts";
import {
  countRefused,
  noteAccepted,
  suppressStatements,
  touchSuppressions,
} from "../suppressions/index.ts";
import { noteMailed } from "../segments/index.ts";
import { realRecipients } from "../../mail/smtp/index.ts";
import type { Extras } from "./compose.ts";
import {
  EARLIER_MAX,
  softBouncesOf,
  suppressionsOf,
  type LoggedOutcomes,
  type MailOutcome,
} from "./outcome.ts";
import { cutText } from "../../lib/cut-text.ts";

/** The facts that the log keeps of a mail besides its outcome. */
export interface LoggedMail {
  logId: string;
  subject: string;
  tags: Extras["tags"];
  templateId: string | null;
  subscriberId: string | null;
  broadcastId: string | null;
  /** True for a mail of a test key, which no server gets. */
  isTest?: boolean | undefined;
}

/** The facts of a mail that is to be sent. */
export interface MailFacts extends LoggedMail {
  to: Mailbox;
}

/** A stand-in for an erased address, which nothing may store, or for none. No mail goes there. */
export const NOBODY: Mailbox = { name: "", address: "" as EmailAddress };

/** Returns the facts of a mail to an erased address, without any personal data. */
export const withoutRecipient = <Mail extends Omit<MailFacts, "broadcastId">>(
  mail: Mail,
): Mail => ({
  ...mail,
  to: NOBODY,
  subject: "",
  tags: null,
  subscriberId: null,
});

/** A mail with a known outcome. */
export interface FinishedMail {
  mail: MailFacts;
  outcome: MailOutcome;
}

/**
 * The longest subject in log, ledger and events. Variables can make a subject of any length, and a
 * batch is one parameter.
 */
const LOGGED_SUBJECT_CHARACTERS = 998;

/** Returns the subject of a mail as the log keeps it, without half a character at its end. */
export const loggedSubject = ({ subject }: LoggedMail) =>
  cutText(subject, LOGGED_SUBJECT_CHARACTERS);

/** A mail with a known outcome, without its recipient's name. */
export type LoggedOutcome = { mail: LoggedMail; outcome: LoggedOutcomes };

/** Returns the record of a mail that the ledger stores before SMTP. */
export function inFlightOf(mail: MailFacts): InFlight {
  return {
    logId: mail.logId,
    toEmail: mail.to.address,
    subject: loggedSubject(mail),
    templateId: mail.templateId,
    subscriberId: mail.subscriberId,
    ...(mail.isTest ? { isTest: true } : {}),
  };
}

/** Returns true for a mail that no server gets: it touches no list, and no total counts it. */
const isTested = ({ mail, outcome }: LoggedOutcome): boolean =>
  realRecipients([outcome.main.email], mail).length === 0;

/**
 * Returns all writes of finished mails as statements of one batch: log entries, counters, events,
 * suppressions of hard bounces, soft bounces, mailings of subscribers, and the time when suppressed
 * addresses were last seen. The statements do nothing if `when` (a claim that still holds) is
 * false. A repeated batch changes nothing (write-record.ts).
 */
export function recordStatements(
  deps: Deps,
  projectId: string,
  mails: LoggedOutcome[],
  when?: SQL,
): Statement[] {
  const outcomes = mails.flatMap(({ mail, outcome }) =>
    [outcome.main, ...outcome.copies].filter(
      // an erased person has no address
      ({ email }) => email !== "" && realRecipients([email], mail).length > 0,
    ),
  );
  const emailsOf = (wanted: LogStatus) =>
    outcomes.filter(({ status }) => status === wanted).map(({ email }) => email);
  const suppressed = emailsOf("suppressed");
  const delivered = mails.flatMap(({ mail: { broadcastId, subscriberId }, outcome }) =>
    broadcastId !== null && subscriberId !== null && outcome.main.status === "sent"
      ? [subscriberId]
      : [],
  );
  const entries = mails.map((recorded) => logEntry(deps.now(), projectId, recorded));
  return [
    ...appendLog(deps, projectId, entries, when),
    ...suppressStatements(deps, projectId, suppressionsOf(outcomes), when),
    ...noteAccepted(deps, projectId, emailsOf("sent"), when),
    ...countRefused(deps, projectId, softBouncesOf(outcomes), when),
    ...(delivered.length > 0
      ? [noteMailed(deps.db, projectId, { ids: delivered, at: deps.now() }, when)]
      : []),
    ...(suppressed.length > 0
      ? [touchSuppressions(deps.db, projectId, suppressed, deps.now())]
      : []),
  ];
}

/** Returns the statement that reports mails that wait for another attempt, if `when` is true. */
export const delayedStatements = (
  deps: Deps,
  projectId: string,
  mails: LoggedOutcome[],
  when: SQL,
): Statement[] =>
  delayedEvents(
    deps,
    projectId,
    mails.map((delayed) => logEntry(deps.now(), projectId, delayed)),
    when,
  );

function logEntry(now: number, projectId: string, recorded: LoggedOutcome): LogEntry {
  const { mail, outcome } = recorded;
  const { main } = outcome;
  const refused = outcome.copies.filter(({ status }) => status !== "sent");
  const copies = refused.map(({ email, status, error, reason }) => ({
    email,
    status,
    error: error ?? "",
    ...(reason ? { reason } : {}),
  }));
  return {
    id: mail.logId,
    projectId,
    subscriberId: mail.subscriberId,
    templateId: mail.templateId,
    broadcastId: mail.broadcastId,
    toEmail: main.email,
    subject: loggedSubject(mail),
    status: main.status,
    error: main.error,
    reason: main.reason ?? null,
    viaFallback: main.viaFallback ? 1 : null,
    queueId: main.queueId ?? null,
    earlier: main.earlier?.slice(-EARLIER_MAX) ?? null,
    tags: mail.tags,
    copies: copies.length > 0 ? copies : null,
    sentAt: now,
    test: isTested(recorded) ? 1 : null,
  };
}
