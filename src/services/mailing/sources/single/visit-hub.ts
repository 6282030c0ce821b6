/*
 * The call of a project's hub. Once a call may have reached the hub, nothing else ever sends its
 * mail. If a call breaks off, the outcome is therefore unknown, unless the platform reports that
 * the object was too busy to begin.
 */
import type { Ctx } from "../../../../context.ts";
import type { Deps } from "../../../../deps.ts";
import { errorText, logLine } from "../../../../lib/log-line.ts";
import type { OutgoingMessage } from "../../../../mail/smtp/index.ts";
import { objectOf, type HubCall, type HubReply, type Placed } from "../../../../project-object.ts";
import { failed, OUTCOME_UNKNOWN } from "../../outcome.ts";
import { queueSettle } from "../../settle-later.ts";
import type { SendAnswer } from "../answers.ts";
import type { ReadyMail } from "./single-ledger.ts";

/** The largest message that goes through a hub. */
const HUB_MESSAGE_BYTES_MAX = 1_048_576;

/**
 * The time for which an isolate leaves a hub alone after a call to it broke off. It equals the time
 * for which the platform repeats a call that has not reached its object.
 */
const REST_MS = 10_000;

/** The largest number of hubs that an isolate remembers. Beyond that, it forgets the oldest. */
const RESTING_MAX = 1_000;

/**
 * The wait before the log records an unknown outcome. It is longer than a hub can work on a mail,
 * so a hub that is still at work logs the true outcome.
 */
const UNKNOWN_AFTER_SECONDS = 900;

/** The platform's error message for a call that its object was too busy to begin. */
const NOT_BEGUN = /Durable Object is overloaded/;

/**
 * The end of a visit. With `lost`, the outcome is unknown. With `unreachable`, nothing has begun.
 */
export type Visit =
  | HubReply
  | { kind: "lost"; verdict: undefined; answer: SendAnswer }
  | { kind: "unreachable" };

type Visiting = ReadyMail &
  Pick<
    HubCall,
    "projectId" | "hit" | "smtp" | "fallback" | "sending" | "suppressOnAny5xx" | "isPending"
  >;

/** The hubs that broke off a call, with the time until which this isolate leaves each alone. */
const resting = new Map<string, number>();

/** Returns true for a message that a hub takes. */
export function isHubSized({ data }: OutgoingMessage): boolean {
  return data.length <= HUB_MESSAGE_BYTES_MAX;
}

/** Has the hub of a project send and settle one mail. */
export async function visitHub(ctx: Ctx, place: Placed, visiting: Visiting): Promise<Visit> {
  const { deps } = ctx;
  const { projectId } = visiting;
  const restUntil = resting.get(projectId) ?? 0;
  if (deps.now() < restUntil) return { kind: "unreachable" };
  resting.delete(projectId);
  try {
    return await objectOf(deps.limiter, place).send(callOf(visiting));
  } catch (error) {
    leaveAlone(projectId, deps.now() + REST_MS);
    const hasBegun = !NOT_BEGUN.test(errorText(error));
    logLine("error", "hub_failed", { projectId, hasBegun, error: errorText(error) });
    return hasBegun ? logUnknown(deps, visiting) : { kind: "unreachable" };
  }
}

function callOf({ message, mail, ...rest }: Visiting): HubCall {
  const { logId, to, subject, tags, templateId, subscriberId } = mail;
  const { envelope, data } = message;
  return {
    ...rest,
    mail: { logId, to, subject, tags, templateId, subscriberId },
    envelope,
    parts: data.portableParts(),
  };
}

function leaveAlone(projectId: string, until: number): void {
  const [oldest] = resting.keys();
  if (resting.size >= RESTING_MAX && oldest !== undefined) resting.delete(oldest);
  resting.set(projectId, until);
}

/**
 * Answers that the outcome is unknown. The log will record this unless the hub logs the outcome
 * first.
 */
async function logUnknown(deps: Deps, { projectId, mail }: Visiting): Promise<Visit> {
  const { logId } = mail;
  const error = `${OUTCOME_UNKNOWN}: the connection with the sender of this project was lost`;
  const outcome = { main: failed(mail.to.address, error), copies: [] };
  const settle = { projectId, mail: { ...mail, broadcastId: null }, outcome, operation: null };
  try {
    await queueSettle(deps, settle, UNKNOWN_AFTER_SECONDS);
  } catch (fault) {
    logLine("error", "settle_queue_refused", { logId, error: errorText(fault) });
  }
  return { kind: "lost", verdict: undefined, answer: { kind: "refused", id: logId, error } };
}
