import { Breaker, isWorthAnotherSession, notSent, type StopReason } from "./breaker.ts";
import type { ChunkedWindow } from "./chunked-window.ts";
import { SmtpConnectError } from "./connect-error.ts";
import type { OutgoingMessage, SendResult } from "./message.ts";
import { SessionPool } from "./session-pool.ts";
import { SmtpSession } from "./session.ts";
import { CONNECTIONS_MAX, HELD_MAX, type Shipment, WINDOW_MESSAGES_MAX } from "./shipment.ts";
import { Supply, type Work } from "./supply.ts";
import { hasBegun } from "./untouched.ts";

/**
 * Sends messages over up to four sessions until `take` runs out. A message gets a second try, on a
 * fresh session, only when it was certainly not accepted because its session ended. A message that
 * the server had not reached does not use up its first try. When the server cannot be reached, all
 * other messages settle as `not_sent` without further attempts.
 *
 * With CHUNKING and PIPELINING, several messages are in flight on a session as soon as one was
 * accepted that way. When a lost session leaves messages unknown, the rest goes by DATA. A server
 * that drops connections, or a middlebox that breaks CHUNKING, then costs only the current windows.
 * @throws what `take` or `settle` throws, after all sessions (those of the pool too) are closed and
 * all taken messages are settled
 */
export async function sendOverConnections<Item extends OutgoingMessage>(
  shipment: Shipment<Item>,
): Promise<void> {
  const pool = shipment.pool ?? new SessionPool();
  await pool.prepare(shipment.settings, shipment.maxConnections);
  const fault = await new Shipping(shipment, pool).run();
  if (fault || !shipment.pool) await pool.close();
  if (fault) throw fault.error;
}

/** The result of messages that a shipment without time left gives back. */
const TIME_IS_OVER: StopReason = {
  phase: "mail",
  error: "the server took too long for the time of this attempt",
};

/** An error thrown by the caller's functions. */
interface Fault {
  error: unknown;
}

class Shipping<Item extends OutgoingMessage> {
  readonly #shipment: Shipment<Item>;
  readonly #pool: SessionPool;
  readonly #connections: number;
  readonly #breaker: Breaker;
  readonly #supply: Supply<Item>;
  /** Lanes that have a session or are opening one. */
  #connected = 0;
  #fault: Fault | undefined;

  constructor(shipment: Shipment<Item>, pool: SessionPool) {
    this.#shipment = shipment;
    this.#pool = pool;
    this.#supply = new Supply((interrupted) => this.#guard(() => shipment.take(interrupted)));
    this.#connections = Math.max(1, Math.min(CONNECTIONS_MAX, Math.floor(shipment.maxConnections)));
    this.#breaker = new Breaker(this.#connections, shipment.patienceMs ?? 0);
  }

  /** Starts one lane first to prove the settings, so that a wrong password is tried only once. */
  async run(): Promise<Fault | undefined> {
    const proven = Promise.withResolvers<void>();
    const first = this.#runLane(proven.resolve).finally(proven.resolve);
    await proven.promise;
    const others = Array.from({ length: this.#connections - 1 }, () => this.#runLane());
    await Promise.all([first, ...others]);
    while (this.#supply.hasReturned) await this.#runLane();
    return this.#fault;
  }

  /** Sends messages until none is left or the other lanes carry on. */
  async #runLane(onOpen?: () => void): Promise<void> {
    const held: Work<Item>[] = [];
    let session: SmtpSession | undefined;
    try {
      while (await this.#supply.refill(held, 1)) {
        if (await this.#settleWhenStopped(held)) continue;
        if (this.#isOneTooMany(session ? 0 : 1)) break;
        session ??= await this.#open(held[0]?.isSecondTry);
        if (session) {
          onOpen?.();
          if (!(await this.#sendSome(held, session))) session = await this.#leave(session);
        } else if (this.#connected > 0) break; // a limit of the server: the other lanes carry on
      }
    } catch (error) {
      this.#stop(error);
    } finally {
      this.#supply.return(held);
      if (session) await this.#leave(session);
    }
  }

  async #open(isSecondTry = false): Promise<SmtpSession | undefined> {
    this.#connected += 1;
    try {
      const session = await this.#connect(isSecondTry);
      this.#breaker.opened();
      return session;
    } catch (error) {
      this.#connected -= 1;
      if (!(error instanceof SmtpConnectError)) throw error;
      const pauseMs = this.#connected > 0 ? 0 : this.#breaker.openFailed(error);
      await this.#shipment.openFailed?.(error, this.#connected);
      if (pauseMs > 0) await new Promise((resume) => setTimeout(resume, pauseMs));
      return undefined;
    }
  }

  /**
   * Opens a session. A second try avoids pooled sessions: they may be as near their end as the
   * first.
   */
  async #connect(isSecondTry: boolean): Promise<SmtpSession> {
    const { settings, sockets, timeouts } = this.#shipment;
    const kept = isSecondTry ? await this.#pool.close() : await this.#pool.take();
    return kept ?? SmtpSession.open(settings, sockets, timeouts);
  }

  /** Waits until a lost connection is released, so that a new one does not exceed the limit. */
  async #leave(session: SmtpSession): Promise<undefined> {
    const isSurplus = this.#isOneTooMany();
    this.#connected -= 1;
    await (isSurplus ? session.quit() : this.#pool.leave(session));
    return undefined;
  }

  /** Returns true while more sessions are connected, with `more` of them, than may go on. */
  #isOneTooMany(more = 0): boolean {
    const allowed = this.#shipment.connectionsNow?.() ?? Number.POSITIVE_INFINITY;
    return this.#connected + more > Math.max(1, allowed);
  }

  /** Sends held messages, at least the first; false when the session has ended. */
  async #sendSome(held: Work<Item>[], session: SmtpSession): Promise<boolean> {
    const window = this.#pool.chunking === "off" ? undefined : session.openWindow();
    if (window) return this.#sendThrough(window, held);
    await this.#supply.refill(held, HELD_MAX, () => false);
    return this.#sendFirst(held, session);
  }

  /** Keeps a window filled until no message is left or the window must stop. */
  async #sendThrough(window: ChunkedWindow, held: Work<Item>[]): Promise<boolean> {
    const again: Work<Item>[] = [];
    const writing = this.#fill(window, held, again).finally(() => window.finish());
    await Promise.all([writing, window.readReplies()]);
    held.unshift(...again);
    if (!window.knowsBdat) this.#pool.chunking = "off";
    return window.isUsable;
  }

  async #fill(window: ChunkedWindow, held: Work<Item>[], again: Work<Item>[]): Promise<void> {
    while (this.#mayFill(window)) {
      const messagesMax = this.#pool.chunking === "works" ? WINDOW_MESSAGES_MAX : 1;
      await window.room(messagesMax, 0);
      if (!this.#mayFill(window)) return;
      if (!(await this.#supply.refill(held, 1, () => this.#mayFill(window)))) return;
      const [work] = held;
      if (!work) return;
      await window.room(messagesMax, work.item.data.length);
      if (!this.#mayFill(window)) return;
      held.shift();
      await window.post(work.item, async (result, wasReached) => {
        if (this.#mayGoAgain(work, result, wasReached)) again.push(work);
        else await this.#finishChunked(work, result, wasReached);
        if (!this.#mayFill(window)) this.#supply.stirUp();
      });
    }
  }

  #mayFill(window: ChunkedWindow): boolean {
    const mayGoOn = window.isUsable && this.#pool.chunking !== "off" && !this.#isOneTooMany();
    return mayGoOn && !this.#stopReason();
  }

  async #finishChunked(work: Work<Item>, result: SendResult, wasReached: boolean): Promise<void> {
    const outcomes = new Set(result.recipients.map(({ outcome }) => outcome));
    if (outcomes.has("unknown")) this.#pool.chunking = "off";
    else if (outcomes.has("accepted") && this.#pool.chunking === "untried")
      this.#pool.chunking = "works";
    if (wasReached) this.#breaker.finished(result); // a lost session counts once
    await this.#settle(work, result);
  }

  /** Returns true for a message to try on a fresh session; counts its second try. */
  #mayGoAgain(work: Work<Item>, result: SendResult, wasReached: boolean): boolean {
    if (!isWorthAnotherSession(result)) return false;
    work.hasBegun ||= hasBegun(result);
    if (!wasReached) return true;
    const isFirstTry = !work.isSecondTry;
    work.isSecondTry = true;
    return isFirstTry;
  }

  /** Sends the first held message; false when the session has ended. */
  async #sendFirst(held: Work<Item>[], session: SmtpSession): Promise<boolean> {
    const [work, next] = held;
    if (!work) return true;
    const result = await session.send(work.item, next?.item);
    // The message stays first, so that it gets the fresh session.
    if (this.#mayGoAgain(work, result, true)) return false;
    held.shift();
    this.#breaker.finished(result);
    await this.#settle(work, result);
    return result.sessionUsable;
  }

  async #settleWhenStopped(held: Work<Item>[]): Promise<boolean> {
    const reason = this.#stopReason();
    if (!reason) return false;
    for (const work of held.splice(0)) await this.#settle(work, notSent(work.item, reason));
    return true;
  }

  #stopReason(): StopReason | undefined {
    if (this.#fault) return { phase: "connect", error: "sending was stopped by a fault" };
    if (this.#breaker.reason) return this.#breaker.reason;
    return this.#shipment.isOver?.() ? TIME_IS_OVER : undefined;
  }

  async #settle({ item, hasBegun }: Work<Item>, result: SendResult): Promise<void> {
    await this.#guard(() => this.#shipment.settle(item, result, hasBegun));
  }

  /**
   * Runs a function of the caller. Its error stops all lanes and is thrown after they have ended.
   */
  async #guard<T>(call: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await call();
    } catch (error) {
      this.#stop(error);
      return undefined;
    }
  }

  #stop(error: unknown): void {
    this.#fault ??= { error };
    this.#supply.close();
  }
}
