import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Database } from "../../db/client.ts";
import { prepared } from "../../db/prepared.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import type { FillLevel } from "../../lib/storage-fill.ts";
import { storedBy } from "./quota.ts";

/** The age at which a measurement is too old to use. */
export const STALE_MS = HOUR_MS;

/** The last measurement of the database. */
export interface StorageRow {
  bytes: number;
  level: FillLevel;
  /** Milliseconds; 0 before the first measurement. */
  measuredAt: number;
  /** The bytes stored by the workspace, if `selectRoom` read the row in cloud mode. */
  workspaceBytes?: number;
}

export const STORAGE = sql`select bytes, level, measured_at as "measuredAt" from storage`;

const storageRow = prepared((db) => db.all<StorageRow>(sql`${STORAGE} where id = 'storage'`));

/** Selects the last measurement in a batch: one row, by its id. */
export const selectStorage = (db: Database) => storageRow(db, {});

const roomRow = prepared((db, { projectId }: { projectId: SQL }) =>
  db.all<StorageRow>(
    sql`select *, ${storedBy(projectId)} as "workspaceBytes" from (${STORAGE} where id = 'storage')`,
  ),
);

/** Selects the same, in cloud mode with the storage of the project's workspace: one row. */
export const selectRoom = ({ db, config }: Pick<Deps, "db" | "config">, projectId: string) =>
  config.workspaceStorageBytes === null ? selectStorage(db) : roomRow(db, { projectId });

/**
 * Returns a condition for a batch: the database is not full (as in `isFull`), and the workspace of
 * the project is below its quota. If the quota is null, it reads no row.
 */
export const hasRoom = (
  projectId: string | SQL,
  now: number | SQL,
  quota: number | null | SQL,
): SQL =>
  sql`(not exists (select 1 from storage
      where id = 'storage' and level = 'full' and measured_at > ${now} - ${sql.raw(String(STALE_MS))})
    and (${quota} is null or ${storedBy(projectId)} < ${quota}))`;

/** Stores a measurement unless another run has stored one since `read`. */
export const updateStorage = (
  db: Database,
  read: StorageRow,
  { bytes, level, measuredAt }: Pick<StorageRow, "bytes" | "level" | "measuredAt">,
) =>
  db.run(
    sql`update storage set bytes = ${bytes}, level = ${level}, measured_at = ${measuredAt}
      where id = 'storage' and measured_at = ${read.measuredAt}`,
  );
