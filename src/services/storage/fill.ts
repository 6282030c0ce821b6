import type { Deps } from "../../deps.ts";
import { refusal } from "../../errors.ts";
import { fillPercent, type FillLevel } from "../../lib/storage-fill.ts";
import { STALE_MS, type StorageRow } from "./queries.ts";

/** The delay before retrying a rejected send may succeed. */
const RETRY_SECONDS = 300;

type Clock = Pick<Deps, "config" | "now">;

/** Returns the fraction of the limit that is in use. */
export const fillOf = ({ config }: Pick<Deps, "config">, row: Pick<StorageRow, "bytes">) =>
  row.bytes / config.storageLimitBytes;

/**
 * The storage level of the database. Both are undefined if the last measurement is missing or too
 * old.
 */
export interface KnownFill {
  percent: number | undefined;
  level: FillLevel | undefined;
}

/** Reads the fill from a row of `selectStorage`. */
export function knownFill(deps: Clock, row: StorageRow | undefined): KnownFill {
  if (!row || deps.now() - row.measuredAt >= STALE_MS)
    return { percent: undefined, level: undefined };
  return { percent: fillPercent(fillOf(deps, row)), level: row.level };
}

/**
 * Returns true if the database has no space for the log entry of another mail. Unknown is not full.
 */
export const isFull = (deps: Clock, row: StorageRow | undefined) =>
  knownFill(deps, row).level === "full";

/**
 * Throws storage_full if the database has no space: for the log entry of another mail, which would
 * be sent again if it could not be logged, or for new subscribers. Throws workspace_quota_reached
 * if the row is one of `selectRoom` and the workspace has used up its quota.
 */
export function requireRoom(deps: Clock, row: StorageRow | undefined): void {
  if (!row || !isFull(deps, row)) return requireQuota(deps, row);
  const percent = fillPercent(fillOf(deps, row));
  throw refusal("storage_full", { percent }, { retryAfterSeconds: RETRY_SECONDS });
}

function requireQuota({ config }: Clock, row: StorageRow | undefined): void {
  const { workspaceStorageBytes: quota } = config;
  const stored = row?.workspaceBytes;
  if (quota === null || stored === undefined || stored < quota) return;
  throw refusal("workspace_quota_reached", {
    stored: megabytes(stored),
    quota: megabytes(quota),
  });
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
