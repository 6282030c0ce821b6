/*
 * The retention of the log while the database is short of space. From 85 % of the limit on, each
 * cleanup run that completes shortens the retention by one more day, down to seven days. Below that
 * mark, LOG_RETENTION_DAYS applies again.
 */
import { and, eq, sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Database } from "../../db/client.ts";
import { LOG_STATUSES, logRetention } from "../../db/schema/index.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { logLine } from "../../lib/log-line.ts";
import { isAtLeast } from "../../lib/storage-fill.ts";
import { knownFill, type StorageRow } from "../storage/index.ts";
import { keptFromDays, ONE_ROW, type ShortenedLog } from "./retention.ts";
import { storedIdSql } from "./stored-form.ts";

/** The shortest retention that full storage can cause. */
const MIN_DAYS = 7;

/** Returns true while the storage requires a shorter retention. */
export function isShort(deps: Deps, storage: StorageRow | undefined): boolean {
  const { level } = knownFill(deps, storage);
  return level !== undefined && isAtLeast(level, "warning");
}

/**
 * Returns the retention of the next run while the storage is short: one day less than now, counted
 * from the oldest entry if that is younger. Null means LOG_RETENTION_DAYS.
 */
export async function nextDays(deps: Deps, { days }: ShortenedLog): Promise<number | null> {
  const own = deps.config.logRetentionDays || Infinity;
  if (own <= MIN_DAYS) return null;
  const [log] = await selectOldest(deps.db);
  if (!log || log.sentAt === null) return days;
  const age = Math.ceil((deps.now() - log.sentAt) / DAY_MS);
  return Math.min(own, Math.max(MIN_DAYS, Math.min(days ?? own, age) - 1));
}

/**
 * Stores a retention unless another run has changed it since `read`. From then on, reads exclude
 * entries outside of it, even before their removal.
 */
export async function moveRetention(
  { db, config, now }: Deps,
  read: ShortenedLog,
  days: number | null,
): Promise<ShortenedLog> {
  const start = days === null ? read.keptFrom : Math.max(read.keptFrom, keptFromDays(now(), days));
  if (days === read.days && start === read.keptFrom) return read;
  const isRead = and(ONE_ROW, sql`days is ${read.days}`, eq(logRetention.keptFrom, read.keptFrom));
  const next = { days, keptFrom: start };
  const moved = await db.update(logRetention).set(next).where(isRead).returning();
  if (moved.length === 0) return read;
  const own = config.logRetentionDays;
  if (days !== read.days)
    logLine(days === null ? "info" : "warn", "log_retention", { days: days ?? own, own });
  return next;
}

/**
 * Selects the time of the oldest entry, null if there is none: one index lookup per project and
 * status. Ids of mails cannot provide it, because those of a broadcast carry the time at which the
 * broadcast started.
 */
const selectOldest = (db: Database) =>
  db.all<{ sentAt: number | null }>(
    sql`select min((select min(l.sent_at) from log_entries l indexed by log_entries_by_status
          where l.project_id = ${storedIdSql(sql`p.id`)} and l.status = s.key)) as "sentAt"
      from projects p cross join json_each(${JSON.stringify(LOG_STATUSES)}) s`,
  );
