import type { Ctx } from "../../context.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/durations.ts";
import type { Limit, Verdict } from "../../lib/sliding-window.ts";
import { addressName, shardOf, take } from "./ask-limiter.ts";
import { mailboxName } from "./mailbox-name.ts";

/**
 * The limits of actions outside of projects, and of readers (API reference §4.1). Each counts the
 * names that act, such as a client address or an account. They allow for a few typos an hour and
 * keep every inbox from filling up.
 */
const LIMITS = {
  login: { limit: 10, windowMs: MINUTE_MS },
  /** Attempts at the current password. */
  password: { limit: 10, windowMs: MINUTE_MS },
  register: { limit: 10, windowMs: MINUTE_MS },
  /** Tokens presented by one client. */
  token: { limit: 10, windowMs: MINUTE_MS },
  /** Device logins that one client begins, looks up, confirms or declines. */
  device: { limit: 10, windowMs: MINUTE_MS },
  /** Mails of one kind to one address. */
  mail: { limit: 3, windowMs: HOUR_MS },
  /** Password resets requested by one client. */
  forgot: { limit: 10, windowMs: HOUR_MS },
  /** Invitations by one user, and from one client address. */
  invite: { limit: 30, windowMs: HOUR_MS },
  /** Invitations of the entire service. */
  invites: { limit: 1_000, windowMs: HOUR_MS },
  /** Downloads of a reader's data. */
  download: { limit: 10, windowMs: HOUR_MS },
  download_address: { limit: 60, windowMs: HOUR_MS },
  /** Any action through a reader's link except unsubscribing. */
  change: { limit: 20, windowMs: HOUR_MS },
  change_address: { limit: 600, windowMs: HOUR_MS },
  /** Mails with the download link of a reader's data. */
  data_mail: { limit: 3, windowMs: DAY_MS },
  data_mail_address: { limit: 600, windowMs: DAY_MS },
} as const satisfies Record<string, Limit>;

type Action = keyof typeof LIMITS;
type Named = [Action, name: string];

/**
 * Counts one login attempt by client address and then by email, including unknown accounts, so one
 * address can lock only one account. Throws 503, like all limits here, if the limiter does not
 * answer.
 */
export const takeLoginTry = (ctx: Ctx, email: string): Promise<Verdict> =>
  takeInOrder(ctx, ...fromAddress(ctx, "login"), ["login", `email ${email}`]);

/** Counts one attempt at the current password by client address and then by user. */
export const takePasswordTry = (ctx: Ctx, userId: string): Promise<Verdict> =>
  takeInOrder(ctx, ...fromAddress(ctx, "password"), ["password", `user ${userId}`]);

/** Counts one registration by client address if registration is open (cloud). */
export const takeRegistration = async (ctx: Ctx): Promise<Verdict | undefined> =>
  ctx.deps.config.deploymentMode === "cloud" ? takeFromClient(ctx, "register") : undefined;

/** Counts one action by client address. Returns undefined if the address is unknown. */
export const takeFromClient = async (
  ctx: Ctx,
  action: "forgot" | "token" | "register" | "device",
): Promise<Verdict | undefined> => {
  const [client] = fromAddress(ctx, action);
  return client && takeInOrder(ctx, client);
};

/** Counts one mail to a mailbox (mailbox-name.ts). */
export const takeMailTo = (ctx: Ctx, kind: "confirm", email: string): Promise<Verdict> =>
  takeInOrder(ctx, ["mail", `${kind} ${mailboxName(email)}`]);

/**
 * Counts one password reset link to an address. Other spellings of the mailbox do not count,
 * because a stranger could request them to lock out the owner. Unverified accounts do count by
 * mailbox, because anyone can register many spellings of one mailbox.
 */
export function takeResetTo(ctx: Ctx, email: string, countsByAddress: boolean): Promise<Verdict> {
  const name = countsByAddress ? `reset ${email}` : `reset of mailbox ${mailboxName(email)}`;
  return takeInOrder(ctx, ["mail", name]);
}

/**
 * Counts one invitation by its sender, by client address, for the entire service and by the invited
 * mailbox.
 */
export const takeInvitation = (ctx: Ctx, userId: string, email: string): Promise<Verdict> =>
  takeInOrder(
    ctx,
    ["invite", userId],
    ...fromAddress(ctx, "invite"),
    ["invites", "all"],
    ["mail", `invitation ${mailboxName(email)}`],
  );

/** Counts one action through a reader's link by client address and then by the subscriber. */
export const takeReaderAction = (
  ctx: Ctx,
  action: "download" | "change" | "data_mail",
  subscriberId: string,
): Promise<Verdict> =>
  takeInOrder(ctx, ...fromAddress(ctx, `${action}_address`), [action, `reader ${subscriberId}`]);

/** Returns the name to count for the client; none if its address is unknown. */
const fromAddress = (ctx: Ctx, action: Action): Named[] =>
  ctx.clientIp === "" ? [] : [[action, addressName(ctx)]];

/**
 * Counts these names until a limit rejects one, which then counts for none of the later ones.
 * Returns that verdict, or else the first one, which reveals nothing about what others do.
 */
async function takeInOrder(ctx: Ctx, ...names: [...Named[], Named]): Promise<Verdict> {
  const verdicts: Verdict[] = [];
  for (const [action, name] of names) {
    const hash = sha256Hex(name);
    const { limit, windowMs } = LIMITS[action];
    const verdict = await take(ctx, shardOf(action, hash), hash, limit, windowMs);
    if (!verdict.allowed) return verdict;
    verdicts.push(verdict);
  }
  const [first] = verdicts;
  if (!first) throw new Error("nothing to count");
  return first;
}
