import type { ChunkingState } from "./session-pool.ts";

/** The time for which fewer connections are opened after the server refused one more. */
const FEWER_FOR_MS = 60_000;

/** The time for which none is opened after the server refused one because of others. */
const HELD_MS = 1_000;

/** The facts about one account that its sessions have in common. */
interface AccountState {
  /** The sessions that are being opened, and those that are being closed. */
  opening: number;
  closing: number;
  /** True after the server refused another session while the last ones were being closed. */
  waitsForClosing: boolean;
  /** The time before which no session is opened, because others hold all connections. */
  heldUntilMs: number;
  chunking: ChunkingState;
  /** The number of connections that the server allowed when it refused another, and until when. */
  fewer: { connections: number; untilMs: number };
}

/** The accounts whose sessions are kept: one, or those of a first server and its fallback. */
export class AccountStates {
  #wanted = new Set<string>();
  readonly #states = new Map<string, AccountState>();

  /** Keeps these accounts. Returns false if they are the same as before. */
  keep(accounts: string[]): boolean {
    const isSame =
      accounts.length === this.#wanted.size && accounts.every((one) => this.#wanted.has(one));
    if (isSame) return false;
    this.#wanted = new Set(accounts);
    for (const [account, { opening, closing }] of this.#states)
      if (!this.#wanted.has(account) && opening + closing === 0) this.#states.delete(account);
    return true;
  }

  /** Returns false for an account whose sessions end after their mail. */
  isWanted(account: string): boolean {
    return this.#wanted.has(account);
  }

  of(account: string): AccountState {
    const known = this.#states.get(account);
    if (known) return known;
    const fewer = { connections: Number.POSITIVE_INFINITY, untilMs: 0 };
    const none = { opening: 0, closing: 0, waitsForClosing: false, heldUntilMs: 0 };
    const state: AccountState = { ...none, chunking: "untried", fewer };
    this.#states.set(account, state);
    return state;
  }

  /** The sessions of all accounts that are being opened. */
  get opening(): number {
    return this.#sum("opening");
  }

  /** The sessions of all accounts that are being closed. */
  get closing(): number {
    return this.#sum("closing");
  }

  #sum(what: "opening" | "closing"): number {
    return [...this.#states.values()].reduce((sum, state) => sum + state[what], 0);
  }

  /** Returns true if a session may be opened now, as far as the last refusal goes. */
  mayOpen(account: string): boolean {
    const { waitsForClosing, heldUntilMs } = this.of(account);
    return !waitsForClosing && performance.now() >= heldUntilMs;
  }

  /** Notes that others hold all connections to the server of an account. */
  hold(account: string): void {
    this.of(account).heldUntilMs = performance.now() + HELD_MS;
  }

  /** Notes that the server of an account wants at most this many connections for a while. */
  allowFewer(account: string, connections: number): void {
    this.of(account).fewer = { connections, untilMs: performance.now() + FEWER_FOR_MS };
  }

  /** Returns the most connections that the server of an account allows now. */
  allowed(account: string): number {
    const { connections, untilMs } = this.of(account).fewer;
    return performance.now() < untilMs ? Math.max(1, connections) : Number.POSITIVE_INFINITY;
  }
}
