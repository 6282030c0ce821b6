import { getCookie } from "hono/cookie";
import { refusal } from "../errors.ts";
import { isAccessToken, type Credential } from "../services/access/index.ts";
import type { HttpContext } from "./http-env.ts";

/** Returns true if clients reach the service over https. */
export const isSecure = (c: HttpContext) => c.var.ctx.deps.config.baseUrl.startsWith("https:");

/**
 * Returns the name of the session cookie. The `__Host-` prefix prevents other hosts and plain-http
 * pages from setting it, but browsers reject it from a service over http.
 */
export const sessionCookie = (c: HttpContext) => (isSecure(c) ? "__Host-session" : "session");

/**
 * Returns the credential of a request: a bearer key or token takes precedence over a cookie. Throws
 * 403 for a cross-site write with a cookie (decision D32).
 */
export function credentialOf(c: HttpContext): Credential {
  const key = bearerOf(c);
  if (key && isAccessToken(key)) return { kind: "access_token", token: key };
  if (key) return { kind: "bearer", key };
  const token = getCookie(c, sessionCookie(c));
  if (!token) return { kind: "none" };
  requireSameSite(c);
  return { kind: "cookie", token };
}

/** Returns the secret of a request's credential without verifying it. */
export function secretOf(c: HttpContext): string | undefined {
  return bearerOf(c) ?? getCookie(c, sessionCookie(c));
}

/**
 * Returns the token of `Authorization: Bearer …` (RFC 6750 §2.1), or else the public key of a form;
 * undefined for any other scheme.
 */
export function bearerOf(c: HttpContext): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(c.req.header("Authorization") ?? "")?.[1] ?? c.var.publicKey;
}

/**
 * Throws foreign_site for a write from a page of another site. A request without Origin (curl,
 * servers) passes.
 */
export function requireSameSite(c: HttpContext): void {
  if (c.req.method === "GET" || c.req.method === "HEAD") return;
  const origin = c.req.header("Origin");
  const own = [c.var.ctx.deps.config.baseUrl, new URL(c.req.url).origin];
  const foreign = origin !== undefined && !own.includes(origin);
  if (foreign || c.req.header("Sec-Fetch-Site") === "cross-site") throw refusal("foreign_site", {});
}
