import { refusal } from "../../errors.ts";

type KeyType = "sk" | "pk" | "sdk";

/** The kind of each key as error messages name it (API reference §2.2 and §2.3). */
const KINDS: Record<KeyType, string> = {
  sk: "a project key (sk_)",
  pk: "a public key (pk_)",
  sdk: "a secret key (sdk_) of the key-based API",
};

/**
 * Returns the error for a valid key on an endpoint that needs another credential. The message names
 * both kinds. The error is forbidden for a public key, unauthorized for any other (API reference
 * §2.3).
 */
export function wrongKey(type: KeyType, wanted: string) {
  const code = type === "pk" ? "public_key_refused" : "wrong_key_type";
  return refusal(code, { given: KINDS[type], wanted });
}

/** The credentials that endpoints require, as error messages name them. */
export const WANTED = {
  project: "a project key (sk_) or a login session",
  session: "a login session",
  secret: "a secret key (sdk_)",
  keyed: "a public key (pk_) or a secret key (sdk_)",
};
