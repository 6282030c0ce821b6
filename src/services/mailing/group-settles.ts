import type { Deps } from "../../deps.ts";
import { runBatchAfter } from "../../db/client.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { settleNowOrLater, statementsOfAll, type SingleSettle } from "./settle-later.ts";

/**
 * The largest number of mails in one write. With operations, such a write has some 200 statements.
 */
const GROUP_MAX = 50;

/**
 * The number of mails in a group for which a write waits under load, and the longest wait in
 * milliseconds. Load means that as many other mails still have no outcome.
 */
const GATHER = { mails: 8, waitMs: 20 };

interface Waiting {
  settle: SingleSettle;
  done: PromiseWithResolvers<void>;
}

/**
 * Returns a function that settles single mails of one project. A mail that finishes while no write
 * is running is written at once or, under load, after a short wait. Mails that finish in the
 * meantime share this write or the next one. The promise of a mail ends when its own outcome is
 * stored or queued. `inHand` returns the number of mails that have no stored outcome yet.
 */
export function groupSettles(
  deps: Deps,
  inHand: () => number,
): (settle: SingleSettle) => Promise<void> {
  const waiting: Waiting[] = [];
  let isWriting = false;
  let gathered: (() => void) | undefined;

  const isGroup = () => waiting.length >= GATHER.mails || inHand() - waiting.length < GATHER.mails;

  const gather = async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gathered = resolve;
    const timer = setTimeout(resolve, GATHER.waitMs);
    await promise;
    clearTimeout(timer);
  };

  const writeAll = async () => {
    isWriting = true;
    while (waiting.length > 0) {
      if (!isGroup()) await gather();
      await writeGroup(deps, waiting.splice(0, GROUP_MAX));
    }
    isWriting = false;
  };

  return (settle) => {
    const done = Promise.withResolvers<void>();
    waiting.push({ settle, done });
    if (!isWriting) void writeAll();
    else if (isGroup()) gathered?.();
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
 * Tries to settle a group. A write may succeed although its answer is lost. Each mail of the group
 * is then settled alone, found in the log, and not counted again.
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
