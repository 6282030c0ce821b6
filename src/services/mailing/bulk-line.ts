import type { Pace, Sign } from "../../lib/rates/rate-types.ts";
import type { SmtpPool } from "../../mail/smtp/index.ts";
import { admitBulk, type Admission, type Gate } from "./gate.ts";

/** The way of a broadcast or batch to the mail server of its project. */
export class BulkLine {
  readonly pool: SmtpPool;
  readonly #gate: Gate;
  readonly #pace: Pace | undefined;

  constructor(gate: Gate, pace: Pace | undefined, pool: SmtpPool) {
    this.pool = pool;
    this.#gate = gate;
    this.#pace = pace;
  }

  /** Waits until the limits allow a mail to a domain. */
  admit(domain: string, isOver: () => boolean): Promise<Admission> {
    return admitBulk(this.#gate, { domain, pace: this.#pace }, isOver);
  }

  saw(sign: Sign): void {
    this.#gate.learn(sign);
  }
}
