/** The credential that a request presents. */
export type Credential =
  | { kind: "cookie"; token: string }
  | { kind: "access_token"; token: string }
  | { kind: "bearer"; key: string }
  | { kind: "none" };

/** Returns true for the text of a personal access token; the text of a session has no `_`. */
export const isAccessToken = (secret: string) => secret.startsWith(ACCESS_TOKEN_PREFIX);

/** The beginning of a personal access token. */
export const ACCESS_TOKEN_PREFIX = "pat_";
