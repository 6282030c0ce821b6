import { entry } from "./entry.ts";

/** Refusals of calls with an API key, or without any credential. */
export const KEYS = {
  authentication_required: entry(
    401,
    "authentication required",
    "Send an API key as `Authorization: Bearer`, or sign in.",
  ),
  invalid_api_key: entry(
    401,
    "missing or invalid API key",
    "Send a key of the project as `Authorization: Bearer`; it may be revoked.",
  ),
  wrong_key_type: entry(
    401,
    "this is {given}: this endpoint needs {wanted}",
    "Use a credential of the type that the message names.",
  ),
  public_key_refused: entry(
    403,
    "this is {given}: this endpoint needs {wanted}",
    "Call this endpoint from your server, with a credential of the type that the message names.",
  ),
  key_lacks_capability: entry(
    403,
    "this API key lacks the capability {capability}",
    "Create a key with the capability.",
  ),
  key_of_other_project: entry(
    403,
    "this API key belongs to another project",
    "Use a key of the project in the path.",
  ),
  person_required: entry(
    403,
    "only a person can create an API key",
    "Sign in, and create it there.",
  ),
} as const;
