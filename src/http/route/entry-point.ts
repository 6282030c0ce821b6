import type { LimitedAction } from "../../services/limits/index.ts";

/** The two APIs that expose the same resources of a project (API reference §17). */
const ENTRY_POINTS = {
  project: { auth: "cookie_or_key", root: "/projects/:id", group: "projects" },
  keyed: { auth: "secret", root: "", group: "keyed" },
} as const;

export type EntryPoint = keyof typeof ENTRY_POINTS;

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Returns the declaration of a route in one of the two APIs. The path is relative to the project.
 * In the key-based API every call counts against a rate limit, which a route may override.
 */
export function at<Path extends string>(
  entry: EntryPoint,
  method: Method,
  path: Path,
  operation: `${string}.${string}`,
) {
  const { auth, root, group } = ENTRY_POINTS[entry];
  const limit: LimitedAction = method === "GET" ? "keyed_read" : "keyed_write";
  return {
    auth,
    method,
    path: `${root}${path}` as const,
    operation: `${group}.${operation}` as const,
    ...(entry === "keyed" && { limit }),
  };
}
