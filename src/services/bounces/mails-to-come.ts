import type { Deps } from "../../deps.ts";
import { refusal, type AppError } from "../../errors.ts";
import { uuidTime } from "../../lib/ids.ts";
import { logLine } from "../../lib/log-line.ts";
import { awaitedMails } from "../tracking/index.ts";

/** The time within which a sent mail appears in the log. */
const LOGGED_WITHIN_MS = 5 * 60_000;

/**
 * Returns the log ids whose mail may soon be in the log: they are new, or a worker has the mail in
 * flight. The caller did not find them in the log of any project. Ignores ids with a future time,
 * because a Message-ID can be forged. Takes no D1 round trip for new ids, otherwise one.
 */
export async function mailsToCome(deps: Deps, logIds: string[]): Promise<ReadonlySet<string>> {
  const now = deps.now();
  const past = logIds.filter((id) => uuidTime(id) <= now);
  const isNew = (id: string) => now - uuidTime(id) < LOGGED_WITHIN_MS;
  const older = past.filter((id) => !isNew(id));
  const awaited = older.length === 0 ? [] : await awaitedMails(deps, older);
  return new Set([...past.filter(isNew), ...awaited]);
}

/**
 * Throws while one of these mails, which are not in the log yet, may still appear there. The report
 * is then delivered again.
 */
export async function requireNoLogging(deps: Deps, logIds: string[]): Promise<void> {
  if ((await mailsToCome(deps, logIds)).size > 0) throw notLoggedYet();
}

/** Returns the error with which email routing makes the sender retry. */
export const notLoggedYet = () => new Error("this mail is not in the log yet");

/** The delay after which an early report may be posted again. */
const AGAIN_AFTER_SECONDS = 60;

/** Logs and returns the error for a posted body with reports whose mails may soon be in the log. */
export function earlyReports(projectId: string, reports: number): AppError {
  logLine("info", "early_reports_refused", { projectId, reports });
  return refusal("mail_not_logged_yet", {}, { retryAfterSeconds: AGAIN_AFTER_SECONDS });
}
