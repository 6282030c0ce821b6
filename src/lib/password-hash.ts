import { Buffer } from "node:buffer";
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** scrypt cost (RFC 7914): 16 MiB and about 40 ms per hash, within a Worker's memory and CPU. */
const COST = { N: 16384, r: 8, p: 1 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** Maximum cost accepted from a stored hash, so that a corrupt row cannot exhaust the isolate. */
const MAX_COST = { N: 1 << 17, r: 16, p: 4 };

function derive(
  password: string,
  salt: Buffer,
  { N, r, p }: typeof COST,
  bytes: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const maxmem = 256 * N * r;
    scrypt(password.normalize("NFKC"), salt, bytes, { N, r, p, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** Hashes a password as `scrypt$N$r$p$salt$key` (base64), parameters and salt included. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return storedForm(salt, await derive(password, salt, COST, KEY_BYTES));
}

/**
 * A hash that matches no password but costs as much to verify, for accounts that do not exist
 * (prevents user enumeration by timing).
 */
export const DECOY_HASH = storedForm(Buffer.alloc(SALT_BYTES), Buffer.alloc(KEY_BYTES));

function storedForm(salt: Buffer, key: Buffer): string {
  const { N, r, p } = COST;
  return ["scrypt", N, r, p, salt.toString("base64"), key.toString("base64")].join("$");
}

/** Returns true if `stored` is a hash of `password`. Throws if `stored` is malformed. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = stored.split("$");
  if (scheme !== "scrypt" || !N || !r || !p || !salt || !key)
    throw new Error("unknown password hash");
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  if (!(cost.N <= MAX_COST.N && cost.r <= MAX_COST.r && cost.p <= MAX_COST.p))
    throw new Error("password hash parameters out of bounds");
  const expected = Buffer.from(key, "base64");
  if (expected.length !== KEY_BYTES) throw new Error("unknown password hash");
  const actual = await derive(password, Buffer.from(salt, "base64"), cost, expected.length);
  return timingSafeEqual(actual, expected);
}
