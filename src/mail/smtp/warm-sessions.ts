/*
 * SMTP sessions that outlive a mail, for mails that come one by one. There are never more
 * connections than the rules allow, counting those that open or close; a mail waits for its turn.
 *
 * A mail goes out again over another session only when the first one had served before and it is
 * certain that the server did not accept the mail. A session that is used right after another mail
 * is not asked first: it listens while it rests, so an end that the server announced is known.
 */
import { isWorthAnotherSession } from "./breaker.ts";
import { SmtpConnectError } from "./connect-error.ts";
import type { OutgoingMessage, SendResult } from "./message.ts";
import type { SocketFactory } from "../net/socket.ts";
import { sayFarewell } from "./send-one.ts";
import { sendInWindow } from "./send-in-window.ts";
import { SmtpSession } from "./session.ts";
import type { ChunkingState } from "./session-pool.ts";
import { accountOf, type SmtpSettings, type SmtpTimeouts } from "./settings.ts";

export interface WarmRules {
  /**
   * Returns the most connections at this moment. It learns how many are open, and how many the mails
   * in hand want.
   */
  connectionsMax: (open: number, wanted: number) => number;
  /** Learns the refusals of sessions and the results of mails. */
  onRefusal: (error: SmtpConnectError) => void;
  onResult: (result: SendResult) => void;
  /** The longest wait of a mail for a session. */
  waitMs: number;
  /** The rest after which a session must answer RSET before it carries another mail. */
  checkAfterMs: number;
  /** The rest after which a session ends. */
  idleMs: number;
  /** The mails after which a session ends. */
  mailsMax: number;
}

/** The time for which fewer connections are opened after the server refused one more. */
const FEWER_FOR_MS = 60_000;

/** The time after which mails that wait look whether more connections are allowed. */
const LOOK_AGAIN_MS = 250;

/** The time in which a server notices that a connection is closed, and does not count it any more. */
const SEEN_AFTER_MS = 10;

interface Kept {
  session: SmtpSession;
  account: string;
  mails: number;
  /** The time since which the session rests; undefined while it carries a mail. */
  restingSince: number | undefined;
  /** The rest before the present mail. */
  restedMs: number;
}

interface Waiter {
  settings: SmtpSettings;
  account: string;
  /** True for a mail that takes only a session that has carried none. */
  wantsNew: boolean;
  serve: (kept: Kept) => void;
  refuse: (error: unknown) => void;
}

/** The sessions with the server of one project. */
export class WarmSessions {
  readonly #sockets: SocketFactory;
  readonly #timeouts: SmtpTimeouts;
  readonly #rules: WarmRules;
  readonly #kept = new Set<Kept>();
  readonly #waiters = new Set<Waiter>();
  readonly #leaving = new Set<Promise<void>>();
  #opening = 0;
  #closing = 0;
  /** The account of the last mail. Sessions of another one end after their mail. */
  #account: string | undefined;
  #chunking: ChunkingState = "untried";
  /** The number of connections that the server allowed when it refused another, and until when. */
  #fewer = { connections: Number.POSITIVE_INFINITY, untilMs: 0 };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #willLook = false;

  constructor(sockets: SocketFactory, timeouts: SmtpTimeouts, rules: WarmRules) {
    this.#sockets = sockets;
    this.#timeouts = timeouts;
    this.#rules = rules;
  }

  /**
   * Sends a message over a kept session, or over a new one.
   * @throws SmtpConnectError when there was no session and so nothing was sent
   */
  async send(settings: SmtpSettings, message: OutgoingMessage): Promise<SendResult> {
    const account = this.#dedicate(settings);
    const first = await this.#take(settings, account, false);
    const hadServed = first.mails > 0;
    const { result, isBdatUnknown } = await this.#carry(first, message);
    const mayGoAgain = (hadServed || isBdatUnknown) && isWorthAnotherSession(result);
    if (!mayGoAgain) return result;
    // The other sessions may be as near their end.
    const second = await this.#take(settings, account, true);
    return (await this.#carry(second, message)).result;
  }

  /** The connections at this moment, with those that are being opened or closed. */
  get connections(): number {
    return this.#kept.size + this.#opening + this.#closing;
  }

  /** The connections at this moment, and one for each mail that waits. */
  get wanted(): number {
    return this.connections + Math.max(0, this.#waiters.size - this.#opening);
  }

  /** Ends resting sessions until so many are left, and waits for their farewells. */
  async shrink(sessionsMax: number): Promise<void> {
    for (const kept of this.#kept) {
      if (this.#kept.size + this.#opening <= sessionsMax) break;
      if (kept.restingSince !== undefined) this.#drop(kept);
    }
    await Promise.all(this.#leaving);
  }

  /** Ends the sessions that rest now, and the others after their mail. Waits for the farewells. */
  async end(): Promise<void> {
    this.#account = undefined;
    this.#dropIdle(() => true);
    await Promise.all(this.#leaving);
  }

  #dedicate(settings: SmtpSettings): string {
    const account = accountOf(settings);
    if (account !== this.#account) {
      this.#account = account;
      this.#chunking = "untried";
      this.#fewer.untilMs = 0;
      this.#dropIdle((kept) => kept.account !== account);
    }
    return account;
  }

  async #take(settings: SmtpSettings, account: string, wantsNew: boolean): Promise<Kept> {
    const giveUpAt = performance.now() + this.#rules.waitMs;
    for (;;) {
      const kept = await this.#next({ settings, account, wantsNew }, giveUpAt);
      const isTrusted = kept.mails === 0 || kept.restedMs < this.#rules.checkAfterMs;
      if (isTrusted || (await kept.session.revive())) return kept;
      this.#drop(kept);
    }
  }

  /** Waits for a session, in the order of the calls; those that want a new one go first. */
  #next(wish: Omit<Waiter, "serve" | "refuse">, giveUpAt: number): Promise<Kept> {
    const { promise, resolve, reject } = Promise.withResolvers<Kept>();
    const waiter: Waiter = { ...wish, serve: resolve, refuse: reject };
    const others = [...this.#waiters];
    if (wish.wantsNew) this.#waiters.clear();
    for (const next of wish.wantsNew ? [waiter, ...others] : [waiter]) this.#waiters.add(next);
    const giveUp = () => {
      this.#waiters.delete(waiter);
      reject(this.#allInUse(wish.settings));
    };
    const timer = setTimeout(giveUp, Math.max(0, giveUpAt - performance.now()));
    if (wish.wantsNew) this.#dropIdle(({ mails }) => mails > 0);
    this.#serve();
    return promise.finally(() => clearTimeout(timer));
  }

  #allInUse({ host, port }: SmtpSettings): SmtpConnectError {
    const seconds = Math.round(this.#rules.waitMs / 1_000);
    return new SmtpConnectError(
      `no session with ${host}:${port} became free within ${seconds} seconds, ` +
        `and this project may open no more than ${this.#limit}`,
      { phase: "connect", step: "connect", temporary: true },
    );
  }

  /** Gives resting sessions to those who wait, and opens more where that is allowed. */
  #serve(): void {
    for (const waiter of this.#waiters) {
      const kept = this.#rested(waiter);
      if (!kept) continue;
      this.#waiters.delete(waiter);
      waiter.serve(kept);
    }
    // The first session of all proves the settings, so that a wrong password is tried only once.
    const limit = this.#limit;
    for (const { settings, account } of [...this.#waiters].slice(this.#opening)) {
      const isProven = this.#opening === 0 || this.#keptOf(account) > 0;
      if (this.connections >= limit || !isProven) break;
      void this.#open(settings, account);
    }
    if (this.#waiters.size > 0) this.#lookAgain();
  }

  #lookAgain(): void {
    if (this.#willLook) return;
    this.#willLook = true;
    setTimeout(() => {
      this.#willLook = false;
      this.#serve();
    }, LOOK_AGAIN_MS);
  }

  #keptOf(account: string): number {
    return [...this.#kept].filter((kept) => kept.account === account).length;
  }

  get #limit(): number {
    const { connections, untilMs } = this.#fewer;
    const fewer = performance.now() < untilMs ? Math.max(1, connections) : Number.POSITIVE_INFINITY;
    return Math.min(this.#rules.connectionsMax(this.connections, this.wanted), fewer);
  }

  /** Takes the session of the account that rested the least; drops those that have ended. */
  #rested({ account, wantsNew }: Waiter): Kept | undefined {
    for (const kept of [...this.#kept].toReversed()) {
      if (kept.account !== account || kept.restingSince === undefined) continue;
      if (wantsNew && kept.mails > 0) continue;
      if (!kept.session.isIdle) {
        this.#drop(kept);
        continue;
      }
      kept.restedMs = performance.now() - kept.restingSince;
      kept.restingSince = undefined;
      this.#kept.delete(kept); // the set keeps the order of use
      this.#kept.add(kept);
      return kept;
    }
    return undefined;
  }

  async #open(settings: SmtpSettings, account: string): Promise<void> {
    this.#opening += 1;
    try {
      const session = await SmtpSession.open(settings, this.#sockets, this.#timeouts);
      this.#opening -= 1;
      const kept: Kept = { session, account, mails: 0, restingSince: undefined, restedMs: 0 };
      this.#kept.add(kept);
      this.#release(kept);
    } catch (error) {
      this.#opening -= 1;
      this.#openFailed(account, error);
    }
  }

  /**
   * Refuses everybody who waited for the account, unless other sessions carry on: then the server
   * wants no more than those for a while.
   */
  #openFailed(account: string, error: unknown): void {
    if (error instanceof SmtpConnectError) this.#rules.onRefusal(error);
    const others = this.#keptOf(account);
    if (others > 0 && error instanceof SmtpConnectError)
      this.#fewer = { connections: others, untilMs: performance.now() + FEWER_FOR_MS };
    else
      for (const waiter of this.#waiters) {
        if (waiter.account !== account) continue;
        this.#waiters.delete(waiter);
        waiter.refuse(error);
      }
    this.#serve();
  }

  async #carry(kept: Kept, message: OutgoingMessage) {
    kept.mails += 1;
    try {
      const canChunk = this.#chunking !== "off";
      const window = canChunk ? kept.session.openWindow() : undefined;
      const result = await (window ? sendInWindow(window, message) : kept.session.send(message));
      this.#rules.onResult(result);
      const isBdatUnknown = window?.knowsBdat === false;
      const isLost = result.recipients.some(({ outcome }) => outcome === "unknown");
      if (isBdatUnknown || (window && isLost)) this.#chunking = "off";
      return { result, isBdatUnknown };
    } finally {
      this.#release(kept);
    }
  }

  /** Lets a session rest that may carry another mail, and ends any other. */
  #release(kept: Kept): void {
    if (kept.session.isIdle && this.#isWanted(kept)) {
      kept.restingSince = performance.now();
      kept.session.rest();
      this.#watch();
    } else this.#drop(kept);
    this.#serve();
  }

  #isWanted({ account, mails }: Kept): boolean {
    if (mails >= this.#rules.mailsMax || this.connections > this.#limit) return false;
    const waiters = [...this.#waiters].filter((waiter) => waiter.account === account);
    if (mails === 0) return account === this.#account || waiters.length > 0;
    const isInTheWay = waiters.some(({ wantsNew }) => wantsNew) && this.#opening === 0;
    return account === this.#account && !isInTheWay;
  }

  #drop(kept: Kept): void {
    this.#kept.delete(kept);
    const leaving = this.#leave(kept);
    this.#leaving.add(leaving);
    void leaving.finally(() => this.#leaving.delete(leaving));
  }

  /** Serves those who wait once a session has left its connection and the server has seen it. */
  async #leave({ session }: Kept): Promise<void> {
    this.#closing += 1;
    await sayFarewell(session);
    await new Promise((resume) => setTimeout(resume, SEEN_AFTER_MS));
    this.#closing -= 1;
    this.#serve();
  }

  #dropIdle(isDue: (kept: Kept) => boolean): void {
    for (const kept of this.#kept)
      if (kept.restingSince !== undefined && isDue(kept)) this.#drop(kept);
  }

  /** Ends sessions that have rested long enough; one timer looks after all of them. */
  #watch(): void {
    if (this.#timer !== undefined) return;
    const resting = [...this.#kept].flatMap(({ restingSince }) => restingSince ?? []);
    if (resting.length === 0) return;
    const { idleMs } = this.#rules;
    const waitMs = Math.min(...resting) + idleMs - performance.now();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        const now = performance.now();
        this.#dropIdle(({ restingSince = now }) => now - restingSince >= idleMs);
        this.#watch();
      },
      Math.max(1, Math.ceil(waitMs)),
    );
  }
}
