import { hashKey, type QueryKey } from "@tanstack/react-query";

/**
 * Keeps the former answer on the page while the next one loads, if their keys differ in their last
 * part alone: the rows of another filter or page would be taken for those that were asked for.
 */
export const keepWithin =
  (queryKey: QueryKey) =>
  <T>(before: T | undefined, of: { queryKey: QueryKey } | undefined): T | undefined =>
    of && listOf(of.queryKey) === listOf(queryKey) ? before : undefined;

const listOf = (queryKey: QueryKey) => hashKey(queryKey.slice(0, -1));
