import type { Outcomes } from "./outcomes.ts";
import { isPositive, SERVICE_CLOSING, type SmtpReply } from "./reply.ts";
import type { ServerHabits } from "./server-habits.ts";

/**
 * The number of refused mails after which a session ends. The RSET behind each is a command without
 * a mail, and servers count those: Exim drops a session at the eleventh.
 */
const REFUSED_MAX = 8;

/**
 * The least number of mails that is remembered as all that a session carries. After fewer, a new
 * session costs more than the refusal that leads to it.
 */
const REMEMBERED_MIN = 10;

/**
 * What one session has carried, and whether it may carry more. Some servers end a session by
 * refusing MAIL, so that the refusal says nothing about the mail.
 */
export class SessionLoad {
  readonly #habits: ServerHabits;
  #accepted = 0;
  #refused = 0;
  #isOver = false;
  /** True while the MAIL that was written behind a final dot has no answer yet. */
  #isBehindDot = false;
  /** True while that MAIL tries how the server takes it. */
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

  /** True while nobody knows yet how the server takes the MAIL that was written behind a dot. */
  get isTrying(): boolean {
    return this.#isTrying;
  }

  /**
   * Returns true if the next MAIL may be written behind a final dot, and expects that it is. If
   * nobody knows how the server takes it, one session tries.
   */
  mayWriteBehindDot(): boolean {
    const { readsBehindDot, isTryingDot } = this.#habits;
    const mayTry = readsBehindDot === undefined && !isTryingDot;
    if (!this.hasRoomFor(2) || !(readsBehindDot || mayTry)) return false;
    this.#habits.isTryingDot ||= mayTry;
    this.#isTrying = mayTry;
    this.#isBehindDot = true;
    return true;
  }

  /** Lets another session try, unless this one has found out. */
  stopTrying(): void {
    if (this.#isTrying) this.#habits.isTryingDot = false;
    this.#isTrying = false;
  }

  /** Notes that the session is lost. A server that falls silent may have dropped what it got. */
  lose(isSilent: boolean): void {
    if (this.#isBehindDot && (isSilent || this.#isTrying)) this.#habits.readsBehindDot = false;
    this.stopTrying();
  }

  /**
   * Hears the answer to MAIL. Returns true if it refuses the session and not the mail: a 4xx after
   * other mails, and behind a final dot any 5xx and any refusal of the first try. The session then
   * carries nothing more.
   */
  hearsItsEnd(reply: SmtpReply): boolean {
    const habits = this.#habits;
    const isTaken = isPositive(reply);
    const isPermanent = reply.code >= 500;
    const isClosing = reply.code === SERVICE_CLOSING; // which the reader of the replies handles
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

  /** Counts a mail that has its outcome. */
  count(outcomes: Outcomes): void {
    if (outcomes.isAccepted) this.#accepted += 1;
    else this.#refused += 1;
  }
}
