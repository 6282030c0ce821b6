/*
 * Leases: how one of many workers takes a row of work and keeps it while it works.
 *
 * A worker claims a row before its side effect: it writes a token that no other worker has, and the
 * time at which its claim ends. The write has the condition that no lease is running, so SQL
 * decides who wins. Every later write of the worker has the condition that the row still has its
 * token. A worker that is presumed dead can therefore change nothing after another one took its row
 * over. It renews its lease while it works. When a lease ends, the row says what its worker had in
 * hand.
 */
import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { errorText, logLine } from "../lib/log-line.ts";

/** The clock, ids and settings that leases need; `Deps` has them. */
interface LeaseSource {
  now: () => number;
  newId: () => string;
  config: { leaseMs: number };
}

/** The part of a lease after which a write renews it. A renewal writes the rows of an index. */
const RENEW_AFTER = 1 / 6;

/** The part of a lease after which a slow delivery renews it without any other reason to write. */
const HEARTBEAT = 1 / 4;

/**
 * The longest lease of a worker with a heartbeat, in milliseconds. It need not outlive an answer.
 */
const RENEWED_LEASE_MAX_MS = 20_000;

/** A hold on a row: its token, and its end in milliseconds. */
export interface Lease {
  leaseToken: string;
  leaseUntil: number;
}

/** Returns the length of a lease that a heartbeat renews, in milliseconds. */
export function renewedLeaseMs({ config }: Pick<LeaseSource, "config">): number {
  return Math.min(config.leaseMs, RENEWED_LEASE_MAX_MS);
}

/** Returns a lease that begins now, with a token that no other worker has. */
export function newLease(deps: LeaseSource, lengthMs = deps.config.leaseMs): Lease {
  return { leaseToken: deps.newId(), leaseUntil: leaseEnd(deps, lengthMs) };
}

/** Returns when a lease taken or renewed now ends, in milliseconds. */
export function leaseEnd(
  { now, config }: Omit<LeaseSource, "newId">,
  lengthMs = config.leaseMs,
): number {
  return now() + lengthMs;
}

/** Returns true if the next write should renew a lease that ends at `until`. */
export function isRenewalDue(
  deps: Omit<LeaseSource, "newId">,
  until: number,
  lengthMs = renewedLeaseMs(deps),
): boolean {
  return leaseEnd(deps, lengthMs) - until >= lengthMs * RENEW_AFTER;
}

/** Returns how often a slow delivery settles and renews its lease, in milliseconds. */
export function heartbeatMs(deps: Pick<LeaseSource, "config">): number {
  return renewedLeaseMs(deps) * HEARTBEAT;
}

/**
 * Runs work that holds a lease of `lengthMs`, and calls `renew` several times a lease until the
 * work ends. A failed renewal does not end the work, because the next one may succeed in time.
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

/** Returns the condition that a row has this token. */
export function hasToken(token: SQLiteColumn, leaseToken: string): SQL {
  return sql`${token} = ${leaseToken}`;
}

/** Returns the condition that the lease of a row has ended. */
export function hasEnded(until: SQLiteColumn, now: number): SQL {
  return sql`${until} <= ${now}`;
}

/**
 * Returns `held`, a condition on the row of a lease, as a condition for the other statements of a
 * batch.
 */
export function whileHeld(table: SQLiteTable, held: SQL | undefined): SQL {
  return sql`exists (select 1 from ${table} where ${held})`;
}
