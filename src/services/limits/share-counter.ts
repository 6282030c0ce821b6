import { z } from "zod";
import type { Deps } from "../../deps.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import type { IpCounter } from "./ip-counters.ts";

/** The documented limit of KV: one write a second to one key. */
const WRITE_PAUSE_MS = 1_000;
/**
 * The time after which a share without a result counts as lost (its invocation ended, KV failed).
 */
const SHARE_TIMEOUT_MS = 10_000;
/** The lifetime of a count, which is needed in its minute and in the next. */
const LIFE_SECONDS = 120;

/** A counter's minute, its hits in that minute, and its hits in the minute before. */
const entrySchema = z.tuple([z.number(), z.number(), z.number()]);
type Entry = z.infer<typeof entrySchema>;
/**
 * The totals of each isolate. A repeated write is idempotent, and the next write replaces a lost
 * one.
 */
const sharedSchema = z.object({
  writtenMs: z.number(),
  entries: z.record(z.string(), entrySchema),
});
type Shared = z.infer<typeof sharedSchema>;

/**
 * Reads the hits that other isolates counted for this client and reports the hits of this isolate.
 * Costs one KV read, and one write unless an isolate wrote within the last second. Never rejects:
 * if KV fails, logs the error and retries after ten seconds.
 */
export async function shareCounter(deps: Deps, key: string, counter: IpCounter): Promise<void> {
  const giveUpMs = deps.now() + SHARE_TIMEOUT_MS;
  counter.nextShareMs = giveUpMs;
  counter.id ??= deps.newId();
  try {
    const shared = await readShared(deps, key);
    takeIn(counter, counter.id, shared);
    const now = deps.now();
    const sinceWriteMs = now - shared.writtenMs;
    if (sinceWriteMs >= 0 && sinceWriteMs < WRITE_PAUSE_MS) {
      counter.nextShareMs = now + WRITE_PAUSE_MS - sinceWriteMs;
      return;
    }
    if (now >= giveUpMs) return; // another share may have started
    const told = counter.unshared;
    const value = JSON.stringify(withOwn(counter, counter.id, shared, now));
    await deps.kv.put(key, value, { expirationTtl: LIFE_SECONDS });
    counter.unshared = Math.max(0, counter.unshared - told); // a new minute started at 0
    // An isolate that shares the key leaves the next second to the others.
    const writers = Object.keys(shared.entries).some((id) => id !== counter.id) ? 2 : 1;
    counter.nextShareMs = deps.now() + writers * WRITE_PAUSE_MS;
  } catch (error) {
    logLine("warn", "ip_limit_not_shared", { key, error: errorText(error) });
  }
}

/** Reads the shared counts. Counts in an unknown format are ignored. */
async function readShared(deps: Deps, key: string): Promise<Shared> {
  const parsed = sharedSchema.safeParse(await deps.kv.get(key, "json"));
  return parsed.success ? parsed.data : { writtenMs: 0, entries: {} };
}

/** Merges the counts from KV. KV may return stale counts, so known counts never decrease. */
function takeIn(counter: IpCounter, id: string, { entries }: Shared): void {
  const others = Object.entries(entries).filter(([name]) => name !== id);
  const sum = (minute: number) =>
    others.reduce((total, [, entry]) => total + hitsIn(entry, minute), 0);
  counter.others.current = Math.max(counter.others.current, sum(counter.minute));
  counter.others.before = Math.max(counter.others.before, sum(counter.minute - 1));
}

function hitsIn([minute, hits, before]: Entry, wanted: number): number {
  if (minute === wanted) return hits;
  return minute === wanted + 1 ? before : 0;
}

function withOwn(
  { minute, own }: IpCounter,
  id: string,
  shared: Shared,
  writtenMs: number,
): Shared {
  const fresh = Object.entries(shared.entries).filter(([, [when]]) => when >= minute - 1);
  const entry: Entry = [minute, own.current, own.before];
  return { writtenMs, entries: { ...Object.fromEntries(fresh), [id]: entry } };
}
