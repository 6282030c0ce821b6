/*
 * SMTP sessions that outlive a mail, for mails that come one by one. There are never more
 * connections than the rules allow, counting those that open or close; a mail waits for its turn.
 *
 * A mail goes out again over another session only when the first one had served before and it is
 * certain that the server did not accept the mail. A session that is used right after another mail
 * is not asked first: it listens while it rests, so an end that the server announced is known.
 */
import { isWorthAnotherSession } from "./breaker.ts";
import { AccountStates } from "./account-states.ts";
import { NoFreeSession, SmtpConnectError } from "./connect-error.ts";
import { KeptSessions, type Kept } from "./kept-sessions.ts";
import type { OutgoingMessage, SendResult } from "./message.ts";
import type { SocketFactory } from "../net/socket.ts";
import { sayFarewell } from "./send-one.ts";
import { sendInTransactions } from "./send-in-transactions.ts";
import { sendAlone } from "./send-alone.ts";
import { SmtpSession } from "./session.ts";
import { accountOf, type SmtpSettings, type SmtpTimeouts } from "./settings.ts";
import { hasBegun, isUntouched } from "./untouched.ts";
import { WaitingLine, type Wish } from "./waiting-line.ts";
import type { WarmRules } from "./warm-rules.ts";

/** The time after which mails that wait look whether more connections are allowed. */
const LOOK_AGAIN_MS = 250;

/** The time in which a server notices a closed connection and no longer counts it. */
const SEEN_AFTER_MS = 10;

/** The sessions with the servers of one project. */
export class WarmSessions {
  readonly #sockets: SocketFactory;
  readonly #timeouts: SmtpTimeouts;
  readonly #rules: WarmRules;
  readonly #kept: KeptSessions;
  readonly #line = new WaitingLine<Kept>();
  readonly #leaving = new Set<Promise<void>>();
  /** The accounts of the last mail. Sessions of others end after their mail. */
  readonly #accounts = new AccountStates();
  #willLook = false;

  constructor(sockets: SocketFactory, timeouts: SmtpTimeouts, rules: WarmRules) {
    this.#sockets = sockets;
    this.#timeouts = timeouts;
    this.#rules = rules;
    this.#kept = new KeptSessions(rules.idleMs, (kept) => this.#drop(kept));
  }

  /**
   * Sends a message over a kept session or a new one. Sessions with any of `servers` stay open.
   * @throws SmtpConnectError when there was no session and so nothing was sent
   */
  send(
    settings: SmtpSettings,
    message: OutgoingMessage,
    servers: SmtpSettings[] = [settings],
  ): Promise<SendResult> {
    const account = this.#dedicate(settings, servers);
    return sendInTransactions(message, (part) => this.#sendPart(settings, account, part));
  }

  async #sendPart(
    settings: SmtpSettings,
    account: string,
    message: OutgoingMessage,
  ): Promise<SendResult> {
    const first = await this.#take(settings, account, false);
    const hadServed = first.mails > 0;
    const { result, isBdatUnknown } = await this.#carry(first, message);
    // A server that does not know BDAT has accepted the mail for nobody.
    if (!isBdatUnknown && !(hadServed && isWorthAnotherSession(result))) return result;
    try {
      // The other sessions may be as near their end.
      const second = await this.#take(settings, account, true);
      const again = await this.#carry(second, message);
      return hasBegun(result) && isUntouched(again.result) ? result : again.result;
    } catch (error) {
      if (!hasBegun(result) || !(error instanceof SmtpConnectError)) throw error;
      return result;
    }
  }

  /** The connections at this moment, with those that are being opened or closed. */
  get connections(): number {
    return this.#kept.size + this.#accounts.opening + this.#accounts.closing;
  }

  /** The connections at this moment, and one for each mail that waits. */
  get wanted(): number {
    return this.connections + Math.max(0, this.#line.size - this.#accounts.opening);
  }

  /** Ends resting sessions until this many are left, and waits for their farewells. */
  async shrink(sessionsMax: number): Promise<void> {
    this.#kept.dropResting(() => this.#kept.size + this.#accounts.opening > sessionsMax);
    await Promise.all(this.#leaving);
  }

  /** Ends the sessions that rest now, and the others after their mail. Waits for the farewells. */
  async end(): Promise<void> {
    this.#accounts.keep([]);
    this.#kept.dropResting(() => true);
    await Promise.all(this.#leaving);
  }

  #dedicate(settings: SmtpSettings, servers: SmtpSettings[]): string {
    if (this.#accounts.keep(servers.map(accountOf)))
      this.#kept.dropResting((kept) => !this.#accounts.isWanted(kept.account));
    return accountOf(settings);
  }

  async #take(settings: SmtpSettings, account: string, wantsNew: boolean): Promise<Kept> {
    const giveUpAt = performance.now() + this.#rules.waitMs;
    for (;;) {
      const kept = await this.#next({ settings, account, wantsNew }, giveUpAt);
      const isTrusted = kept.restedMs < this.#rules.checkAfterMs;
      if (isTrusted || (await kept.session.revive())) return kept;
      this.#drop(kept);
    }
  }

  #next(wish: Wish, giveUpAt: number): Promise<Kept> {
    const waitMs = Math.max(0, giveUpAt - performance.now());
    const waiting = this.#line.join(wish, waitMs, () => this.#allInUse(wish));
    if (wish.wantsNew) this.#kept.dropResting(({ mails }) => mails > 0);
    this.#serve();
    return waiting;
  }

  #allInUse({ settings: { host, port }, account }: Wish): NoFreeSession {
    return new NoFreeSession(`${host}:${port}`, this.#rules.waitMs, this.#limitOf(account));
  }

  /** Gives resting sessions to those who wait, and opens more if that is allowed. */
  #serve(): void {
    for (const waiter of this.#line) {
      const kept = this.#kept.takeRested(waiter);
      if (kept) this.#line.serve(waiter, kept);
    }
    for (const account of new Set([...this.#line].map((waiter) => waiter.account)))
      this.#openMore(account);
    if (this.#line.size > 0) this.#lookAgain();
  }

  /** Opens sessions for those who wait. The first one proves the settings for all others. */
  #openMore(account: string): void {
    const state = this.#accounts.of(account);
    const limit = this.#limitOf(account);
    for (const { settings } of this.#line.of(account).slice(state.opening)) {
      const isProven = state.opening === 0 || this.#kept.countOf(account) > 0;
      if (!isProven || !this.#accounts.mayOpen(account)) break;
      if (this.connections >= limit) {
        this.#kept.dropResting(() => true); // those who wait can use none of them
        break;
      }
      void this.#open(settings, account);
    }
  }

  #lookAgain(): void {
    if (this.#willLook) return;
    this.#willLook = true;
    setTimeout(() => {
      this.#willLook = false;
      this.#serve();
    }, LOOK_AGAIN_MS);
  }

  #limitOf(account: string): number {
    const most = this.#rules.connectionsMax(this.connections, this.wanted);
    return Math.min(most, this.#accounts.allowed(account));
  }

  async #open(settings: SmtpSettings, account: string): Promise<void> {
    const state = this.#accounts.of(account);
    state.opening += 1;
    try {
      const session = await SmtpSession.open(settings, this.#sockets, this.#timeouts);
      state.opening -= 1;
      const kept: Kept = { session, account, mails: 0, restingSince: undefined, restedMs: 0 };
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
   * are being closed, because the server may still count those, and while others hold connections.
   */
  #openFailed(settings: SmtpSettings, account: string, error: unknown): void {
    const state = this.#accounts.of(account);
    const others = this.#kept.countOf(account) + state.opening;
    const isTemporary = error instanceof SmtpConnectError && error.temporary;
    state.waitsForClosing = others === 0 && state.closing > 0 && isTemporary;
    if (state.waitsForClosing) return;
    if (error instanceof SmtpConnectError) this.#rules.onRefusal(error, settings, others);
    if (others > 0 && error instanceof SmtpConnectError) this.#accounts.allowFewer(account, others);
    else if (isTemporary && error.reply && this.#rules.areOthersConnected())
      this.#accounts.hold(account);
    else this.#line.refuse(account, error);
    this.#serve();
  }

  async #carry(kept: Kept, message: OutgoingMessage) {
    kept.mails += 1;
    try {
      return await sendAlone(kept.session, message, this.#accounts.of(kept.account));
    } finally {
      this.#release(kept);
    }
  }

  /** Lets a session rest that may carry another mail, and ends any other. */
  #release(kept: Kept): void {
    if (kept.session.isIdle && this.#isWanted(kept)) this.#kept.rest(kept);
    else this.#drop(kept);
    this.#serve();
  }

  #isWanted({ account, mails }: Kept): boolean {
    // A session that still opens may be refused, so it takes the place of none that serves.
    if (mails >= this.#rules.mailsMax || this.#kept.size > this.#limitOf(account)) return false;
    const waiters = this.#line.of(account);
    const isOurs = this.#accounts.isWanted(account);
    if (mails === 0) return isOurs || waiters.length > 0;
    const { opening } = this.#accounts.of(account);
    return isOurs && (opening > 0 || !waiters.some(({ wantsNew }) => wantsNew));
  }

  #drop(kept: Kept): void {
    this.#kept.delete(kept);
    const leaving = this.#leave(kept).finally(() => void this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }

  /** Serves those who wait once a session has left its connection and the server has seen it. */
  async #leave({ session, account }: Kept): Promise<void> {
    const state = this.#accounts.of(account);
    state.closing += 1;
    await sayFarewell(session);
    await new Promise((resume) => setTimeout(resume, SEEN_AFTER_MS));
    state.closing -= 1;
    state.waitsForClosing &&= state.closing > 0;
    this.#serve();
  }
}
