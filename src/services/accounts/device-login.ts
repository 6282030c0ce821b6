/* Logins of programs that a person confirms in the browser: the device grant of RFC 8628. */
import { createHmac } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, type Database } from "../../db/client.ts";
import type { DEVICE_DECISIONS } from "../../db/schema/index.ts";
import { refusal } from "../../errors.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/durations.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { base62, randomToken } from "../../lib/random-token.ts";
import { ACCESS_TOKEN_PREFIX, type UserActor } from "../access/index.ts";
import { createAccessToken } from "./access-tokens.ts";

const CODE_LIFETIME_MS = 10 * MINUTE_MS;
const INTERVAL_MS = 5_000;
const TOKEN_LIFETIME_MS = 90 * DAY_MS;

/** Letters without vowels, so that no code is a word (RFC 8628 §6.1); 34 bits in 8 of them. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const CODE_LETTERS = 8;

/** Creates the code that the person types, as `BCDF-GHJK`. */
function newUserCode(): string {
  const largestUnbiasedByte = Math.floor(256 / LETTERS.length) * LETTERS.length;
  const bytes = [...crypto.getRandomValues(new Uint8Array(64))];
  const code = bytes
    .filter((byte) => byte < largestUnbiasedByte)
    .slice(0, CODE_LETTERS)
    .map((byte) => LETTERS[byte % LETTERS.length])
    .join("");
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** Returns the hash of a code as typed: without case, spaces and hyphens. */
const userCodeHashOf = (typed: string) => sha256Hex(typed.toUpperCase().replaceAll(/[^A-Z]/g, ""));

/**
 * Returns the access token of a device login. It follows from the stored hash and a secret of the
 * service, so it can be created when the person confirms, and is never stored.
 */
const tokenOf = ({ deps }: Ctx, deviceHash: string) =>
  ACCESS_TOKEN_PREFIX +
  base62(
    createHmac("sha256", deps.config.linkSecrets.current)
      .update(`device login ${deviceHash}`)
      .digest("hex"),
  );

/** Begins the login of a program. The answer is that of RFC 8628 §3.2, in seconds. */
export async function beginDeviceLogin({ deps, clientIp }: Ctx, name: string) {
  const [deviceCode, userCode] = [randomToken(), newUserCode()];
  await deps.db.run(
    sql`insert into device_logins (device_hash, user_code_hash, name, ip_address, expires_at, polled_at)
      values (${sha256Hex(deviceCode)}, ${userCodeHashOf(userCode)}, ${name}, ${clientIp}, ${deps.now() + CODE_LIFETIME_MS}, 0)`,
  );
  const uri = `${deps.config.baseUrl}/device`;
  return {
    deviceCode,
    userCode,
    verificationUri: uri,
    verificationUriComplete: `${uri}#code=${userCode}`,
    expiresIn: CODE_LIFETIME_MS / 1_000,
    interval: INTERVAL_MS / 1_000,
  };
}

/**
 * Returns the access token once its person has confirmed the login; a device code works once.
 * Throws the errors of RFC 8628 §3.5.
 */
export async function pollDeviceLogin(ctx: Ctx, deviceCode: string) {
  const { db, now } = ctx.deps;
  const [hash, at] = [sha256Hex(deviceCode), now()];
  const [[login]] = await runBatch(db, [
    db.all<{ decision: (typeof DEVICE_DECISIONS)[number] | null; polledAt: number }>(
      sql`select decision, polled_at as "polledAt" from device_logins
        where device_hash = ${hash} and expires_at > ${at}`,
    ),
    db.run(
      sql`update device_logins set polled_at = ${at} where device_hash = ${hash} and decision is null`,
    ),
    db.run(sql`delete from device_logins where device_hash = ${hash} and decision is not null`),
  ]);
  if (!login) throw refusal("expired_token", {});
  if (login.decision === "approved")
    return { token: tokenOf(ctx, hash), expiresIn: TOKEN_LIFETIME_MS / 1_000 };
  if (login.decision === "denied") throw refusal("access_denied", {});
  throw refusal(at - login.polledAt < INTERVAL_MS ? "slow_down" : "authorization_pending", {});
}

interface PendingLogin {
  deviceHash: string;
  name: string;
  ipAddress: string;
  expiresAt: number;
}

/** Returns the login that waits for a decision on this code. Throws user_code_over. */
export async function findDeviceLogin({ deps }: Ctx, userCode: string): Promise<PendingLogin> {
  const [login] = await deps.db.all<PendingLogin>(
    sql`select device_hash as "deviceHash", name, ip_address as "ipAddress", expires_at as "expiresAt"
      from device_logins
      where user_code_hash = ${userCodeHashOf(userCode)} and expires_at > ${deps.now()} and decision is null`,
  );
  if (!login) throw isOver();
  return login;
}

const isOver = () => refusal("user_code_over", {});

export interface DeviceAnswer {
  userCode: string;
  approve: boolean;
  /** The projects that the token reaches; undefined for all of the person. */
  projectIds?: string[] | undefined;
}

/**
 * Declines a login, or creates its access token, which the program gets with its next poll.
 * Authorized by the session. Throws user_code_over, and what `createAccessToken` throws.
 */
export async function answerDeviceLogin(
  ctx: Ctx,
  actor: UserActor,
  { userCode, approve, projectIds }: DeviceAnswer,
): Promise<void> {
  const { db, now } = ctx.deps;
  const { deviceHash, name } = await findDeviceLogin(ctx, userCode);
  const pending = sql`device_hash = ${deviceHash} and expires_at > ${now()} and decision is null`;
  if (!approve) {
    const denied = await db.all(
      sql`update device_logins set decision = 'denied' where ${pending} returning name`,
    );
    if (denied.length === 0) throw isOver();
    return;
  }
  const input = { name, expiresAt: now() + TOKEN_LIFETIME_MS, projectIds };
  await createAccessToken(ctx, actor, input, {
    token: tokenOf(ctx, deviceHash),
    when: sql`exists (select 1 from device_logins where ${pending})`,
    settle: (isCreated) =>
      db.run(sql`update device_logins set decision = 'approved' where ${pending} and ${isCreated}`),
    otherwise: isOver,
  });
}

/** Deletes expired logins. Runs every night. */
export function deleteExpiredDeviceLogins(db: Database, now: number) {
  return db.run(sql`delete from device_logins where expires_at <= ${now}`);
}
