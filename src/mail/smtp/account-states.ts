/**
 * State of CHUNKING with a server: `off` after it failed, or after a lost session left messages
 * unknown.
 */
export type ChunkingState = "untried" | "works" | "off";

/** The time for which fewer connections are opened after the server refused one more. */
const FEWER_FOR_MS = 60_000;

/** The facts about one account that its sessions have in common. */
interface AccountState {
  /** The sessions that are being opened, and those that are being closed. */
  opening: number;
  closing: number;
  /** True after the server refused another session while the last ones were being closed. */
  waitsForClosing: boolean;
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

  /** The account of a first server that has a fallback. */
  get firstOfTwo(): string | undefined {
    const [first, fallback] = this.#wanted;
    return fallback === undefined ? undefined : first;
  }

  of(account: string): AccountState {
    const known = this.#states.get(account);
    if (known) return known;
    const fewer = { connections: Number.POSITIVE_INFINITY, untilMs: 0 };
    const none = { opening: 0, closing: 0, waitsForClosing: false };
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
    let sum = 0;
    for (const state of this.#states.values()) sum += state[what];
    return sum;
  }

  /** Notes that the server of an account wants at most this many connections for a while. */
  allowFewer(account: string, connections: number): void {
    this.of(account).fewer = { connections, untilMs: performance.now() + FEWER_FOR_MS };
  }

  /** Returns the most connections that the server of an account allows now. */
  allowed(account: string): number {
    const { connections, untilMs } = this.of(account).fewer;
    const isLimited = untilMs > 0 && performance.now() < untilMs;
    return isLimited ? Math.max(1, connections) : Number.POSITIVE_INFINITY;
  }
}
