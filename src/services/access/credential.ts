/** What a request shows to say who it is. */
export type Credential =
  | { kind: "cookie"; token: string }
  | { kind: "bearer"; key: string }
  | { kind: "none" };
