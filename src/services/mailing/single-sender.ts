import { systemContext } from "../../context.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import type { Sign } from "../../lib/rates/rate-types.ts";
import { SmtpDiagnosis } from "../../mail/diagnosis/index.ts";
import { MessageData } from "../../mail/message-data.ts";
import {
  DEFAULT_SMTP_TIMEOUTS,
  realRecipients,
  sendToReal,
  sendWithFailover,
  SmtpPool,
  type OutgoingMessage,
  type PoolRules,
  type ServerResult,
} from "../../mail/smtp/index.ts";
import type { SendCall, SendOutcome, TestReply } from "../../project-object.ts";
import { admitSingle, type Gate } from "./gate.ts";
import { signOfOpening, signOfResult } from "./read-sign.ts";
import { sendClaimed } from "./sources/single/send-claimed.ts";
import { groupRecords } from "./group-records.ts";

/** The SMTP sessions of a project. */
const RULES = {
  waitMs: 20_000, // longer than a session takes to open
  checkAfterMs: 5_000,
  idleMs: 30_000, // most servers wait for five minutes, a few for one
  mailsMax: 1_000,
} satisfies Partial<PoolRules>;

/**
 * The number of bytes in hand above which the sender takes no more mails, and the least that each mail
 * counts for. Objects share the memory of their isolate, 128 MB.
 */
const IN_HAND = { bytesMax: 33_554_432, leastBytes: 16_384 };

const DNS_TIMEOUT_MS = 2_000;

/** Sends one message. Throws SmtpConnectError when there is no session for it. */
type Via = (message: OutgoingMessage) => Promise<ServerResult>;

/** The part of a project's object that sends mails one by one. */
export interface SingleSender {
  /** Sends and records one mail, even if nobody waits for its outcome. Never throws. */
  send: (call: SendCall) => Promise<SendOutcome>;
  /** Sends and records one mail step by step, over a session of its own. */
  sendTest: (call: SendCall) => Promise<TestReply>;
  /** The sessions of all mail of the project. */
  readonly pool: SmtpPool;
}

/** Opens the sender of single mails, which lives as long as the project's object. */
export function openSingleSender(deps: Deps, gate: Gate): SingleSender {
  const pool = new SmtpPool(deps.sockets, DEFAULT_SMTP_TIMEOUTS, {
    ...RULES,
    now: deps.now,
    connectionsMax: gate.connectionsMax,
    onRefusal(error, { role }, others) {
      if (role !== "first" || others > 0) learn(gate, signOfOpening(error, others));
    },
  });
  let bytesInHand = 0;
  let mailsInHand = 0;
  const record = groupRecords(deps, () => mailsInHand);

  const deliver = async (call: SendCall, via: Via) => {
    const { isSuppressed, mail, envelope } = call;
    const real = isSuppressed ? [] : realRecipients(envelope.to, mail);
    // A mail that would have to wait long is refused before anything is claimed.
    if (real.length > 0) await admitSingle(gate, mail.logId, real);
    const send: Via = (message) => sendToReal(message, mail, via);
    const message = { envelope, data: MessageData.fromPortable(call.parts) };
    return sendClaimed(systemContext(deps, "sender"), { ...call, message }, { send, record });
  };

  const outcomeOf = async (call: SendCall, via: Via): Promise<SendOutcome> => {
    const bytes = Math.max(IN_HAND.leastBytes, sizeOf(call));
    if (bytesInHand + bytes > IN_HAND.bytesMax) return { kind: "busy" };
    bytesInHand += bytes;
    mailsInHand += 1;
    try {
      return { kind: "answered", answer: await deliver(call, via) };
    } catch (error) {
      if (error instanceof AppError) return refusalOf(error);
      const { logId } = call.mail;
      logLine("error", "send_failed", { logId, error: errorText(error) });
      return { kind: "failed", error: errorText(error) };
    } finally {
      bytesInHand -= bytes;
      mailsInHand -= 1;
    }
  };

  return {
    pool,
    send(call) {
      const sending = outcomeOf(call, async (message) => {
        const sent = await pool.send(message, call);
        learn(gate, signOfResult(sent.result));
        return sent;
      });
      deps.waitUntil(sending); // runs on when the Worker is gone
      return sending;
    },
    async sendTest(call) {
      const diagnosis = openDiagnosis(deps);
      const outcome = await outcomeOf(call, (message) =>
        sendWithFailover(call, deps.now, (server) => diagnosis.send(server, message)),
      );
      const { steps, alternative } = diagnosis;
      return { outcome, steps, alternative };
    },
  };
}

function openDiagnosis({ config, fetch, sockets, now, waitUntil }: Deps): SmtpDiagnosis {
  return new SmtpDiagnosis({
    resolver: { fetch, url: config.dohUrl, timeoutMs: DNS_TIMEOUT_MS },
    allowPrivate: config.allowPrivateTargets,
    sockets,
    now,
    waitUntil,
  });
}

function learn(gate: Gate, sign: Sign | undefined): void {
  if (sign) gate.learn(sign);
}

function refusalOf({ code, params, message, details }: AppError): SendOutcome {
  return { kind: "refused", code, params, message, retryAfterSeconds: details.retryAfterSeconds };
}

function sizeOf({ parts }: SendCall): number {
  const sizes = parts.map((part) => (part instanceof Uint8Array ? part : part.file).length);
  return sizes.reduce((sum, size) => sum + size, 0);
}
