/** A message that the capturing server accepted. */
export interface CapturedMessage {
  /** Order of arrival in the whole run, from 1. */
  number: number;
  /** Connection of the message: equal for messages that shared one. */
  connection: string;
  /** Name that the client gave in EHLO. */
  ehlo: string;
  from: string;
  /** Accepted recipients, as the client wrote them. */
  to: string[];
  /** Raw message in base64, dots unstuffed. */
  data: string;
  /** True when TLS was on. */
  secure: boolean;
  /** User that logged in, empty without login. */
  user: string;
}

/** Filter of messages: every given field must match, addresses in any case. */
export interface InboxQuery {
  to?: string;
  from?: string;
}

/**
 * Captured messages in memory, with a way to wait for more. They are kept by address, because a run
 * captures tens of thousands, and every message makes all that wait look again.
 */
export class Inbox {
  readonly #messages: CapturedMessage[] = [];
  readonly #byRecipient = new Map<string, CapturedMessage[]>();
  readonly #bySender = new Map<string, CapturedMessage[]>();
  readonly #waiting = new Set<() => void>();

  add(captured: Omit<CapturedMessage, "number">): void {
    const message = { number: this.#messages.length + 1, ...captured };
    this.#messages.push(message);
    for (const address of new Set(message.to.map((to) => to.toLowerCase())))
      keep(this.#byRecipient, address, message);
    keep(this.#bySender, message.from.toLowerCase(), message);
    for (const check of this.#waiting) check();
  }

  find(query: InboxQuery): CapturedMessage[] {
    const to = query.to?.toLowerCase();
    const from = query.from?.toLowerCase();
    if (to === undefined && from === undefined) return [...this.#messages];
    if (to === undefined) return [...(this.#bySender.get(from ?? "") ?? [])];
    const received = this.#byRecipient.get(to) ?? [];
    return received.filter((message) => from === undefined || message.from.toLowerCase() === from);
  }

  /** Answers as soon as `count` messages match, or with the matches after `timeoutMs`. */
  async wait(query: InboxQuery, count: number, timeoutMs: number): Promise<CapturedMessage[]> {
    await new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#waiting.delete(check);
        resolve();
      };
      const check = () => {
        if (this.find(query).length >= count) finish();
      };
      const timer = setTimeout(finish, timeoutMs);
      this.#waiting.add(check);
      check();
    });
    return this.find(query);
  }
}

function keep(
  byAddress: Map<string, CapturedMessage[]>,
  address: string,
  message: CapturedMessage,
): void {
  const kept = byAddress.get(address);
  if (kept) kept.push(message);
  else byAddress.set(address, [message]);
}
