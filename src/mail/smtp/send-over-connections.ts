import type { SocketFactory } from "../net/connection.ts";
import { Breaker, isWorthAnotherSession, notSent } from "./breaker.ts";
import { SmtpConnectError } from "./connect-error.ts";
import type { OutgoingMessage, SendResult } from "./message.ts";
import { SmtpSession } from "./session.ts";
import type { SmtpSettings, SmtpTimeouts } from "./settings.ts";

/** The platform allows 6 connections at once in an invocation; the rest is for the database. */
const CONNECTIONS_MAX = 4;

/** A stream of messages for one server; `Item` is a message with whatever the caller keeps with it. */
export interface Shipment<Item extends OutgoingMessage> {
  settings: SmtpSettings;
  sockets: SocketFactory;
  timeouts: SmtpTimeouts;
  /** Sessions side by side; 4 at most, whatever is asked for. */
  maxConnections: number;
  /** Gives the next message, undefined when there are no more; a message is asked for ahead of time. */
  take: () => Item | undefined | Promise<Item | undefined>;
  /** Gets the result of every message taken, exactly once. */
  settle: (item: Item, result: SendResult) => void | Promise<void>;
}

/**
 * Sends messages over up to four sessions until `take` has no more. A message is tried a second
 * time, on a fresh session, only when it certainly was not taken because its session ended. When
 * the server cannot be reached the rest is settled as `not_sent` without further attempts.
 * @throws what `take` or `settle` throws, after all sessions are closed and all that was taken is
 * settled
 */
export async function sendOverConnections<Item extends OutgoingMessage>(
  shipment: Shipment<Item>,
): Promise<void> {
  await new Shipping(shipment).run();
}

/** How many messages a lane holds: the one it sends, and the next, whose envelope goes with it. */
const HELD_MAX = 2;

interface Work<Item> {
  item: Item;
  isSecondTry: boolean;
}

class Shipping<Item extends OutgoingMessage> {
  readonly #shipment: Shipment<Item>;
  readonly #connections: number;
  readonly #breaker: Breaker;
  /** Messages that a lane held when it ended, for those that carry on. */
  readonly #returned: Item[] = [];
  /** Lanes that have a session or are opening one. */
  #connected = 0;
  #isDrained = false;
  #fault: { error: unknown } | undefined;

  constructor(shipment: Shipment<Item>) {
    this.#shipment = shipment;
    this.#connections = Math.max(1, Math.min(CONNECTIONS_MAX, Math.floor(shipment.maxConnections)));
    this.#breaker = new Breaker(this.#connections);
  }

  /** One lane goes ahead and shows that the settings work, so that a wrong password is tried once. */
  async run(): Promise<void> {
    const proven = Promise.withResolvers<void>();
    const first = this.#runLane(proven.resolve).finally(proven.resolve);
    await proven.promise;
    const others = Array.from({ length: this.#connections - 1 }, () => this.#runLane());
    await Promise.all([first, ...others]);
    while (this.#returned.length > 0) await this.#runLane();
    if (this.#fault) throw this.#fault.error;
  }

  /** Sends one message after the other; ends when there are no more, or when others carry on. */
  async #runLane(onOpen?: () => void): Promise<void> {
    const held: Work<Item>[] = [];
    let session: SmtpSession | undefined;
    try {
      while (await this.#hold(held, 1)) {
        if (await this.#settleWhenStopped(held)) continue;
        session ??= await this.#open();
        if (session) {
          onOpen?.();
          await this.#hold(held, HELD_MAX);
          if (!(await this.#sendFirst(held, session))) session = await this.#leave(session);
        } else if (this.#connected > 0) break; // a limit of the server: the others carry on
      }
    } catch (error) {
      this.#fault ??= { error };
    } finally {
      this.#returned.push(...held.map(({ item }) => item));
      if (session) await this.#leave(session);
    }
  }

  async #open(): Promise<SmtpSession | undefined> {
    const { settings, sockets, timeouts } = this.#shipment;
    this.#connected += 1;
    try {
      const session = await SmtpSession.open(settings, sockets, timeouts);
      this.#breaker.opened();
      return session;
    } catch (error) {
      this.#connected -= 1;
      if (!(error instanceof SmtpConnectError)) throw error;
      if (this.#connected === 0) this.#breaker.openFailed(error);
      return undefined;
    }
  }

  /** Waits until the connection is gone, so that a new one does not come on top of it. */
  async #leave(session: SmtpSession): Promise<undefined> {
    this.#connected -= 1;
    await session.quit();
    return undefined;
  }

  /** Sends the first message held; false when the session has ended. */
  async #sendFirst(held: Work<Item>[], session: SmtpSession): Promise<boolean> {
    const [work, next] = held;
    if (!work) return true;
    const result = await session.send(work.item, next?.item);
    if (!work.isSecondTry && isWorthAnotherSession(result)) {
      work.isSecondTry = true; // and stays the first, so that it gets the fresh session
      return false;
    }
    held.shift();
    this.#breaker.finished(result);
    await this.#settle(work.item, result);
    return result.sessionUsable;
  }

  async #settleWhenStopped(held: Work<Item>[]): Promise<boolean> {
    const reason = this.#fault
      ? { phase: "connect" as const, error: "sending was stopped by a fault" }
      : this.#breaker.reason;
    if (!reason) return false;
    for (const { item } of held.splice(0)) await this.#settle(item, notSent(item, reason));
    return true;
  }

  /** Fills up to `count` messages; false when there is none. */
  async #hold(held: Work<Item>[], count: number): Promise<boolean> {
    while (held.length < count) {
      const item = this.#returned.shift() ?? (await this.#take()) ?? this.#returned.shift();
      if (!item) break;
      held.push({ item, isSecondTry: false });
    }
    return held.length > 0;
  }

  async #take(): Promise<Item | undefined> {
    if (this.#isDrained || this.#fault) return undefined;
    const item = await this.#guard(() => this.#shipment.take());
    if (!item) this.#isDrained = true;
    return item;
  }

  async #settle(item: Item, result: SendResult): Promise<void> {
    await this.#guard(() => this.#shipment.settle(item, result));
  }

  /** A fault of the caller stops all lanes, and is thrown when they have come to their end. */
  async #guard<T>(call: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await call();
    } catch (error) {
      this.#fault ??= { error };
      return undefined;
    }
  }
}
