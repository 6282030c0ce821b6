import { SmtpSession } from "./session.ts";
import { accountOf, type SmtpSettings } from "./settings.ts";

/**
 * State of CHUNKING with a server: `off` after it failed, or after a lost session left messages
 * unknown.
 */
export type ChunkingState = "untried" | "works" | "off";

/** A session without a shipment, and the start of its rest. */
interface Resting {
  session: SmtpSession;
  since: number;
}

/**
 * Sessions kept open between shipments to one server by one invocation. One shipment uses the pool
 * at a time. Pooled sessions and those in use together stay within the shipment's limit.
 */
export class SessionPool {
  chunking: ChunkingState = "untried";
  readonly #checkAfterMs: number;
  readonly #idle: Resting[] = [];
  #account: string | undefined;
  #leaving: Promise<unknown> = Promise.resolve();

  /** A session that has rested for `checkAfterMs` answers RSET before it carries a message. */
  constructor(checkAfterMs = 0) {
    this.#checkAfterMs = checkAfterMs;
  }

  /**
   * Dedicates the pool to these settings and to a number of sessions; drops the sessions above it,
   * and sessions and CHUNKING state of any other settings.
   */
  async prepare(settings: SmtpSettings, sessionsMax = Infinity): Promise<void> {
    const account = accountOf(settings);
    if (account === this.#account) {
      const surplus = this.#idle.splice(Math.max(1, Math.floor(sessionsMax)));
      await Promise.all(surplus.map(({ session }) => session.quit()));
      return;
    }
    await this.close();
    this.#account = account;
    this.chunking = "untried";
  }

  /**
   * Takes a session that has rested only briefly, or on which the server has just replied. Returns
   * undefined without one, after all closing sessions have ended. A dead session is seldom the only
   * one, so the pool then closes all of them and waits only once for a silent server.
   */
  async take(): Promise<SmtpSession | undefined> {
    const resting = this.#idle.pop();
    if (resting && (this.#isTrusted(resting) || (await resting.session.revive())))
      return resting.session;
    if (resting) this.#idle.push(resting);
    await this.close();
    return undefined;
  }

  /** A resting session listens, so it knows of an end that the server has announced. */
  #isTrusted({ session, since }: Resting): boolean {
    return session.isIdle && performance.now() - since < this.#checkAfterMs;
  }

  /** Keeps a session; closes one that cannot carry another message and waits for its end. */
  async leave(session: SmtpSession): Promise<void> {
    if (!session.isIdle) return session.quit();
    session.rest();
    this.#idle.push({ session, since: performance.now() });
  }

  /** Sends QUIT on all kept sessions and waits until they end, for at most twice `quitMs`. */
  async close(): Promise<void> {
    const farewells = this.#idle.splice(0).map(({ session }) => session.quit());
    this.#leaving = Promise.all([this.#leaving, ...farewells]);
    await this.#leaving;
  }
}
