import type { Ctx } from "../../context.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/durations.ts";
import { sha256Hex } from "../../lib/hash.ts";
import type { Verdict } from "../../lib/sliding-window.ts";
import { addressName, shardOf, take, takeAll } from "./ask-limiter.ts";
import { clientOf } from "./client-address.ts";
import { mailboxName } from "./mailbox-name.ts";
import { bucketOf, PER_MINUTE } from "./limited-actions.ts";

/**
 * The joins a minute that strangers may cause in one project, counted apart for public keys and for
 * its waitlist. The value is our own choice. It exceeds the limit of one address, so no single
 * address closes the list.
 */
const STRANGERS_PER_MINUTE = 600;

/** The joins a minute of one address with public keys of a project (API reference §4.1). */
const JOINS_PER_ADDRESS = PER_MINUTE.keyed_join;

/** The part of a list's joins that all Workers may use together (decision D36). */
const JOINS_OF_WORKERS = 0.5;

/**
 * Counts one join with a public key by client address, and by project or by a key with its own
 * limit. A join that one limit refuses counts for neither, so one address cannot close the list for
 * others. All callers without a known address count as one client; so do all Workers, whose share
 * is half of the list. Throws 503 when the limiter does not answer.
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
 * Counts one join of a project's waitlist. Callers can name any project, so waitlists share Durable
 * Objects: unknown ids create no further objects. Throws 503 when the limiter does not
 * answer.
 */
export function takeWaitlistJoin(ctx: Ctx, projectId: string): Promise<Verdict> {
  const hash = sha256Hex(projectId);
  return take(ctx, shardOf("waitlist", hash), hash, STRANGERS_PER_MINUTE);
}

/**
 * The limits of mail that strangers may cause: one to a mailbox in this time, this many to it in a
 * day, and this many of a project a minute.
 */
const SUBSCRIBER_MAIL_PAUSE_MS = 10 * 60_000;
const SUBSCRIBER_MAILS_PER_DAY = 6;
const SUBSCRIBER_MAILS_PER_MINUTE = 60;

/**
 * Counts one mail that a join causes, by its project and by its mailbox (mailbox-name.ts). A
 * refused mail counts for neither; `resetMs` is the time until the next attempt.
 * Throws 503 when the limiter does not answer.
 */
export function takeSubscriberMail(ctx: Ctx, projectId: string, email: string): Promise<Verdict> {
  const to = sha256Hex(mailboxName(email));
  return takeAll(ctx, projectId, [
    ["pending_mail", { limit: SUBSCRIBER_MAILS_PER_MINUTE, windowMs: MINUTE_MS }],
    [`subscriber_mail:${to}`, { limit: 1, windowMs: SUBSCRIBER_MAIL_PAUSE_MS }],
    [`subscriber_mail_day:${to}`, { limit: SUBSCRIBER_MAILS_PER_DAY, windowMs: DAY_MS }],
  ]);
}
