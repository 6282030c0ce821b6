import type { SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, type BatchResults } from "../../db/client.ts";
import { countFor } from "../../db/paging.ts";
import type { Deps } from "../../deps.ts";
import { badRequest } from "../../errors.ts";
import { totalOf, type ListPage } from "../../lib/page.ts";
import type { ProjectRow } from "../access/index.ts";
import {
  selectPage,
  selectTotal,
  type SubscriberFilter,
  type SubscriberKey,
} from "./list-queries.ts";
import type { SubscriberRow } from "./queries.ts";

/** A part of a list, and the size of the whole list if the page names it. */
export interface SubscriberPage {
  subscribers: SubscriberRow[];
  total: number | undefined;
}

/**
 * Returns a page of the subscribers; `total` comes from counters. A search finds at most some
 * thousands (search-queries.ts), of which the total counts those of the status. Throws bad_request
 * for an order by email of one status or one tag without a search, which no index serves.
 */
export async function listSubscribers(
  { deps }: Ctx,
  project: ProjectRow,
  filter: SubscriberFilter,
  page: ListPage<SubscriberKey>,
): Promise<SubscriberPage> {
  const isPart = filter.statuses !== undefined || filter.tag !== undefined;
  if (isPart && filter.search === undefined && filter.sort?.endsWith("email"))
    throw badRequest("sort: an order by email needs a search, or all subscribers");
  return pageOf(page, await runBatch(deps.db, listReads(deps, project.id, filter, page)));
}

/** Returns the statements of a list, which an access check runs with its own. */
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
