import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { AppError, reasonOf, refusal } from "../../errors.ts";
import { withTexts, type Message } from "../../messages/message.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { DEFAULT_IMAP_TIMEOUTS, ImapError, ImapSession } from "../../mail/imap/index.ts";
import { addNotices } from "../service-mail/index.ts";
import { inspectCopies } from "./inspect-copies.ts";
import { addCounts, handleReports, type ReportCounts } from "./handle-reports.ts";
import { openMailbox } from "./mailbox-settings.ts";
import {
  claimMailbox,
  finishPoll,
  hasFailedSince,
  touchMailbox,
  type MailboxRow,
} from "./queries.ts";
import { cutText } from "../../lib/cut-text.ts";

/** The largest number of unread messages in one poll. The next poll takes the rest. */
export const MESSAGES_PER_POLL = 500;

/** The number of messages fetched, recorded and marked as seen together. */
const MESSAGES_PER_CHUNK = 20;

/**
 * The number of bytes read per message. The report and its text come first, the returned mail last.
 * A chunk of messages is at most 4 MiB.
 */
const MAX_MESSAGE_BYTES = 204_800;

/**
 * The maximum number of messages that one poll leaves unread because their Message-ID names a mail
 * outside the log. Anyone can forge one, and unread messages displace others in the next poll.
 */
const EARLY_PER_POLL = 100;

/**
 * The time after which no further chunk starts. The session ends a minute later, and the next poll
 * starts two minutes later.
 */
const POLL_MS = 3 * 60_000;

/**
 * The maximum time between two writes of a running poll. Until it has passed, no other poll claims
 * the mailbox.
 */
const QUIET_MS = 10_000;

const MAX_ERROR_CHARACTERS = 500;

/**
 * The result of a poll. `skipped` means that the mailbox is disabled or deleted, or that another
 * poll holds it. `failed` carries the text of `last_error`.
 */
export type PollResult =
  | { kind: "skipped" }
  | ({ kind: "polled" } & ReportCounts)
  | ({ kind: "failed"; error: string } & ReportCounts);

/**
 * Reads the unread messages of a project's bounce mailbox and records their bounces. Then marks the
 * messages as seen, except reports about mails that may soon be in the log. Deletes nothing (API
 * reference §14.2). Polls are idempotent: two concurrent ones repeat the work with the same result.
 * The claim makes this rare.
 */
export async function pollMailbox(deps: Deps, projectId: string): Promise<PollResult> {
  const startedAt = deps.now();
  const [mailbox] = await claimMailbox(deps.db, projectId, startedAt, startedAt - QUIET_MS);
  if (!mailbox) return { kind: "skipped" };
  const counts: ReportCounts = {
    messages: 0,
    unreadable: 0,
    suppressed: 0,
    unverified: 0,
    ignored: 0,
  };
  const fault = await tellFailure(projectId, () =>
    readMailbox(deps, mailbox, startedAt + POLL_MS, counts),
  );
  await runBatch(deps.db, [
    finishPoll(deps.db, projectId, deps.now(), fault),
    ...(fault ? failureNotices(deps, mailbox, fault.message) : []),
  ]);
  const error = fault?.message ?? "";
  logLine(fault ? "warn" : "info", "bounces_polled", { projectId, error, ...counts });
  return fault ? { kind: "failed", error, ...counts } : { kind: "polled", ...counts };
}

/**
 * Returns the statements that notify the owners of a mailbox whose polls have failed for an hour.
 */
function failureNotices(deps: Deps, { projectId, host }: MailboxRow, error: string) {
  const notice = {
    projectId,
    cause: `mailbox ${projectId}`,
    title: "The bounce mailbox cannot be read",
    text: `${host} has failed for an hour: ${error}. Bounces that arrive there suppress no addresses until it works.`,
  };
  return addNotices(deps, notice, hasFailedSince(projectId, deps.now() - HOUR_MS));
}

/** Returns the message for `last_error`, without internal details; none on success. */
async function tellFailure(
  projectId: string,
  work: () => Promise<void>,
): Promise<Message | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    const cut = (text: string) => cutText(text, MAX_ERROR_CHARACTERS);
    if (error instanceof ImapError) return withTexts(error.reason, cut);
    if (error instanceof AppError) return withTexts(reasonOf(error), cut);
    logLine("error", "bounce_poll_failed", { projectId, error: errorText(error) });
    return reasonOf(refusal("internal_error", {}));
  }
}

async function readMailbox(
  deps: Deps,
  mailbox: MailboxRow,
  until: number,
  counts: ReportCounts,
): Promise<void> {
  const settings = await openMailbox(deps, mailbox);
  const session = await ImapSession.open(settings, deps.sockets, DEFAULT_IMAP_TIMEOUTS);
  let left = 0;
  try {
    await session.select(mailbox.folder);
    const uids = await session.searchUnseen(MESSAGES_PER_POLL);
    let room = EARLY_PER_POLL;
    for (let at = 0; at < uids.length && deps.now() < until; at += MESSAGES_PER_CHUNK) {
      const chunk = uids.slice(at, at + MESSAGES_PER_CHUNK);
      const messages = await session.fetch(chunk, MAX_MESSAGE_BYTES);
      const raws = messages.map(({ raw }) => raw);
      const { early, unproven, ...handled } = await handleReports(deps, mailbox.projectId, raws, {
        room,
      });
      addCounts(counts, handled);
      left += early.size;
      room -= unproven;
      await inspectCopies(
        deps,
        mailbox,
        raws.map((raw) => ({ raw, isWhole: raw.length < MAX_MESSAGE_BYTES })),
      );
      // This also marks messages that the server failed to return. They no longer exist, or they
      // would block every poll.
      const unread = new Set([...early].map((place) => messages[place]?.uid));
      await session.markSeen(chunk.filter((uid) => !unread.has(uid)));
      await touchMailbox(deps.db, mailbox.projectId, deps.now());
    }
  } finally {
    if (left > 0)
      logLine("info", "early_reports_left", { projectId: mailbox.projectId, messages: left });
    await session.logout();
  }
}
