/** The credential that a request presents. */
export type Credential =
  | { kind: "cookie"; token: string }
  | { kind: "bearer"; key: string }
  | { kind: "none" };
