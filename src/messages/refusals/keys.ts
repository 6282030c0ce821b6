import { entry } from "./entry.ts";

/** Refusals of calls with an API key or access token, or without any credential. */
export const KEYS = {
  authentication_required: entry(
    401,
    "authentication required: this endpoint takes {wanted}; send a key or token in the header `Authorization: Bearer …`",
    "Send one of the credentials that the message names.",
  ),
  invalid_api_key: entry(
    401,
    "invalid API key: it is unknown or revoked",
    "Send a key of the project as `Authorization: Bearer`; it may be revoked.",
  ),
  access_token_over: entry(
    401,
    "invalid access token: it is unknown, expired or ended",
    "Create another one in the dashboard, under Account.",
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
  access_token_of_other_projects: entry(
    403,
    "this access token reaches only the projects that it was created for",
    "Use an access token for this project, or one for all projects.",
  ),
  person_required: entry(
    403,
    "only a person can create an API key",
    "Sign in, and create it there.",
  ),
} as const;
