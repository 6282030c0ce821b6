/** Search parameters as the router parses them, before a route has checked them. */
export type RawSearch = Record<string, unknown>;

/** Reads a text; an empty one counts as left out. The router parses digits as a number. */
export function textParam(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Reads a moment; any other text counts as left out. */
export function momentParam(value: unknown): string | undefined {
  const text = textParam(value);
  return text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text;
}

/** Reads one of fixed words; anything else counts as left out. */
export const wordParam = <T extends string>(value: unknown, words: readonly T[]): T | undefined =>
  words.find((word) => word === value);

/**
 * Returns the checked parameters of a route, each of which may be left out of a link. One without a
 * value stays here as undefined: the router would otherwise pass on what the address holds.
 */
export const given = <T extends Record<string, unknown>>(
  params: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  params as { [K in keyof T]?: Exclude<T[K], undefined> };

/** Reads a path of this site, for the way back after a login; other sites are never one. */
export function localPath(value: unknown): string | undefined {
  const path = textParam(value);
  return path !== undefined && /^\/(?![/\\])/.test(path) ? path : undefined;
}
