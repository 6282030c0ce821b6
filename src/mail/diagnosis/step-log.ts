import type { ConnectionCode, ConnectionMessage } from "../../messages/connections.ts";
import { withTexts, type Params } from "../../messages/message.ts";
import type { Remedy, RemedyCode } from "../../messages/remedies.ts";
import { cutText } from "../../lib/cut-text.ts";

/** A step of a diagnosis, in the order of a session. */
export type StepName =
  | "dns"
  | "address"
  | "connect"
  | "tls"
  | "greeting"
  | "ehlo"
  | "auth"
  | "mail"
  | "capability"
  | "login"
  | "folder"
  | "unread";

/**
 * One step: its duration in ms, its finding, and for a failed step the remedy, each with its code
 * and params.
 */
export type Step = {
  step: StepName;
  ok: boolean;
  ms: number;
  detail?: string;
  code?: ConnectionCode;
  params?: Params;
  remedy?: string;
  remedy_code?: RemedyCode;
  remedy_params?: Params;
};

/** Maximum length of a detail, parts of which come from servers and certificates. */
const DETAIL_CHARACTERS_MAX = 300;
const UNPRINTABLE = /[\p{C}\p{Z}]+/gu;

/** Records the steps of one attempt. A step's time starts where the last one ended. */
export class StepLog {
  #steps: Step[] = [];
  #since = performance.now();

  get steps(): Step[] {
    return [...this.#steps];
  }

  hasPassed(name: StepName): boolean {
    return this.#steps.some(({ step, ok }) => ok && step === name);
  }

  succeeded(step: StepName, detail: ConnectionMessage): void {
    this.#add({ step, ok: true, ms: this.#lap(), ...said(detail) });
  }

  failed(step: StepName, detail: ConnectionMessage, remedy: Remedy): void {
    this.#add({ step, ok: false, ms: this.#lap(), ...said(detail), ...advice(remedy) });
  }

  /** Adds a step. A second attempt overwrites the recorded steps from that step on. */
  #add(step: Step): void {
    const at = this.#steps.findIndex((earlier) => earlier.step === step.step);
    this.#steps = [...(at < 0 ? this.#steps : this.#steps.slice(0, at)), step];
  }

  #lap(): number {
    const now = performance.now();
    const ms = Math.round(now - this.#since);
    this.#since = now;
    return ms;
  }
}

/** Returns a detail without control characters and with bounded length; none if it is empty. */
function said(detail: ConnectionMessage): Pick<Step, "detail" | "code" | "params"> {
  const { message, ...rest } = withTexts(detail, printable);
  return message === "" ? {} : { detail: message, ...rest };
}

/** Returns a remedy with its code and params. */
export const advice = ({
  message,
  code,
  params,
}: Remedy): Pick<Step, "remedy" | "remedy_code" | "remedy_params"> => ({
  remedy: message,
  remedy_code: code,
  ...(params && { remedy_params: params }),
});

const printable = (text: string): string =>
  cutText(text.replaceAll(UNPRINTABLE, " ").trim(), DETAIL_CHARACTERS_MAX);
