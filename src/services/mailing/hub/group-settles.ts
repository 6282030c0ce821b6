import type { Deps } from "../../../deps.ts";
import { runBatchAfter } from "../../../db/client.ts";
import { errorText, logLine } from "../../../lib/log-line.ts";
import { settleNowOrLater, statementsOfAll, type SingleSettle } from "../settle-later.ts";

/** The most mails in one write. With operations it has some 200 statements. */
const GROUP_MAX = 50;

interface Waiting {
  settle: SingleSettle;
  done: PromiseWithResolvers<void>;
}

/**
 * Returns a function that settles single mails of one project. A mail that finishes while no write
 * runs is written at once. Those that finish during a write share the next one. The promise of a
 * mail ends when its own outcome is stored or queued.
 */
export function groupSettles(deps: Deps): (settle: SingleSettle) => Promise<void> {
  const waiting: Waiting[] = [];
  let isWriting = false;

  const writeAll = async () => {
    isWriting = true;
    while (waiting.length > 0) await writeGroup(deps, waiting.splice(0, GROUP_MAX));
    isWriting = false;
  };

  return (settle) => {
    const done = Promise.withResolvers<void>();
    waiting.push({ settle, done });
    if (!isWriting) void writeAll();
    return done.promise;
  };
}

/** Writes a group in one batch. If it fails, every mail is settled alone. Never throws. */
async function writeGroup(deps: Deps, group: Waiting[]): Promise<void> {
  const settles = group.map(({ settle }) => settle);
  if (settles.length > 1 && (await isWritten(deps, settles))) {
    for (const { done } of group) done.resolve();
    return;
  }
  const alone = async ({ settle, done }: Waiting) =>
    settleNowOrLater(deps, settle).then(done.resolve, done.reject);
  await Promise.all(group.map(alone));
}

/**
 * Tries to settle a group. A failure may have an answer that was lost: each mail of the group then
 * finds itself in the log and is not counted again.
 */
async function isWritten(deps: Deps, settles: SingleSettle[]): Promise<boolean> {
  try {
    await runBatchAfter(deps.db, statementsOfAll(deps, settles), []);
    return true;
  } catch (error) {
    logLine("warn", "settle_group_split", { mails: settles.length, error: errorText(error) });
    return false;
  }
}
