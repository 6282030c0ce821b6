import type { Auth } from "../route/auth.ts";
import type { Route } from "../route/declaration.ts";
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
  accessToken: bearer("pat_…", "A personal access token, which acts as its person."),
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
  user: ["session", "accessToken"],
  operator: ["session", "accessToken"],
  workspace: ["session", "accessToken"],
  cookie: ["session", "accessToken"],
  cookie_or_key: ["session", "accessToken", "projectKey"],
  secret: ["secretKey"],
  public_or_secret: ["publicKey", "secretKey"],
};

/** Returns the security requirement of a route, with the capability it requires. */
export const securityOf = ({ auth, capability, reach }: Route): Json[] =>
  (reach === "session" ? ["session"] : SCHEMES[auth]).map((scheme) => ({
    [scheme]: capability === undefined ? [] : [capability],
  }));
