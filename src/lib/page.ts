/** A page of a list: at most `limit` entries after the first `offset`. */
export interface Page {
  limit: number;
  offset: number;
}

/**
 * A page by offset or, with `after`, by keyset: the entries that follow the one with this key, or
 * the first entries if it is null.
 */
export interface ListPage<Key> extends Page {
  after?: Key | null | undefined;
}

/**
 * Returns true if a page includes the list's total: every page except a keyset page after an entry.
 */
export const hasTotal = ({ after }: ListPage<unknown>): boolean =>
  after === undefined || after === null;

/** Returns the total from the rows of a count; undefined for a page without a total. */
export function totalOf(
  page: ListPage<unknown>,
  [row]: readonly { total: number | null }[],
): number | undefined {
  return hasTotal(page) ? (row?.total ?? 0) : undefined;
}

/**
 * Returns the span to read. A keyset page reads one extra entry, which shows whether another page
 * follows.
 */
export function spanOf({ limit, offset, after }: ListPage<unknown>): Page {
  return after === undefined ? { limit, offset } : { limit: limit + 1, offset: 0 };
}
