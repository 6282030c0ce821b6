import type { ChunkingState } from "./account-states.ts";
import type { ChunkedWindow, Posted } from "./chunked-window.ts";
import type { Kept } from "./kept-sessions.ts";
import { WINDOW_MESSAGES_MAX } from "./pool-rules.ts";
import { hasBegun, isWorthAnotherSession } from "./untouched.ts";
import type { Job } from "./waiting-line.ts";

/** What a carrier needs of its pool. */
interface Pool {
  stateOf: (account: string) => { chunking: ChunkingState };
  /** Takes the next message for a session that carries one. */
  takeNext: (kept: Kept) => Job | undefined;
  /** Lets a message wait for another session. */
  wait: (job: Job) => void;
  /** Takes a session back that carries nothing any more. */
  release: (kept: Kept) => void;
  /** Hears that the window of a session may have room. */
  hasRoom: () => void;
}

/** Carries messages over sessions and decides whether they go out again. */
export class Carrier {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Gives a session that carries nothing a message. */
  carry(kept: Kept, job: Job): void {
    const window = this.#windowOf(kept);
    if (window) void this.#post(kept, job, window);
    else void this.#sendByData(kept, job);
  }

  /** Fills the window of a session that has messages in flight. */
  fill(kept: Kept): void {
    while (kept.inFlight > 0) {
      const window = this.#windowOf(kept);
      const job = window && this.#pool.takeNext(kept);
      if (!job) return;
      void this.#post(kept, job, window);
    }
  }

  /** Returns true if a session that carries messages may also carry this one. */
  fits(kept: Kept, { message, account }: Job): boolean {
    if (kept.inFlight === 0) return true; // by DATA: one message follows another
    const most = this.#pool.stateOf(account).chunking === "works" ? WINDOW_MESSAGES_MAX : 1;
    return this.#windowOf(kept)?.hasRoomFor(most, message.data.length) ?? false;
  }

  #windowOf({ session, account }: Kept): ChunkedWindow | undefined {
    return this.#pool.stateOf(account).chunking === "off" ? undefined : session.openWindow();
  }

  async #post(kept: Kept, job: Job, window: ChunkedWindow): Promise<void> {
    const hadServed = kept.mails > 0;
    kept.mails += 1;
    kept.inFlight += 1;
    try {
      const posted = await window.post(job.message);
      this.#learn(job.account, posted);
      this.#finish(job, posted, hadServed);
    } catch (error) {
      job.done.reject(error);
    }
    kept.inFlight -= 1;
    if (kept.inFlight === 0) this.#pool.release(kept);
    else this.#pool.hasRoom();
  }

  #learn(account: string, { result, isBdatUnknown }: Posted): void {
    const state = this.#pool.stateOf(account);
    const outcomes = new Set(result.recipients.map(({ outcome }) => outcome));
    if (isBdatUnknown || outcomes.has("unknown")) state.chunking = "off";
    else if (outcomes.has("accepted") && state.chunking === "untried") state.chunking = "works";
  }

  /** Sends a message by DATA, and those whose envelopes go with the end of another one. */
  async #sendByData(kept: Kept, first: Job): Promise<void> {
    let isUsable = true;
    let next: Job[] = [first];
    for (let [job] = next; job && isUsable; [job] = next) {
      const hadServed = kept.mails > 0;
      const following: Job[] = [];
      kept.mails += 1;
      next = following;
      try {
        const result = await kept.session.send(job.message, () => {
          const taken = this.#pool.takeNext(kept);
          if (taken) following.push(taken);
          return taken?.message;
        });
        isUsable = result.sessionUsable;
        this.#finish(job, { result, wasReached: true, isBdatUnknown: false }, hadServed);
      } catch (error) {
        isUsable = false;
        job.done.reject(error);
      }
    }
    for (const unreached of next) this.#pool.wait(unreached);
    this.#pool.release(kept);
  }

  /** Ends a message with its result, or lets it wait for another session. */
  #finish(job: Job, { result, wasReached, isBdatUnknown }: Posted, hadServed: boolean): void {
    const mayRetry = !wasReached || (hadServed && !job.isSecondTry);
    if (isBdatUnknown || (mayRetry && isWorthAnotherSession(result))) {
      if (hasBegun(result)) job.begun = result;
      job.isSecondTry ||= wasReached;
      this.#pool.wait(job);
    } else job.done.resolve(job.begun ? { ...result, hasContent: true } : result);
  }
}
