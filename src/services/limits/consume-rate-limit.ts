import type { Actor, Ctx } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { clientOf } from "./client-address.ts";
import { strictest, type Limit, type Verdict } from "../../lib/sliding-window.ts";
import type { Hit, ProjectObject } from "../../project-object.ts";

/**
 * The limits of each action per project and minute. The key-based API has its own limits
 * (API reference §4.1). The limits of the SMTP and IMAP tests are our own choice.
 */
const PER_MINUTE = {
  send: 60,
  batch: 20,
  broadcast: 5,
  smtp_test: 10,
  imap_test: 10,
  keyed_send: 60,
  keyed_join: 60,
  keyed_read: 60,
  keyed_broadcast: 10,
} as const;
export type LimitedAction = keyof typeof PER_MINUTE;

/**
 * The joins a minute that strangers may cause in one project, counted apart for public keys and for
 * its waitlist. The value is our own choice. It exceeds the limit of one address, so no single
 * address closes the list.
 */
const STRANGERS_PER_MINUTE = 600;

/** The joins a minute of one address with public keys of a project (API reference §4.1). */
const JOINS_PER_ADDRESS = PER_MINUTE.keyed_join;

/** The part of a list's joins that all Workers may use together (decision D82). */
const JOINS_OF_WORKERS = 0.5;

/** The actions that have a separate limit for each person. */
const PER_PERSON: ReadonlySet<LimitedAction> = new Set(["imap_test"]);

const WINDOW_MS = 60_000;

/** The password attempts a minute, by address and by account (API reference §4.1). */
const TRIES_PER_MINUTE = 10;

/**
 * Counts one call against the project's limit. Uses the person's limit for an action that has one,
 * or the key's own limit if it has one. The answer is exact: it comes from the project's Durable
 * Object.
 * Throws unavailable when the limiter does not answer, so a broken limiter allows no send.
 */
export async function consumeRateLimit(
  ctx: Ctx,
  projectId: string,
  action: LimitedAction,
): Promise<Verdict> {
  const { actor } = ctx;
  return take(ctx, projectId, bucketOf(actor, action), limitOf(actor, action).limit);
}

/** The hit of one call, which is counted together with the work of the call. */
export interface OpenHit {
  hit: Hit;
  /** True once the hit is counted, or may be: a second count would refuse what was done. */
  isCounted: boolean;
  /** Undefined until the hit is counted, and when the verdict was lost on its way. */
  verdict: Verdict | undefined;
}

/** Opens the hit of one call against the project's limit, as `consumeRateLimit` would count it. */
export function openHit({ actor }: Ctx, action: LimitedAction): OpenHit {
  return {
    hit: [bucketOf(actor, action), limitOf(actor, action)],
    isCounted: false,
    verdict: undefined,
  };
}

/** Notes that a hit was counted elsewhere. */
export function noteVerdict(open: OpenHit, verdict: Verdict | undefined): void {
  open.isCounted = true;
  open.verdict = verdict;
}

/**
 * Counts an open hit.
 * Throws rate_limited when the limit refuses it, and unavailable when the limiter does not answer.
 */
export async function countHit(ctx: Ctx, projectId: string, open: OpenHit): Promise<void> {
  if (!open.isCounted) {
    const [bucket, limit] = open.hit;
    noteVerdict(open, await take(ctx, projectId, bucket, limit.limit, limit.windowMs));
  }
  if (open.verdict?.allowed === false)
    throw new AppError("rate_limited", "the rate limit is exceeded");
}

function limitOf(actor: Actor, action: LimitedAction): Limit {
  const own = actor.kind === "project_key" ? actor.rateLimitPerMinute : undefined;
  return { limit: own ?? PER_MINUTE[action], windowMs: WINDOW_MS };
}

function bucketOf(actor: Actor, action: LimitedAction): string {
  if (actor.kind === "project_key" && actor.rateLimitPerMinute !== undefined)
    return `${action}:${actor.keyId}`;
  if (actor.kind === "user" && PER_PERSON.has(action)) return `${action}:${actor.userId}`;
  return action;
}

/**
 * Counts one join with a public key by client address, and by project or by a key with its own
 * limit. A join that one limit refuses counts for neither, so one address cannot close the list for
 * others. All callers without a known address count as one client; so do all Workers, whose share is
 * half of the list.
 * Throws unavailable when the limiter does not answer.
 */
export function takePublicJoin(ctx: Ctx, projectId: string): Promise<Verdict> {
  const { actor } = ctx;
  const own = actor.kind === "project_key" ? actor.rateLimitPerMinute : undefined;
  const all = { limit: own ?? STRANGERS_PER_MINUTE, windowMs: WINDOW_MS };
  const shared = clientOf(ctx.clientIp).isWorkers ? Math.floor(all.limit * JOINS_OF_WORKERS) : 0;
  const one = { limit: Math.max(JOINS_PER_ADDRESS, shared), windowMs: WINDOW_MS };
  return takeAll(ctx, projectId, [
    [`public ${bucketOf(actor, "keyed_join")}`, all],
    [`public keyed_join of ${addressName(ctx)}`, one],
  ]);
}

/**
 * Counts one join of a project's waitlist. Callers can name any project, so waitlists share Durable
 * Objects: unknown ids create no further objects. Throws unavailable when the limiter does not
 * answer.
 */
export function takeWaitlistJoin(ctx: Ctx, projectId: string): Promise<Verdict> {
  const hash = sha256Hex(projectId);
  return take(ctx, `waitlist ${hash.slice(0, SHARD_DIGITS)}`, hash, STRANGERS_PER_MINUTE);
}

/**
 * The limits of mail that strangers may cause: one to an address in this time, and this many of a
 * project a minute.
 */
const SUBSCRIBER_MAIL_PAUSE_MS = 10 * 60_000;
const SUBSCRIBER_MAILS_PER_MINUTE = 60;

/**
 * Counts one mail that a join causes, by its project and by its address without a tag (`ann+x@` is
 * `ann@`). A refused mail counts for neither; `resetMs` is the time until the next attempt.
 * Throws unavailable when the limiter does not answer.
 */
export function takeSubscriberMail(ctx: Ctx, projectId: string, email: string): Promise<Verdict> {
  const to = sha256Hex(email.replace(/\+[^@]*@/, "@"));
  return takeAll(ctx, projectId, [
    ["pending_mail", { limit: SUBSCRIBER_MAILS_PER_MINUTE, windowMs: WINDOW_MS }],
    [`subscriber_mail:${to}`, { limit: 1, windowMs: SUBSCRIBER_MAIL_PAUSE_MS }],
  ]);
}

/**
 * Counts one call that only reads. Returns undefined when the limiter does not answer: a broken
 * limiter stops writes, not reads.
 */
export async function consumeReadLimit(
  ctx: Ctx,
  projectId: string,
  action: LimitedAction,
): Promise<Verdict | undefined> {
  try {
    return await consumeRateLimit(ctx, projectId, action);
  } catch (error) {
    if (error instanceof AppError && error.code === "unavailable") return undefined;
    throw error;
  }
}

/**
 * Counts one login attempt by client address and then by email, for unknown accounts too. An
 * attempt that the address's limit refuses does not count for the email, so one address cannot lock
 * accounts. Returns the stricter verdict. Throws unavailable when the limiter does not answer.
 */
export function takeLoginTry(ctx: Ctx, email: string): Promise<Verdict> {
  return takeTry(ctx, "login", `email ${email}`);
}

/**
 * Counts one attempt at the current password by client address and by user, with the rules of
 * `takeLoginTry`.
 */
export function takePasswordTry(ctx: Ctx, userId: string): Promise<Verdict> {
  return takeTry(ctx, "password", `user ${userId}`);
}

/**
 * Counts one registration by client address where registration is open (cloud). Returns undefined
 * where nothing is counted. Throws unavailable when the limiter does not answer.
 */
export async function takeRegistration(ctx: Ctx): Promise<Verdict | undefined> {
  const isOpen = ctx.deps.config.deploymentMode === "cloud";
  return isOpen && ctx.clientIp !== "" ? takeOne(ctx, "register", addressName(ctx)) : undefined;
}

type TriedAction = "login" | "password" | "register";

async function takeTry(ctx: Ctx, action: TriedAction, who: string): Promise<Verdict> {
  if (ctx.clientIp === "") return takeOne(ctx, action, who);
  const byAddress = await takeOne(ctx, action, addressName(ctx));
  return byAddress.allowed ? strictest([byAddress, await takeOne(ctx, action, who)]) : byAddress;
}

function takeOne(ctx: Ctx, action: TriedAction, name: string): Promise<Verdict> {
  const hash = sha256Hex(name);
  return take(ctx, `${action} ${hash.slice(0, SHARD_DIGITS)}`, hash, TRIES_PER_MINUTE);
}

/** Returns the name of the client in buckets that count by address. */
export const addressName = (ctx: Ctx) => `address ${clientOf(ctx.clientIp).name}`;

/**
 * The attempts of one kind share 256 objects, so guesses at random emails create no further
 * objects.
 */
const SHARD_DIGITS = 2;

/**
 * Counts a hit in the Durable Object that holds a bucket. Throws unavailable when it does not
 * answer.
 */
export function take(
  ctx: Ctx,
  object: string,
  bucket: string,
  limit: number,
  windowMs = WINDOW_MS,
): Promise<Verdict> {
  return askLimiter(ctx, object, bucket, (stub) => stub.take(bucket, { limit, windowMs }));
}

/** Counts a hit in all of these buckets, or in none if one refuses it. */
function takeAll(ctx: Ctx, object: string, limits: [Hit, ...Hit[]]): Promise<Verdict> {
  return askLimiter(ctx, object, limits[0][0], (stub) => stub.takeAll(limits));
}

async function askLimiter(
  { deps: { limiter } }: Ctx,
  object: string,
  bucket: string,
  ask: (object: ProjectObject) => Promise<Verdict>,
): Promise<Verdict> {
  try {
    return await ask(limiter.get(limiter.idFromName(object)));
  } catch (error) {
    logLine("error", "limiter_failed", { bucket, error: errorText(error) });
    throw new AppError("unavailable", "the rate limiter is not available: try again");
  }
}
