import { hashKey, type QueryKey } from "@tanstack/react-query";

/**
 * Keeps the previous data on the page while the next loads if only the last part of the keys
 * differs. Otherwise, rows of another filter or page could be mistaken for the requested ones.
 */
export const keepWithin =
  (queryKey: QueryKey) =>
  <T>(before: T | undefined, of: { queryKey: QueryKey } | undefined): T | undefined =>
    of && listOf(of.queryKey) === listOf(queryKey) ? before : undefined;

const listOf = (queryKey: QueryKey) => hashKey(queryKey.slice(0, -1));
