import type { Deps } from "../../deps.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import type { SendCall } from "../../project-object.ts";
import { selectDueMails } from "../subscribers/index.ts";
import type { SingleSender } from "./single-sender.ts";
import { sendPendingMail } from "./sources/pending/send-pending-mail.ts";
import { answerIn } from "./sources/single/call-sender.ts";

/** The most mails on their way. A server that hangs holds up these alone. */
const AT_ONCE = 4;

/** The number of mails that one look reads. */
const LOOK = 50;

/** Sends the confirmations and welcomes of a project, and the mails of the service. */
export class Outbox {
  readonly #projectId: string;
  readonly #inHand = new Map<string, Promise<void>>();
  /** The due mails that wait for the end of another, as far as the last look goes. */
  waiting = 0;

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  /**
   * Begins the mails that are due, and does not wait for them: the end of one begins the next.
   * Returns the time at which to run again, in milliseconds; undefined if none is left.
   */
  async run(deps: Deps, single: Pick<SingleSender, "send">): Promise<number | undefined> {
    const now = deps.now();
    const mails = await selectDueMails(deps.db, this.#projectId, LOOK);
    const due = mails.filter(({ id, dueAt }) => dueAt <= now && !this.#inHand.has(id));
    const room = AT_ONCE - this.#inHand.size;
    this.waiting = Math.max(0, due.length - room);
    for (const { id } of due.slice(0, room)) this.#begin(deps, single, id);
    return mails.find(({ dueAt }) => dueAt > now)?.dueAt;
  }

  /** Waits for the mails on their way, and for those that follow them. */
  async idle(): Promise<void> {
    while (this.#inHand.size > 0) await Promise.all(this.#inHand.values());
  }

  #begin(deps: Deps, single: Pick<SingleSender, "send">, id: string): void {
    const sending = this.#sendThenGoOn(deps, single, id);
    this.#inHand.set(id, sending);
    deps.waitUntil(sending);
  }

  async #sendThenGoOn(deps: Deps, single: Pick<SingleSender, "send">, id: string): Promise<void> {
    const deliver = async (call: SendCall) =>
      answerIn({ ...(await single.send(call)), verdict: undefined });
    await sendOne(deps, id, deliver);
    this.#inHand.delete(id);
    if (this.waiting > 0) await this.#goOn(deps, single);
  }

  /** Begins the mails that waited for room. Never throws: the minute's sweep finds those left. */
  async #goOn(deps: Deps, single: Pick<SingleSender, "send">): Promise<void> {
    try {
      await this.run(deps, single);
    } catch (error) {
      logLine("warn", "outbox_not_read", { projectId: this.#projectId, error: errorText(error) });
    }
  }
}

/** Sends one mail. Never throws: D1 holds the mail with the time of its next attempt. */
async function sendOne(
  deps: Deps,
  pendingMailId: string,
  deliver: Parameters<typeof sendPendingMail>[2],
): Promise<void> {
  try {
    const result = await sendPendingMail(deps, pendingMailId, deliver);
    if (result.kind === "put_off")
      logLine("warn", "pending_mail_put_off", { pendingMailId, logId: result.answer.id });
    if (result.kind !== "dropped") return;
    const { projectId, subscriberId } = result.mail;
    const error = errorText(result.error);
    logLine("warn", "pending_mail_dropped", { projectId, subscriberId, error });
  } catch (error) {
    logLine("warn", "pending_mail_put_off", { pendingMailId, error: errorText(error) });
  }
}
