/*
 * Leases: exclusive, expiring ownership of a row by one worker.
 *
 * A worker claims a row before any side effect by writing a unique token and an expiry time, on the
 * condition that no lease is active: SQL decides the race. Every later write requires that the row
 * still holds the worker's token, so a worker that was presumed dead cannot change a row that
 * another one took over (a fencing token). The worker renews its lease while it works. When a lease
 * expires, the row still records what its worker had in flight.
 */
import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { errorText, logLine } from "../lib/log-line.ts";

/** Clock, ids and settings; `Deps` provides them. */
interface LeaseSource {
  now: () => number;
  newId: () => string;
  config: { leaseMs: number };
}

/** A slow delivery without other writes renews its lease after this fraction of it. */
const HEARTBEAT = 1 / 4;

/**
 * Maximum lease of a worker with a heartbeat, in milliseconds. It need not outlive an SMTP
 * response.
 */
const RENEWED_LEASE_MAX_MS = 20_000;

/** A lease on a row: its token, and its expiry in milliseconds. */
export interface Lease {
  leaseToken: string;
  leaseUntil: number;
}

/** Returns a lease that starts now, with a unique token. */
export function newLease(deps: LeaseSource): Lease {
  return { leaseToken: deps.newId(), leaseUntil: leaseEnd(deps) };
}

/** Returns the expiry of a lease taken or renewed now, in milliseconds. */
export function leaseEnd({ now, config }: Omit<LeaseSource, "newId">): number {
  return now() + config.leaseMs;
}

/** Returns the heartbeat interval of a slow delivery, in milliseconds. */
export function heartbeatMs({ config }: Pick<LeaseSource, "config">): number {
  return Math.min(config.leaseMs, RENEWED_LEASE_MAX_MS) * HEARTBEAT;
}

/**
 * Runs work under a lease of `lengthMs` and calls `renew` several times per lease until the work
 * ends. A failed renewal does not abort the work, because the next one may succeed in time.
 */
export async function renewing<T>(
  lengthMs: number,
  renew: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const heartbeat = setInterval(() => {
    renew().catch((error: unknown) =>
      logLine("warn", "lease_not_renewed", { error: errorText(error) }),
    );
  }, lengthMs * HEARTBEAT);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
  }
}

/** Returns the condition that a row holds this token. */
export function hasToken(token: SQLiteColumn, leaseToken: string): SQL {
  return sql`${token} = ${leaseToken}`;
}

/** Returns the condition that the lease of a row has expired. */
export function hasEnded(until: SQLiteColumn, now: number): SQL {
  return sql`${until} <= ${now}`;
}

/**
 * Turns `held`, a condition on the leased row, into a condition for the other statements of a
 * batch.
 */
export function whileHeld(table: SQLiteTable, held: SQL | undefined): SQL {
  return sql`exists (select 1 from ${table} where ${held})`;
}
