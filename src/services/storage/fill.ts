import type { Deps } from "../../deps.ts";
import { AppError, forbidden } from "../../errors.ts";
import { fillPercent, type FillLevel } from "../../lib/storage-fill.ts";
import { STALE_MS, type StorageRow } from "./queries.ts";

/** The wait before a refused send may be worth repeating. */
const RETRY_SECONDS = 300;

type Clock = Pick<Deps, "config" | "now">;

/** Returns the fraction of the limit that is in use. */
export const fillOf = ({ config }: Pick<Deps, "config">, row: StorageRow) =>
  (row.bytes - row.freedBytes) / config.storageLimitBytes;

/** The fill of the database. Both are undefined if the last measurement is too old, or missing. */
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

/** Returns true if the database has no room for the log of another mail. Unknown is not full. */
export const isFull = (deps: Clock, row: StorageRow | undefined) =>
  knownFill(deps, row).level === "full";

/**
 * Throws unavailable if the database has no room: for the log of another mail, which would be sent
 * again if it cannot be logged, or for new subscribers. Throws forbidden if the row is one of
 * `selectRoom` and the workspace has used up its quota.
 */
export function requireRoom(deps: Clock, row: StorageRow | undefined): void {
  const { percent, level } = knownFill(deps, row);
  if (level !== "full") return requireQuota(deps, row);
  throw new AppError(
    "unavailable",
    `the storage of this service is ${percent} % full: no mail is sent and nobody is added until ` +
      "its operator makes room, or old log entries are gone",
    { retryAfterSeconds: RETRY_SECONDS },
  );
}

function requireQuota({ config }: Clock, row: StorageRow | undefined): void {
  const { workspaceStorageBytes: quota } = config;
  const stored = row?.workspaceBytes;
  if (quota === null || stored === undefined || stored < quota) return;
  throw forbidden(
    `the workspace stores ${megabytes(stored)}, and its quota is ${megabytes(quota)}: nobody is ` +
      "added and webhooks get no events until its members delete subscribers, webhooks or " +
      "projects; the freed space counts within an hour",
  );
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
