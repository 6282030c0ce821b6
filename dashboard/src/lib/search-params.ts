/** Search parameters as parsed by the router, before a route validates them. */
export type RawSearch = Record<string, unknown>;

/** Reads a text; an empty one counts as omitted. The router parses digits as a number. */
export function textParam(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Reads a timestamp; any other text counts as omitted. */
export function momentParam(value: unknown): string | undefined {
  const text = textParam(value);
  return text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text;
}

/** Reads one of several keywords; anything else counts as omitted. */
export const wordParam = <T extends string>(value: unknown, words: readonly T[]): T | undefined =>
  words.find((word) => word === value);

/**
 * Returns the validated parameters of a route, all optional in links. Missing ones stay as
 * undefined: otherwise the router would pass on the values in the URL.
 */
export const given = <T extends Record<string, unknown>>(
  params: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  params as { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * Reads a path of this site for the redirect after login; rejects other sites (no open redirect).
 */
export function localPath(value: unknown): string | undefined {
  const path = textParam(value);
  return path !== undefined && /^\/(?![/\\])/.test(path) ? path : undefined;
}
