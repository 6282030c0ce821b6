import type { Auth } from "../route/auth.ts";
import type { Json } from "./json-schema.ts";

const bearer = (bearerFormat: string, description: string) => ({
  type: "http",
  scheme: "bearer",
  bearerFormat,
  description,
});

/** The security schemes of the document (API reference §2). */
export const SECURITY_SCHEMES: Json = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-session",
    description: "The session of a person, started by a login; `session` over plain HTTP.",
  },
  projectKey: bearer("sk_…", "The key of a program, for one project."),
  secretKey: bearer("sdk_…", "The secret key of the key-based API, for one project."),
  publicKey: bearer("pk_…", "The public key of a web page, for one project."),
  ingestToken: {
    type: "apiKey",
    in: "query",
    name: "token",
    description: "The token in the URL that receives bounce reports.",
  },
};

const SCHEMES: Record<Auth, string[]> = {
  public: [],
  ingest_token: ["ingestToken"],
  user: ["session"],
  operator: ["session"],
  workspace: ["session"],
  cookie: ["session"],
  cookie_or_key: ["session", "projectKey"],
  secret: ["secretKey"],
  public_or_secret: ["publicKey", "secretKey"],
};

/** Returns the security requirement of a route, with the capability it requires. */
export const securityOf = (auth: Auth, capability: string | undefined): Json[] =>
  SCHEMES[auth].map((scheme) => ({ [scheme]: capability === undefined ? [] : [capability] }));
