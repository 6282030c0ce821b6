import type { Ctx } from "../../context.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/durations.ts";
import { sha256Hex } from "../../lib/hash.ts";
import type { Verdict } from "../../lib/sliding-window.ts";
import { addressName, shardOf, take, takeAll } from "./ask-limiter.ts";
import { clientOf } from "./client-address.ts";
import { mailboxName } from "./mailbox-name.ts";
import { bucketOf, PER_MINUTE } from "./limited-actions.ts";

/**
 * The unauthenticated joins per minute in one project, counted separately for public keys and for
 * its waitlist. The value is our own choice. It exceeds the limit of one address, so no single
 * address can block the list.
 */
const STRANGERS_PER_MINUTE = 600;

/** The joins per minute from one address with public keys of a project (API reference §4.1). */
const JOINS_PER_ADDRESS = PER_MINUTE.keyed_join;

/** The fraction of a list's joins that all Workers may use together (decision D36). */
const JOINS_OF_WORKERS = 0.5;

/**
 * Counts one join with a public key by client address, and by project or by a key with its own
 * limit. If one limit rejects a join, it counts for neither, so one address cannot block the list
 * for others. All callers without a known address count as one client; so do all Workers, whose
 * share is half of the limit. Throws 503 if the limiter does not answer.
 */
export function takePublicJoin(ctx: Ctx, projectId: string): Promise<Verdict> {
  const { actor } = ctx;
  const own = actor.kind === "project_key" ? actor.rateLimitPerMinute : undefined;
  const all = { limit: own ?? STRANGERS_PER_MINUTE, windowMs: MINUTE_MS };
  const shared = clientOf(ctx.clientIp).isWorkers ? Math.floor(all.limit * JOINS_OF_WORKERS) : 0;
  const one = { limit: Math.max(JOINS_PER_ADDRESS, shared), windowMs: MINUTE_MS };
  return takeAll(ctx, projectId, [
    [`public ${bucketOf(actor, "keyed_join")}`, all],
    [`public keyed_join of ${addressName(ctx)}`, one],
  ]);
}

/**
 * Counts one join of a project's waitlist. Callers can send any project id, so waitlists share
 * Durable Objects: unknown ids create no further objects. Throws 503 if the limiter does not
 * answer.
 */
export function takeWaitlistJoin(ctx: Ctx, projectId: string): Promise<Verdict> {
  const hash = sha256Hex(projectId);
  return take(ctx, shardOf("waitlist", hash), hash, STRANGERS_PER_MINUTE);
}

/**
 * The limits of mail triggered by unauthenticated requests: one to a mailbox in this time, this
 * many to it per day, and this many per project and minute.
 */
const SUBSCRIBER_MAIL_PAUSE_MS = 10 * 60_000;
const SUBSCRIBER_MAILS_PER_DAY = 6;
const SUBSCRIBER_MAILS_PER_MINUTE = 60;

/**
 * Counts one mail that a join triggers, by project and by mailbox (mailbox-name.ts). If one limit
 * rejects it, it counts for neither; `resetMs` is the time until the next attempt.
 * Throws 503 if the limiter does not answer.
 */
export function takeSubscriberMail(ctx: Ctx, projectId: string, email: string): Promise<Verdict> {
  const to = sha256Hex(mailboxName(email));
  return takeAll(ctx, projectId, [
    ["pending_mail", { limit: SUBSCRIBER_MAILS_PER_MINUTE, windowMs: MINUTE_MS }],
    [`subscriber_mail:${to}`, { limit: 1, windowMs: SUBSCRIBER_MAIL_PAUSE_MS }],
    [`subscriber_mail_day:${to}`, { limit: SUBSCRIBER_MAILS_PER_DAY, windowMs: DAY_MS }],
  ]);
}
