import { refusal } from "../../errors.ts";

type CredentialType = "sk" | "pk" | "sdk" | "pat";

/** The kinds of credentials as error messages name them (API reference §2.2 to §2.4). */
const KINDS: Record<CredentialType, string> = {
  sk: "a project key (sk_)",
  pk: "a public key (pk_)",
  sdk: "a secret key (sdk_) of the key-based API",
  pat: "an access token (pat_)",
};

/**
 * Returns the error for a credential on an endpoint that needs another one. The message names both
 * kinds. The error is forbidden for a public key, unauthorized for any other (API reference §2.3).
 */
export function wrongKey(type: CredentialType, wanted: string) {
  const code = type === "pk" ? "public_key_refused" : "wrong_key_type";
  return refusal(code, { given: KINDS[type], wanted });
}

/** The credentials that endpoints require, as error messages name them. */
export const WANTED = {
  project: "a project key (sk_), an access token (pat_) or a login session",
  person: "an access token (pat_) or a login session",
  session: "a login session",
  secret: "a secret key (sdk_)",
  keyed: "a public key (pk_) or a secret key (sdk_)",
};

/** Returns the error for a request without a credential. */
export const noCredential = (wanted: string) =>
  wanted === WANTED.session
    ? refusal("session_required", {})
    : refusal("authentication_required", { wanted });
