import type { App } from "../../app.ts";
import { runBatch } from "../../db/client.ts";
import { AppError } from "../../errors.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { DEFAULT_IMAP_TIMEOUTS, ImapError, ImapSession } from "../../mail/imap/index.ts";
import { oweNotices } from "../service-mail/index.ts";
import { handleReports, type ReportCounts } from "./handle-reports.ts";
import { openMailbox } from "./mailbox-settings.ts";
import {
  claimMailbox,
  finishPoll,
  hasFailedSince,
  touchMailbox,
  type MailboxRow,
} from "./queries.ts";

/** Unread messages looked at in one poll; the next takes the rest. */
export const MESSAGES_PER_POLL = 500;

/** Messages fetched, written down and marked seen together. */
const MESSAGES_PER_CHUNK = 20;

/** Bytes read of one message: a report and its text come first, the returned mail last. A chunk of them is 4 MiB. */
const MAX_MESSAGE_BYTES = 204_800;

/** No further chunk is begun after this: the session ends a minute later, and the next poll two. */
const POLL_MS = 3 * 60_000;

/** A poll shows at least this often that it goes on; before that nobody else takes the mailbox. */
const QUIET_MS = 10_000;

const MAX_ERROR_CHARACTERS = 500;

/** `skipped`: not enabled, deleted, or another poll is at it. `failed`: as `last_error` tells. */
export type PollResult =
  | { kind: "skipped" }
  | ({ kind: "polled" } & ReportCounts)
  | ({ kind: "failed"; error: string } & ReportCounts);

/**
 * Reads the unread messages of a project's bounce mailbox, suppresses and marks what they report, and
 * marks them seen after that is written; deletes nothing (API reference §14.2). Two polls at
 * once do everything twice to the same end; the claim keeps that rare.
 */
export async function pollMailbox(app: App, projectId: string): Promise<PollResult> {
  const startedAt = app.now();
  const [mailbox] = await claimMailbox(app.db, projectId, startedAt, startedAt - QUIET_MS);
  if (!mailbox) return { kind: "skipped" };
  const counts: ReportCounts = { messages: 0, unreadable: 0, suppressed: 0, ignored: 0 };
  const error = await tellFailure(projectId, () =>
    readMailbox(app, mailbox, startedAt + POLL_MS, counts),
  );
  await runBatch(app.db, [
    finishPoll(app.db, projectId, app.now(), error),
    ...(error === "" ? [] : owedNotices(app, mailbox, error)),
  ]);
  logLine(error === "" ? "info" : "warn", "bounces_polled", { projectId, error, ...counts });
  return error === "" ? { kind: "polled", ...counts } : { kind: "failed", error, ...counts };
}

/** Tells the owners of a mailbox that has been failing for an hour. */
function owedNotices(app: App, { projectId, host }: MailboxRow, error: string) {
  const notice = {
    projectId,
    cause: `mailbox ${projectId}`,
    title: "The bounce mailbox cannot be read",
    text: `${host} has failed for an hour: ${error}. Bounces that arrive there suppress nobody until it works.`,
  };
  return oweNotices(app, notice, hasFailedSince(projectId, app.now() - HOUR_MS));
}

/** The words for `last_error`: "" when the work went well, and nothing of our own insides. */
async function tellFailure(projectId: string, work: () => Promise<void>): Promise<string> {
  try {
    await work();
    return "";
  } catch (error) {
    if (error instanceof ImapError || error instanceof AppError)
      return error.message.slice(0, MAX_ERROR_CHARACTERS);
    logLine("error", "bounce_poll_failed", { projectId, error: errorText(error) });
    return "internal error";
  }
}

async function readMailbox(
  app: App,
  mailbox: MailboxRow,
  until: number,
  counts: ReportCounts,
): Promise<void> {
  const settings = await openMailbox(app, mailbox);
  const session = await ImapSession.open(settings, app.sockets, DEFAULT_IMAP_TIMEOUTS);
  try {
    await session.select(mailbox.folder);
    const uids = await session.searchUnseen(MESSAGES_PER_POLL);
    for (let at = 0; at < uids.length && app.now() < until; at += MESSAGES_PER_CHUNK) {
      const chunk = uids.slice(at, at + MESSAGES_PER_CHUNK);
      const messages = await session.fetch(chunk, MAX_MESSAGE_BYTES);
      const raws = messages.map(({ raw }) => raw);
      addCounts(counts, await handleReports(app, mailbox.projectId, raws));
      await session.markSeen(chunk); // also what was not sent: it is gone, or would come again for ever
      await touchMailbox(app.db, mailbox.projectId, app.now());
    }
  } finally {
    await session.logout();
  }
}

function addCounts(counts: ReportCounts, more: ReportCounts): void {
  for (const key of ["messages", "unreadable", "suppressed", "ignored"] as const)
    counts[key] += more[key];
}
