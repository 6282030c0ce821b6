import { unstable_readConfig } from "wrangler";
import prices from "../prices.json" with { type: "json" };
import type { Counts } from "../workers/counted.ts";

const DURABLE_MEMORY_GB = 0.128;
/** Assumed active time of a Durable Object per request; the work itself takes far less. */
const DURABLE_SECONDS = 0.01;
const MILLION = 1_000_000;

export type BilledUnit = keyof typeof prices.per_million;
/** One billed unit. */
export interface BillLine {
  unit: BilledUnit;
  amount: number;
  dollars: number;
}

/**
 * Returns the cost of a million units of work at marginal prices. `counts` and `cpuMs` are the
 * totals of `pieces` units.
 */
export function billOf(counts: Counts, cpuMs: number, pieces: number): BillLine[] {
  const used: Record<BilledUnit, number> = {
    requests: counts.requests,
    cpu_ms: cpuMs,
    d1_rows_read: counts.d1RowsRead,
    d1_rows_written: counts.d1RowsWritten,
    // Each message is deleted once, however often it is read.
    queue_operations: 2 * counts.queueWrites + counts.queueReads,
    durable_requests: counts.durableRequests,
    durable_gb_seconds: counts.durableRequests * DURABLE_SECONDS * DURABLE_MEMORY_GB,
    durable_rows_read: counts.durableRowsRead,
    durable_rows_written: counts.durableRowsWritten,
    kv_reads: counts.kvReads,
    kv_writes: counts.kvWrites,
    log_events: counts.logLines + loggedInvocations(counts),
  };
  return (Object.keys(prices.per_million) as BilledUnit[]).map((unit) => {
    const amount = (used[unit] / pieces) * MILLION;
    return { unit, amount, dollars: (amount / MILLION) * prices.per_million[unit] };
  });
}

/** Returns the number of invocations that Workers Logs records, based on wrangler.toml. */
function loggedInvocations({ requests, durableRequests }: Counts): number {
  const { logs } = unstable_readConfig({ config: "wrangler.toml" }).observability ?? {};
  const share = logs?.invocation_logs === false ? 0 : (logs?.head_sampling_rate ?? 1);
  return (requests + durableRequests) * share;
}

export const totalOf = (lines: BillLine[]): number =>
  lines.reduce((total, { dollars }) => total + dollars, 0);
