/** A part of a list: at most `limit` entries after the first `offset`. */
export interface Page {
  limit: number;
  offset: number;
}

/**
 * A part of a list by offset or, with `after`, the entries that follow the one with this key. With
 * null, these are the first entries.
 */
export interface ListPage<Key> extends Page {
  after?: Key | null | undefined;
}

/**
 * Returns true for a page that states the total of its list, which is any page but one after an
 * entry.
 */
export const hasTotal = ({ after }: ListPage<unknown>): boolean =>
  after === undefined || after === null;

/** Returns the total of a page from the rows of its count; undefined for a page without one. */
export function totalOf(
  page: ListPage<unknown>,
  [row]: readonly { total: number | null }[],
): number | undefined {
  return hasTotal(page) ? (row?.total ?? 0) : undefined;
}

/**
 * Returns the part to read: a page of a cursor reads one entry more, which shows that another page
 * follows.
 */
export function spanOf({ limit, offset, after }: ListPage<unknown>): Page {
  return after === undefined ? { limit, offset } : { limit: limit + 1, offset: 0 };
}
