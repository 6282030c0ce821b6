/*
 * The SMTP sessions of a project, for single messages and for bulk mail. There are never more
 * connections than the rules allow, counting those that open or close; a message waits for its turn.
 *
 * With CHUNKING and PIPELINING, several messages are in flight on a session as soon as one was
 * accepted that way. When a lost session leaves messages unknown, the rest goes by DATA. A server
 * that drops connections, or a middlebox that breaks CHUNKING, then costs only the current windows.
 *
 * A message goes out again, over a session that has carried none, only when its session had served
 * before and it is certain that the server did not accept the message because the session ended. A
 * message that the server had not reached does not use up its first try. A session that is used
 * right after another message is not asked first: it listens while it rests, so an end that the
 * server announced is known.
 */
import { AccountStates } from "./account-states.ts";
import { Carrier } from "./carrier.ts";
import { SmtpConnectError } from "./connect-error.ts";
import { KeptSessions, type Kept } from "./kept-sessions.ts";
import type { OutgoingMessage, SendResult } from "./message.ts";
import type { SocketFactory } from "../net/socket.ts";
import { BULK_CONNECTIONS_MAX, type PoolRules, type SendOptions } from "./pool-rules.ts";
import { sendInTransactions } from "./send-in-transactions.ts";
import { SmtpSession } from "./session.ts";
import { accountOf, type SmtpSettings, type SmtpTimeouts } from "./settings.ts";
import { cooldownOf, sendWithFailover, type ServerResult, type Servers } from "./failover.ts";
import { WaitingLine, type Job } from "./waiting-line.ts";

/** The time after which messages that wait look whether more connections are allowed. */
const LOOK_AGAIN_MS = 250;

/** The sessions with the servers of one project. */
export class SmtpPool {
  readonly #sockets: SocketFactory;
  readonly #timeouts: SmtpTimeouts;
  readonly #rules: PoolRules;
  readonly #kept: KeptSessions;
  readonly #line = new WaitingLine();
  /** The accounts of the last message. Sessions of others end after their message. */
  readonly #accounts = new AccountStates();
  readonly #carrier: Carrier;
  readonly #opening = new Set<Promise<void>>();
  #willLook = false;
  #unanswered = 0;

  constructor(sockets: SocketFactory, timeouts: SmtpTimeouts, rules: PoolRules) {
    this.#sockets = sockets;
    this.#timeouts = timeouts;
    this.#rules = rules;
    this.#kept = new KeptSessions(rules.idleMs, this.#accounts, () => this.#serve());
    this.#carrier = new Carrier({
      stateOf: (account) => this.#accounts.of(account),
      takeNext: (kept) => this.#takeNext(kept),
      wait: (job) => this.#wait(job),
      release: (kept) => this.#release(kept),
      hasRoom: () => this.#serve(),
    });
  }

  /**
   * Sends a message to the first server or, if that has not begun to take its content, to the
   * fallback. Sessions with both stay open.
   * @throws SmtpConnectError when there was no session and so nothing was sent
   */
  send(
    message: OutgoingMessage,
    servers: Servers,
    options: SendOptions = {},
  ): Promise<ServerResult> {
    const accounts = [servers.smtp, servers.fallback ?? []].flat().map(accountOf);
    if (this.#accounts.keep(accounts))
      this.#kept.dropResting((kept) => !this.#accounts.isWanted(kept.account));
    const send = (settings: SmtpSettings) =>
      sendInTransactions(message, (part) => this.#submit(settings, part, options));
    return sendWithFailover(servers, this.#rules.now, send, options.isOver);
  }

  /** The connections at this moment, with those that are being opened or closed. */
  get connections(): number {
    return this.#kept.size + this.#accounts.opening + this.#accounts.closing;
  }

  /** What the sessions do at this moment. */
  get status() {
    const cooldown = cooldownOf(this.#accounts.firstOfTwo, this.#rules.now());
    return { inFlight: this.#unanswered - this.#line.size, waiting: this.#line.size, cooldown };
  }

  /** Ends resting sessions until this many are left, and waits for their farewells. */
  async shrink(sessionsMax: number): Promise<void> {
    this.#kept.dropResting(() => this.#kept.size + this.#accounts.opening > sessionsMax);
    await this.#kept.left();
  }

  /**
   * Ends the sessions that rest now, and the others after their message. Waits for the farewells,
   * and for sessions that are being opened.
   */
  async end(): Promise<void> {
    this.#accounts.keep([]);
    this.#kept.dropResting(() => true);
    await Promise.all(this.#opening);
    await this.#kept.left();
  }

  #submit(
    settings: SmtpSettings,
    message: OutgoingMessage,
    { isBulk = false, isOver = () => false }: SendOptions,
  ): Promise<SendResult> {
    const waitMs = isBulk ? Number.POSITIVE_INFINITY : this.#rules.waitMs;
    const done = Promise.withResolvers<SendResult>();
    const giveUpAt = performance.now() + waitMs;
    const tries = { isSecondTry: false, begun: undefined, order: 0 };
    const account = accountOf(settings);
    this.#wait({ message, settings, account, isBulk, isOver, waitMs, giveUpAt, ...tries, done });
    this.#unanswered += 1;
    return done.promise.finally(() => void (this.#unanswered -= 1));
  }

  #wait(job: Job): void {
    const { account, isSecondTry } = job;
    this.#line.join(job, () => this.#limitOf(account));
    // The other sessions may be as near their end.
    if (isSecondTry) this.#kept.dropResting((kept) => kept.account === account && kept.mails > 0);
    this.#serve();
  }

  /** Gives sessions to those who wait, and opens more if that is allowed. */
  #serve(): void {
    if (this.#line.size === 0) return;
    for (const job of this.#kept.areResting ? [...this.#line] : []) {
      const kept = this.#line.refuseLate(job) ? undefined : this.#kept.takeRested(job);
      if (kept) this.#use(kept, job).catch((error: unknown) => job.done.reject(error));
    }
    for (const account of new Set([...this.#line].map((job) => job.account))) {
      this.#openMore(account);
      for (const kept of this.#kept.of(account)) this.#carrier.fill(kept);
    }
    if (this.#line.size > 0) this.#lookAgain();
  }

  /** Gives a rested session a message. After a long rest, the session must answer first. */
  async #use(kept: Kept, job: Job): Promise<void> {
    this.#line.leave(job);
    const isTired = ({ restedMs }: { restedMs: number }) => restedMs >= this.#rules.checkAfterMs;
    if (!isTired(kept) || (await kept.session.revive())) return this.#carrier.carry(kept, job);
    this.#kept.drop(kept);
    // A dead session is seldom the only one: a silent server costs one wait.
    const now = performance.now();
    this.#kept.dropResting(({ account, restingSince = now }) => {
      return account === kept.account && isTired({ restedMs: now - restingSince });
    });
    this.#wait(job);
  }

  /** Takes the next message for a busy session, unless one that is being opened will take it. */
  #takeNext(kept: Kept): Job | undefined {
    const { account } = kept;
    const jobs = this.#line.of(account);
    const job = jobs.find(({ isSecondTry }) => !isSecondTry);
    if (!job || jobs.length <= this.#accounts.of(account).opening) return undefined;
    if (!this.#carrier.fits(kept, job) || !this.#isWanted(kept)) return undefined;
    if (this.#line.refuseLate(job)) return this.#takeNext(kept);
    this.#line.leave(job);
    return job;
  }

  /** Opens sessions for those who wait. The first one proves the settings for all others. */
  #openMore(account: string): void {
    const state = this.#accounts.of(account);
    const waiting = this.#line.of(account).slice(state.opening);
    const limit = waiting.length > 0 ? this.#limitOf(account) : 0;
    for (const { settings, isBulk } of waiting) {
      const isProven = state.opening === 0 || this.#kept.of(account).length > 0;
      if (!isProven || state.waitsForClosing) break;
      if (this.connections >= (isBulk ? Math.min(BULK_CONNECTIONS_MAX, limit) : limit)) {
        this.#kept.dropResting(() => true); // those who wait can use none of them
        break;
      }
      const opening = this.#open(settings, account).finally(() => this.#opening.delete(opening));
      this.#opening.add(opening);
    }
  }

  #lookAgain(): void {
    if (this.#willLook) return;
    this.#willLook = true;
    setTimeout(() => {
      this.#willLook = false;
      for (const job of this.#line) this.#line.refuseLate(job);
      this.#serve();
    }, LOOK_AGAIN_MS);
  }

  #limitOf(account: string): number {
    return Math.min(this.#rules.connectionsMax(), this.#accounts.allowed(account));
  }

  async #open(settings: SmtpSettings, account: string): Promise<void> {
    const state = this.#accounts.of(account);
    state.opening += 1;
    try {
      const session = await SmtpSession.open(settings, this.#sockets, this.#timeouts);
      state.opening -= 1;
      const unused = { mails: 0, inFlight: 0, restingSince: undefined, restedMs: 0 };
      const kept: Kept = { session, account, ...unused };
      this.#kept.add(kept);
      this.#release(kept);
    } catch (error) {
      state.opening -= 1;
      this.#openFailed(settings, account, error);
    }
  }

  /**
   * Refuses everybody who waited for the account, unless other sessions carry on or may still open:
   * then the server wants no more than those for a while. They go on waiting while the last ones
   * are being closed, because the server may still count those.
   */
  #openFailed(settings: SmtpSettings, account: string, error: unknown): void {
    const state = this.#accounts.of(account);
    const others = this.#kept.of(account).length + state.opening;
    const isTemporary = error instanceof SmtpConnectError && error.temporary;
    state.waitsForClosing = others === 0 && state.closing > 0 && isTemporary;
    if (state.waitsForClosing) return;
    if (error instanceof SmtpConnectError) this.#rules.onRefusal?.(error, settings, others);
    if (others > 0 && error instanceof SmtpConnectError) this.#accounts.allowFewer(account, others);
    else this.#line.refuse(account, error);
    this.#serve();
  }

  /** Lets a session rest that may carry another message, and ends any other. */
  #release(kept: Kept): void {
    if (kept.session.isIdle && this.#isWanted(kept)) this.#kept.rest(kept);
    else this.#kept.drop(kept);
    this.#serve();
  }

  /** Returns true if a session may carry another message. */
  #isWanted({ account, mails }: Kept): boolean {
    // A session that still opens may be refused, so it takes the place of none that serves.
    if (mails >= this.#rules.mailsMax || this.#kept.size > this.#limitOf(account)) return false;
    const waiting = this.#line.of(account);
    const isOurs = this.#accounts.isWanted(account);
    if (mails === 0) return isOurs || waiting.length > 0;
    // A second try needs the place of this session, unless one that takes it is being opened.
    const { opening } = this.#accounts.of(account);
    return isOurs && (opening > 0 || !waiting.some(({ isSecondTry }) => isSecondTry));
  }
}
