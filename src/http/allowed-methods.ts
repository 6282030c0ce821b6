import { TrieRouter } from "hono/router/trie-router";
import type { RouterRoute } from "hono/types";
import { notFound, refusal, type AppError } from "../errors.ts";

/** Returns the `Allow` header of a path; undefined if the path has no routes. */
export type FindAllowed = (path: string) => string | undefined;

/** Hono registers middleware under this method name. */
const EVERY_METHOD = "ALL";

/**
 * Creates a lookup from path to allowed methods, as an `Allow` header lists them (RFC 9110
 * §10.2.1).
 */
export function allowedMethodsOf(routes: Pick<RouterRoute, "method" | "path">[]): FindAllowed {
  const methods = new TrieRouter<string>();
  for (const { method, path } of routes) {
    if (method !== EVERY_METHOD) methods.add(EVERY_METHOD, path, method);
  }
  return (path) => {
    const found = new Set(methods.match(EVERY_METHOD, path)[0].map(([method]) => method));
    if (found.has("GET")) found.add("HEAD");
    return found.size === 0 ? undefined : [...found].toSorted().join(", ");
  };
}

/**
 * Returns the error for a request without a matching route: 405 if the path has routes, else 404.
 */
export function refusalOfRoute(method: string, allow: string | undefined): AppError {
  if (allow === undefined) return notFound("endpoint");
  return refusal("method_not_allowed", { method, allow }, { allow });
}
