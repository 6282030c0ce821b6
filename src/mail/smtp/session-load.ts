import type { Outcomes } from "./outcomes.ts";
import { isPositive, SERVICE_CLOSING, type SmtpReply } from "./reply.ts";
import type { ServerHabits } from "./server-habits.ts";

/**
 * Rejected mails after which a session ends. Each is followed by an RSET, a command without a mail,
 * and servers count those: Exim drops a session at the eleventh.
 */
const REFUSED_MAX = 8;

/**
 * Minimum number of mails to remember as a session's limit. Below it, a new session costs more than
 * the rejection it avoids.
 */
const REMEMBERED_MIN = 10;

/**
 * What a session has carried, and whether it may carry more. Some servers end a session by
 * rejecting MAIL, so that the rejection says nothing about the mail.
 */
export class SessionLoad {
  readonly #habits: ServerHabits;
  #accepted = 0;
  #refused = 0;
  #isOver = false;
  /** True while the MAIL pipelined behind a final dot is unanswered. */
  #isBehindDot = false;
  /** True while that MAIL tests how the server handles it. */
  #isTrying = false;

  constructor(habits: ServerHabits) {
    this.#habits = habits;
  }

  /** Returns true if the session may carry this many more mails, whatever their outcome. */
  hasRoomFor(mails: number): boolean {
    const { mailsMax } = this.#habits;
    const isFull = this.#accepted + mails > mailsMax || this.#refused + mails > REFUSED_MAX;
    return !this.#isOver && !isFull;
  }

  /** True while it is unknown how the server handles MAIL behind a final dot. */
  get isTrying(): boolean {
    return this.#isTrying;
  }

  /**
   * True if the next MAIL may be pipelined behind a final dot. If the server's behavior is unknown,
   * one session tries.
   */
  get mayWriteBehindDot(): boolean {
    const { readsBehindDot, isTryingDot } = this.#habits;
    return this.hasRoomFor(2) && (readsBehindDot ?? !isTryingDot);
  }

  /** Records that MAIL is pipelined behind a final dot. */
  writeBehindDot(): void {
    this.#isTrying = this.#habits.readsBehindDot === undefined;
    this.#habits.isTryingDot ||= this.#isTrying;
    this.#isBehindDot = true;
  }

  /** Allows another session to try, unless this one has found out. */
  stopTrying(): void {
    if (this.#isTrying) this.#habits.isTryingDot = false;
    this.#isTrying = false;
  }

  /** Records that the session is lost. A server that falls silent may have dropped its input. */
  lose(isSilent: boolean): void {
    if (this.#isBehindDot && (isSilent || this.#isTrying)) this.#habits.readsBehindDot = false;
    this.stopTrying();
  }

  /**
   * Processes the reply to MAIL. Returns true if it rejects the session rather than the mail: a 4xx
   * after other mails, and behind a final dot any 5xx and any rejection of the first try. The
   * session then carries no more mail.
   */
  hearsItsEnd(reply: SmtpReply): boolean {
    const habits = this.#habits;
    const isTaken = isPositive(reply);
    const isPermanent = reply.code >= 500;
    const isClosing = reply.code === SERVICE_CLOSING; // handled by the reader of the replies
    const isOfDot = this.#isBehindDot && !isTaken && (isPermanent || this.#isTrying);
    if (isOfDot) habits.readsBehindDot = false;
    else if (this.#isBehindDot && isTaken) habits.readsBehindDot ??= true;
    this.#isBehindDot = false;
    this.stopTrying();
    const isFull = !(isTaken || isPermanent || isClosing) && this.#accepted > 0;
    if (isFull && !isOfDot && this.#accepted >= REMEMBERED_MIN) habits.mailsMax = this.#accepted;
    this.#isOver ||= isOfDot || isFull;
    return isOfDot || isFull;
  }

  /** Counts a mail that has an outcome. */
  count(outcomes: Outcomes): void {
    if (outcomes.isAccepted) this.#accepted += 1;
    else this.#refused += 1;
  }
}
