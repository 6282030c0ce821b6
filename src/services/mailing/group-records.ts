import type { Deps } from "../../deps.ts";
import { recordByQueue, statementsOf, type SingleOutcome } from "./record-later.ts";
import { writeRecord } from "./write-record.ts";

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
  record: SingleOutcome;
  done: PromiseWithResolvers<void>;
}

/**
 * Returns a function that records single mails of one project. A mail that finishes while no write
 * is running is written at once or, under load, after a short wait. Mails that finish in the
 * meantime share this write or the next one. The promise of a mail ends when its own outcome is
 * stored or queued. `inHand` returns the number of mails that have no stored outcome yet.
 */
export function groupRecords(
  deps: Deps,
  inHand: () => number,
): (record: SingleOutcome) => Promise<void> {
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

  return (record) => {
    const done = Promise.withResolvers<void>();
    waiting.push({ record, done });
    if (!isWriting) void writeAll();
    else if (isGroup()) gathered?.();
    return done.promise;
  };
}

/**
 * Writes a group in one batch. The mails are already sent, so an error would make their callers
 * send them again. If D1 fails for some seconds, a queue therefore keeps each outcome. Never throws.
 */
async function writeGroup(deps: Deps, group: Waiting[]): Promise<void> {
  const records = group.map(({ record }) => record);
  try {
    await writeRecord(deps, statementsOf(deps, records), [], "seconds");
    for (const { done } of group) done.resolve();
  } catch (fault) {
    const later = ({ record, done }: Waiting) =>
      recordByQueue(deps, record, fault).then(done.resolve, done.reject);
    await Promise.all(group.map(later));
  }
}
