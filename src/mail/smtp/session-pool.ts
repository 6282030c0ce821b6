import { SmtpSession } from "./session.ts";
import type { SmtpSettings } from "./settings.ts";

/**
 * What is known of sending by CHUNKING to a server: it is `off` when it failed, or a session was lost
 * that left messages unknown.
 */
export type ChunkingState = "untried" | "works" | "off";

/**
 * Sessions kept open between shipments to one server, by one invocation; one shipment uses it at a
 * time. With those that the shipment uses there are never more than it may open.
 */
export class SessionPool {
  chunking: ChunkingState = "untried";
  readonly #idle: SmtpSession[] = [];
  #account: string | undefined;
  #leaving: Promise<unknown> = Promise.resolve();

  /** Makes the pool one for these settings: sessions of others, and what is known of them, go. */
  async prepare(settings: SmtpSettings): Promise<void> {
    const account = accountOf(settings);
    if (account === this.#account) return;
    await this.close();
    this.#account = account;
    this.chunking = "untried";
  }

  /**
   * Takes a session on which the server has just answered; undefined when there is none, and none is
   * being closed. One that is gone is seldom alone, so all are closed then, and a server that fell
   * silent is waited for once.
   */
  async take(): Promise<SmtpSession | undefined> {
    const session = this.#idle.pop();
    if (session && (await session.revive())) return session;
    if (session) this.#idle.push(session);
    await this.close();
    return undefined;
  }

  /** Keeps a session; one that cannot carry another message is ended, and its end awaited. */
  async leave(session: SmtpSession): Promise<void> {
    if (session.isIdle) this.#idle.push(session);
    else await session.quit();
  }

  /** Says QUIT on all that are kept and waits until they are gone, twice `quitMs` at most. */
  async close(): Promise<void> {
    const farewells = this.#idle.splice(0).map((session) => session.quit());
    this.#leaving = Promise.all([this.#leaving, ...farewells]);
    await this.#leaving;
  }
}

/** Equal for equal settings: sessions of one login are never used for another. */
function accountOf({ host, port, user, password, ehloName, tls }: SmtpSettings): string {
  return JSON.stringify({ host, port, user, password, ehloName, tls } satisfies SmtpSettings);
}
