import { forbidden, unauthorized } from "../../errors.ts";

type KeyType = "sk" | "pk" | "sdk";

/** The kind of each key in words, by its prefix (API reference §2.2 and §2.3). */
const KINDS: Record<KeyType, string> = {
  sk: "a project key (sk_)",
  pk: "a public key (pk_)",
  sdk: "a secret key (sdk_) of the key-based API",
};

/**
 * Makes the refusal of a valid key at a door that wants another credential: it names both kinds.
 * A public key is forbidden, any other is unauthorized (API reference §2.3).
 */
export function wrongKey(type: KeyType, wanted: string) {
  const message = `this is ${KINDS[type]}: this endpoint needs ${wanted}`;
  return type === "pk" ? forbidden(message) : unauthorized(message);
}

/** The credentials that the doors ask for, in the words of a refusal. */
export const WANTED = {
  project: "a project key (sk_) or a login session",
  session: "a login session",
  secret: "a secret key (sdk_)",
  keyed: "a public key (pk_) or a secret key (sdk_)",
};
