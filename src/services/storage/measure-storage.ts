import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatchAfter, type Statement } from "../../db/client.ts";
import { logLine } from "../../lib/log-line.ts";
import { fillLevel, fillPercent, isAtLeast, type FillLevel } from "../../lib/storage-fill.ts";
import { addOperatorNotice } from "../service-mail/index.ts";
import { fillOf } from "./fill.ts";
import { STORAGE, updateStorage, type StorageRow } from "./queries.ts";

/** The age at which an unchanged measurement is stored again. */
const RENEW_MS = 10 * 60_000;

/** The log severity of reaching a level. */
const SEVERITY = { ok: "info", warning: "warn", full: "error" } as const;

/** The remedy for a filling database, as shown to the operator. When it is full, no mail is sent. */
const REMEDY =
  "At 95%, the service stops sending. Lower LOG_RETENTION_DAYS, or delete projects that are no " +
  "longer needed.";

/**
 * Measures how full the database is and stores the level that every send reads. The size comes with
 * the response to any statement, so one D1 round trip is enough as long as nothing changes. Logs a
 * change of the level, and notifies the operator of "warning". Runs every minute.
 */
export async function measureStorage(deps: Deps): Promise<void> {
  const { db, now } = deps;
  const { results, meta } = await db.run(sql`${STORAGE} where id = 'storage'`);
  const [row] = results as StorageRow[]; // the columns of STORAGE
  const bytes: unknown = meta.size_after;
  if (!row || typeof bytes !== "number" || !(bytes > 0)) {
    logLine("warn", "storage_unknown", { size: String(bytes) });
    return;
  }
  const measuredAt = now();
  const fill = fillOf(deps, { bytes });
  const level = fillLevel(fill, row.level);
  const isNew = bytes !== row.bytes || level !== row.level;
  if (!isNew && measuredAt - row.measuredAt < RENEW_MS) return;
  const [stored] = await runBatchAfter(db, noticesOf(deps, row, level, fill), [
    updateStorage(db, row, { bytes, level, measuredAt }),
  ]);
  if (level === row.level || stored.meta.changes === 0) return; // or another run was faster
  const severity = isAtLeast(level, row.level) ? SEVERITY[level] : "info";
  logLine(severity, "storage_level", {
    level,
    before: row.level,
    percent: fillPercent(fill),
    bytes,
  });
}

/**
 * Returns the notice of a filling database. It is stored only if no other run has stored a
 * measurement.
 */
function noticesOf(deps: Deps, read: StorageRow, level: FillLevel, fill: number): Statement[] {
  if (level !== "warning" || isAtLeast(read.level, level)) return [];
  const title = `The storage of the service is ${fillPercent(fill)}% full`;
  const isFirst = sql`(select measured_at from storage where id = 'storage') = ${read.measuredAt}`;
  return [addOperatorNotice(deps, { title, text: REMEDY }, isFirst)];
}
