import type { SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, type BatchResults } from "../../db/client.ts";
import { countFor } from "../../db/paging.ts";
import type { Deps } from "../../deps.ts";
import { invalidField } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { totalOf, type ListPage } from "../../lib/page.ts";
import type { ProjectRow } from "../access/index.ts";
import type { SuppressionReason } from "../suppressions/index.ts";
import {
  selectPage,
  selectTotal,
  type SubscriberFilter,
  type SubscriberKey,
} from "./list-queries.ts";
import type { SubscriberRow } from "./queries.ts";

/** A subscriber, and the reason for which the address is suppressed. */
export type ListedSubscriber = SubscriberRow & { suppressed: SuppressionReason | null };

/** A page of a list, with the size of the entire list if the page asks for it. */
export interface SubscriberPage {
  subscribers: ListedSubscriber[];
  total: number | undefined;
}

/**
 * Returns a page of the subscribers. `total` comes from counters. A search finds at most a few
 * thousand (search-queries.ts), of which the total counts those with the status. Throws 400 for
 * sorting by email within one status, tag or import without a search, because no index supports it.
 */
export async function listSubscribers(
  { deps }: Ctx,
  project: ProjectRow,
  filter: SubscriberFilter,
  page: ListPage<SubscriberKey>,
): Promise<SubscriberPage> {
  const { statuses, tag, importId } = filter;
  const isPart = [statuses, tag, importId].some((part) => part !== undefined);
  if (isPart && filter.search === undefined && filter.sort?.endsWith("email"))
    throw invalidField("sort", faultOf("needs_search"));
  return pageOf(page, await runBatch(deps.db, listReads(deps, project.id, filter, page)));
}

/** Returns the statements of a list, which run together with those of the access check. */
export function listReads(
  { db }: Deps,
  projectId: string | SQL,
  filter: SubscriberFilter,
  page: ListPage<SubscriberKey>,
) {
  const total = countFor(db, page, selectTotal(db, projectId, filter));
  return [selectPage(db, projectId, filter, page), total] as const;
}

type ListResults = BatchResults<ReturnType<typeof listReads>>;

/** Turns the results of `listReads` into a page. */
export function pageOf(page: ListPage<SubscriberKey>, [rows, totals]: ListResults): SubscriberPage {
  return { subscribers: rows, total: totalOf(page, totals) };
}
