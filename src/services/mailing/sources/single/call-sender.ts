/*
 * The call of a project's sender with one mail. Once a call may have reached the sender, nothing
 * else ever sends its mail. If a call breaks off, the outcome is therefore unknown, unless the
 * platform reports that the object was too busy to begin.
 */
import type { Ctx } from "../../../../context.ts";
import type { Deps } from "../../../../deps.ts";
import { AppError, refusal } from "../../../../errors.ts";
import { errorText, logLine } from "../../../../lib/log-line.ts";
import {
  objectOf,
  type SendCall,
  type SendReply,
  type Placed,
} from "../../../../project-object.ts";
import { limitRefusal, noteVerdict, type OpenHit } from "../../../limits/index.ts";
import { failed, OUTCOME_UNKNOWN } from "../../outcome.ts";
import { queueOutcome } from "../../record-later.ts";
import type { SendAnswer } from "../../../../project-object.ts";

/**
 * The wait before the log records an unknown outcome. It is longer than a sender can work on a
 * mail, so one that is still at work logs the true outcome.
 */
const UNKNOWN_AFTER_SECONDS = 900;

/** The wait that a busy sender asks for. */
const BUSY_SECONDS = 5;

/** The platform's error message for a call that its object was too busy to begin. */
const NOT_BEGUN = /Durable Object is overloaded/;

/**
 * Has the sender of a project send and record one mail. Throws rate_limited, sender_busy if nothing
 * was sent, and what the sender refused.
 */
export async function callSender(
  { deps }: Ctx,
  project: Placed,
  call: SendCall,
  hit: OpenHit | undefined,
): Promise<SendAnswer> {
  let reply: SendReply;
  try {
    reply = await objectOf(deps.senders, project).send(call);
  } catch (error) {
    const hasBegun = !NOT_BEGUN.test(errorText(error));
    logLine("error", "sender_failed", { projectId: project.id, hasBegun, error: errorText(error) });
    if (!hasBegun) throw busy();
    return logUnknown(deps, call);
  }
  if (hit) noteVerdict(hit, reply.verdict);
  return answerIn(reply);
}

/** Returns the answer in a reply, or throws what the sender refused. */
export function answerIn(reply: SendReply): SendAnswer {
  switch (reply.kind) {
    case "answered":
      return reply.answer;
    case "limited":
      throw limitRefusal("rate_limited", reply.verdict);
    case "busy":
      throw busy();
    case "refused": {
      const { code, params, message, retryAfterSeconds } = reply;
      const details = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
      throw new AppError(code, message, details, params);
    }
    case "failed":
      throw new Error(reply.error);
  }
}

const busy = () => refusal("sender_busy", {}, { retryAfterSeconds: BUSY_SECONDS });

/**
 * Answers that the outcome is unknown. The log will record this unless the sender logs the outcome
 * first.
 */
async function logUnknown(deps: Deps, { projectId, mail }: SendCall): Promise<SendAnswer> {
  const { logId } = mail;
  const error = `${OUTCOME_UNKNOWN}: the connection with the sender of this project was lost`;
  const outcome = { main: failed(mail.to.address, error), copies: [] };
  const record = { projectId, mail: { ...mail, broadcastId: null }, outcome, operation: null };
  try {
    await queueOutcome(deps, record, UNKNOWN_AFTER_SECONDS);
  } catch (fault) {
    logLine("error", "outcome_queue_refused", { logId, error: errorText(fault) });
  }
  return { kind: "refused", id: logId, error };
}
