import { keptConnections } from "./sending-limits.ts";

/**
 * Duration of a connection lease. At most the lease of a chunk, so that a dead worker's connections
 * are free for the next one.
 */
export const CONNECTION_LEASE_MS = 20_000;

export interface ConnectionLease {
  connections: number;
  untilMs: number;
}

/** Connections held by workers. Leases expire, so a dead worker's connections are returned. */
export class ConnectionLeases {
  readonly #leases: Map<string, ConnectionLease>;

  constructor(leases: Iterable<[worker: string, lease: ConnectionLease]> = []) {
    this.#leases = new Map(leases);
  }

  /** Returns the number of connections in use, except those of one worker. */
  inUse(now: number, except?: string): number {
    let held = 0;
    for (const [worker, { connections, untilMs }] of this.#leases)
      if (untilMs > now && worker !== except) held += connections;
    return held;
  }

  /**
   * Grants a worker up to `wanted` of `most` connections, minus those of others and those that
   * single sends keep or use. Returns its lease, or undefined if it has none.
   */
  hold(
    worker: string,
    wanted: number,
    most: number,
    ofSingles: number,
    now: number,
  ): ConnectionLease | undefined {
    const kept = Math.max(keptConnections(most), ofSingles);
    const free = most - kept - this.inUse(now, worker);
    const connections = Math.max(0, Math.min(wanted, free));
    if (connections === 0) {
      this.#leases.delete(worker);
      return undefined;
    }
    const lease = { connections, untilMs: now + CONNECTION_LEASE_MS };
    this.#leases.set(worker, lease);
    return lease;
  }

  /** Removes expired leases, and returns their workers. */
  sweep(now: number): string[] {
    const ended = [...this.#leases].filter(([, { untilMs }]) => untilMs <= now);
    return ended.map(([worker]) => {
      this.#leases.delete(worker);
      return worker;
    });
  }
}
