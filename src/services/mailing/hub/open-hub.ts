import { systemContext } from "../../../context.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../errors.ts";
import { errorText, logLine } from "../../../lib/log-line.ts";
import type { Sign } from "../../../lib/permits/permit-messages.ts";
import { MessageData } from "../../../mail/message-data.ts";
import {
  DEFAULT_SMTP_TIMEOUTS,
  isUntouched,
  WarmSessions,
  type WarmRules,
} from "../../../mail/smtp/index.ts";
import type { HubCall, HubOutcome, SendAnswer } from "../../../project-object.ts";
import { heldBackError } from "../../sending/index.ts";
import { wakeNextMail } from "../../subscribers/index.ts";
import { deliverOne } from "../deliver.ts";
import { signOfOpening, signOfResult } from "../read-sign.ts";
import { singleLedger } from "../sources/single/single-ledger.ts";
import { groupSettles } from "./group-settles.ts";
import { PendingInHand } from "./pending-in-hand.ts";
import { takeTurn, type Gate } from "./take-turn.ts";

/** The SMTP sessions of a project's single mails and pending mails. */
const RULES = {
  waitMs: 20_000, // longer than a session takes to open
  checkAfterMs: 5_000,
  idleMs: 30_000, // most servers wait for five minutes, a few for one
  mailsMax: 100,
} satisfies Partial<WarmRules>;

/**
 * The number of bytes in hand above which the hub takes no more mails, and the least that each mail
 * counts for. Objects share the memory of their isolate, 128 MB.
 */
const IN_HAND = { bytesMax: 33_554_432, leastBytes: 16_384 };

/** The part of a project's object that sends. */
export interface Hub {
  /** Sends and settles one mail, even if nobody waits for its outcome. Never throws. */
  send: (call: HubCall) => Promise<HubOutcome>;
  endSessions: () => Promise<void>;
  /**
   * Ends resting sessions until only this many sessions are left. Returns when their connections
   * are closed.
   */
  shrink: (sessionsMax: number) => Promise<void>;
  /**
   * Reports the open connections to the gate, and returns how many connections the gate allows now.
   */
  connectionsMax: () => number;
}

/** Opens the hub of a project. The hub lives as long as the project's object. */
export function openHub(deps: Deps, gate: Gate): Hub {
  const sessions = new WarmSessions(deps.sockets, DEFAULT_SMTP_TIMEOUTS, {
    ...RULES,
    connectionsMax: gate.connectionsMax,
    areOthersConnected: gate.areWorkersConnected,
    onRefusal(error, { role }, others) {
      if (role !== "first" || others > 0) learn(gate, signOfOpening(error, others));
    },
  });
  let bytesInHand = 0;
  let mailsInHand = 0;
  const settle = groupSettles(deps, () => mailsInHand);
  const pending = new PendingInHand(deps);

  const deliver = async (call: HubCall): Promise<SendAnswer> => {
    const { isSuppressed, mail, envelope } = call;
    // A mail that would have to wait long is refused before anything is claimed.
    const waitMs = isSuppressed ? 0 : await takeTurn(gate, mail.logId, envelope.to);
    if (waitMs > 0) throw heldBackError(waitMs);
    const data = MessageData.fromPortable(call.parts);
    const message = { envelope, data };
    const ctx = systemContext(deps, "hub");
    const ledger = singleLedger(ctx, call.projectId, { ...call, message }, settle);
    const servers = [call.smtp, ...(call.fallback ? [call.fallback] : [])];
    await deliverOne(deps, call, ledger, async (server, composed) => {
      const result = await sessions.send(server, composed, servers);
      if (server.role !== "first" || !isUntouched(result)) learn(gate, signOfResult(result));
      return result;
    });
    return ledger.answer();
  };

  const outcomeOf = async (call: HubCall): Promise<HubOutcome> => {
    try {
      return { kind: "answered", answer: await deliver(call) };
    } catch (error) {
      if (error instanceof AppError) return refusalOf(error);
      const { logId } = call.mail;
      logLine("error", "hub_send_failed", { logId, error: errorText(error) });
      return { kind: "failed", error: errorText(error) };
    }
  };

  return {
    endSessions: () => sessions.end(),
    shrink: (sessionsMax) => sessions.shrink(sessionsMax),
    connectionsMax: () => gate.connectionsMax(sessions.connections, sessions.wanted),
    async send(call) {
      const bytes = Math.max(IN_HAND.leastBytes, sizeOf(call));
      if (bytesInHand + bytes > IN_HAND.bytesMax) return { kind: "busy" };
      const isPending = call.isPending && !call.isSuppressed;
      if (isPending && pending.refuses()) return { kind: "slow" };
      bytesInHand += bytes;
      mailsInHand += 1;
      const sending = outcomeOf(call).finally(() => {
        bytesInHand -= bytes;
        mailsInHand -= 1;
      });
      deps.waitUntil(sending); // runs on when the Worker is gone
      if (!isPending) return sending;
      const { projectId } = call;
      const wakeNext = () => wakeNextMail(deps, projectId);
      return (await pending.outcomeOf(projectId, sending, wakeNext)) ?? { kind: "under_way" };
    },
  };
}

function learn(gate: Gate, sign: Sign | undefined): void {
  if (sign) gate.learn(sign);
}

function refusalOf({ code, params, message, details }: AppError): HubOutcome {
  return { kind: "refused", code, params, message, retryAfterSeconds: details.retryAfterSeconds };
}

function sizeOf({ parts }: HubCall): number {
  const sizes = parts.map((part) => (part instanceof Uint8Array ? part : part.file).length);
  return sizes.reduce((sum, size) => sum + size, 0);
}
