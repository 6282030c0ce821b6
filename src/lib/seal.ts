import { createHash, createHmac } from "node:crypto";
import { fromBase64Url, toBase64Url } from "./encoding.ts";

/** AES-256-GCM with the 96-bit nonces that NIST SP 800-38D recommends. */
const ALGORITHM = "AES-GCM";
const NONCE_BYTES = 12;

/** Sealing keys: the first one seals, all of them can open. */
export interface SealingKeys {
  current: SealingKey;
  previous: SealingKey | undefined;
}

export interface SealingKey {
  /** Eight hexadecimal digits of the key's SHA-256, part of every ciphertext. */
  id: string;
  key: CryptoKey;
  /** Key of the HMACs of erased addresses, derived from the raw key. */
  addressKey: Uint8Array;
}

/** Imports a raw 32-byte key. */
export async function importSealingKey(raw: Uint8Array<ArrayBuffer>): Promise<SealingKey> {
  const id = createHash("sha256").update(raw).digest("hex").slice(0, 8);
  const key = await crypto.subtle.importKey("raw", raw, ALGORITHM, false, ["encrypt", "decrypt"]);
  const addressKey = createHmac("sha256", raw).update("postrider erased addresses").digest();
  return { id, key, addressKey };
}

/**
 * Encrypts a secret as `v1.<key id>.<nonce>.<ciphertext>`. `context` (such as
 * "project:ID:smtp_password") is authenticated, so a ciphertext moved to another row does not open.
 */
export async function seal(keys: SealingKeys, secret: string, context: string): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const sealed = await crypto.subtle.encrypt(
    { name: ALGORITHM, iv: nonce, additionalData: new TextEncoder().encode(context) },
    keys.current.key,
    new TextEncoder().encode(secret),
  );
  return ["v1", keys.current.id, toBase64Url(nonce), toBase64Url(new Uint8Array(sealed))].join(".");
}

/** Maximum number of decrypted secrets that an isolate caches per set of keys. */
const OPEN_MAX = 1_000;

/** Secrets cached by `unsealed`, by keys, and by context and ciphertext. */
const open = new WeakMap<SealingKeys, Map<string, string>>();

/**
 * Like `unseal`, but caches the result in memory, for secrets that every mail of a project needs. A
 * changed secret has a different ciphertext.
 */
export async function unsealed(
  keys: SealingKeys,
  sealed: string,
  context: string,
): Promise<string> {
  const ofKeys = open.get(keys) ?? new Map<string, string>();
  open.set(keys, ofKeys);
  const name = `${context} ${sealed}`;
  const known = ofKeys.get(name);
  if (known !== undefined) return known;
  const secret = await unseal(keys, sealed, context);
  if (ofKeys.size >= OPEN_MAX) ofKeys.clear();
  ofKeys.set(name, secret);
  return secret;
}

/**
 * Decrypts a sealed secret. Throws if no key matches, the context differs or a byte was changed.
 */
export async function unseal(keys: SealingKeys, sealed: string, context: string): Promise<string> {
  const [version, keyId, nonceText = "", ciphertextText = ""] = sealed.split(".");
  const key = [keys.current, keys.previous].find((candidate) => candidate?.id === keyId);
  const nonce = fromBase64Url(nonceText);
  const ciphertext = fromBase64Url(ciphertextText);
  if (version !== "v1" || !key || !nonce.ok || !ciphertext.ok)
    throw new Error(`a stored secret cannot be opened: ENCRYPTION_KEY with id ${keyId} is missing`);
  const opened = await crypto.subtle.decrypt(
    { name: ALGORITHM, iv: nonce.bytes, additionalData: new TextEncoder().encode(context) },
    key.key,
    ciphertext.bytes,
  );
  return new TextDecoder().decode(opened);
}
