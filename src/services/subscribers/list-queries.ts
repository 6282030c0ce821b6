import { getTableColumns, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { SUBSCRIBER_STATUSES, subscribers } from "../../db/schema/index.ts";
import { spanOf, type ListPage } from "../../lib/page.ts";
import { SUPPRESSED_BECAUSE } from "../suppressions/index.ts";
import { COUNTER_OF_STATUS, ownSubscriber, type SubscriberStatus } from "./queries.ts";
import { matchingIds } from "./search-queries.ts";

/** The sort orders of the list. */
export const SUBSCRIBER_SORTS = ["-created_at", "created_at", "email", "-email"] as const;

/** The subscribers of a list, and their sort order. */
export interface SubscriberFilter {
  /** All statuses if undefined. */
  statuses?: readonly SubscriberStatus[] | undefined;
  /** Part of an email or name (search-queries.ts). */
  search?: string | undefined;
  tag?: string | undefined;
  /** The import that they belong to. */
  importId?: string | undefined;
  when?: SQL | undefined;
  /** True if the limit of a search ignores entries that fail the other conditions. */
  isWhole?: boolean;
  /** Newest first if undefined. */
  sort?: (typeof SUBSCRIBER_SORTS)[number] | undefined;
}

/** The keyset cursor of a subscriber, with the sort order unless it is newest first. */
export type SubscriberKey = readonly [
  id: string,
  email: string,
  sort?: (typeof SUBSCRIBER_SORTS)[number] | undefined,
];

/** Returns the condition that a subscriber belongs to the import, if any is given. */
const isOfImport = ({ importId }: SubscriberFilter): SQL =>
  importId === undefined ? sql`true` : sql`+subscribers.import_id = ${importId}`;

const statusesOf = ({ statuses = SUBSCRIBER_STATUSES }: SubscriberFilter) => statuses;

/** Returns the order of a list and the condition that an entry follows the cursor of a page. */
function orderOf(
  { sort = "-created_at" }: SubscriberFilter,
  { after }: ListPage<SubscriberKey>,
  id = "id",
) {
  const isDescending = sort.startsWith("-");
  const isByEmail = sort.endsWith("email");
  const order = sql.raw(`${isByEmail ? "email" : id} ${isDescending ? "desc" : "asc"}`);
  if (after === undefined || after === null) return { order, isByEmail, follows: sql`true` };
  const comparison = sql.raw(isDescending ? "<" : ">");
  const follows = isByEmail
    ? sql`email ${comparison} ${after[1]}`
    : sql`${sql.raw(id)} ${comparison} ${after[0]}`;
  return { order, isByEmail, follows };
}

/**
 * Returns the query of the ids on a page. Ids are in time order, so sorting by time is one index
 * scan per status. Sorting by email is one scan over all statuses.
 */
export function pageIds(
  projectId: string | SQL,
  filter: SubscriberFilter,
  page: ListPage<SubscriberKey>,
): SQL {
  const { limit, offset } = spanOf(page);
  const { order, isByEmail, follows } = orderOf(filter, page);
  const part = sql`order by ${order} limit ${limit} offset ${offset}`;
  if (filter.search !== undefined)
    return sql`select id from subscribers
      where ${isFound(projectId, filter, filter.search)} and ${follows} ${part}`;
  if (filter.tag !== undefined) return taggedIds(projectId, filter, filter.tag, page);
  const { when = sql`true` } = filter;
  if (filter.importId !== undefined)
    return sql`select id from subscribers ${importedOnes(projectId, filter, filter.importId)}
      and ${follows} and ${when} ${part}`;
  if (isByEmail)
    return sql`select id from subscribers indexed by subscribers_by_email
      where project_id = ${projectId} and ${follows} and ${when} ${part}`;
  const branches = statusesOf(filter).map(
    (status) => sql`select * from (
      select id from subscribers indexed by subscribers_by_status
      where project_id = ${projectId} and status = ${status} and ${follows} and ${when}
      order by ${order} limit ${limit + offset})`,
  );
  return sql`select id from (${sql.join(branches, sql` union all `)}) ${part}`;
}

/** Returns the subscribers of some statuses in an import, as the parts of a query after its table. */
const importedOnes = (projectId: string | SQL, filter: SubscriberFilter, importId: string): SQL =>
  sql`indexed by subscribers_by_import where project_id = ${projectId} and import_id = ${importId}
    and +status in (select value from json_each(${JSON.stringify(statusesOf(filter))}))`;

/** Returns the query of the ids on a page of the subscribers with a tag, in one index scan. */
function taggedIds(
  projectId: string | SQL,
  filter: SubscriberFilter,
  tag: string,
  page: ListPage<SubscriberKey>,
): SQL {
  const { limit, offset } = spanOf(page);
  const { order, follows } = orderOf(filter, page, "tagged.subscriber_id");
  return sql`select tagged.subscriber_id as id from ${taggedSubscribers(projectId, filter, tag)}
    and ${follows} and ${filter.when ?? sql`true`} order by ${order} limit ${limit} offset ${offset}`;
}

/** Returns the subscribers of some statuses with a tag, as the parts of a query after `from`. */
function taggedSubscribers(projectId: string | SQL, filter: SubscriberFilter, tag: string): SQL {
  const statuses = JSON.stringify(statusesOf(filter));
  return sql`subscriber_tags tagged cross join subscribers on subscribers.id = tagged.subscriber_id
    where tagged.project_id = ${projectId} and tagged.tag = ${tag}
      and +subscribers.status in (select value from json_each(${statuses})) and ${isOfImport(filter)}`;
}

/** Returns the condition that a search matches a subscriber of these statuses. */
function isFound(projectId: string | SQL, filter: SubscriberFilter, search: string): SQL {
  const statuses = JSON.stringify(statusesOf(filter));
  const hasTag =
    filter.tag === undefined
      ? sql`true`
      : sql`exists (select 1 from json_each(subscribers.tags) own where own.value = ${filter.tag})`;
  const fits = sql`+status in (select value from json_each(${statuses})) and ${hasTag}
    and ${isOfImport(filter)} and ${filter.when ?? sql`true`}`;
  const counted = filter.isWhole ? fits : undefined;
  return sql`id in (${matchingIds(projectId, search, counted)}) and ${fits}`;
}

/** Selects subscribers, with the reasons for which their addresses are suppressed. */
const selectRows = (db: Database) =>
  db.select({ ...getTableColumns(subscribers), suppressed: SUPPRESSED_BECAUSE }).from(subscribers);

/** Selects one subscriber as in a list: at most one row. */
export const selectListed = (db: Database, projectId: string, id: string) =>
  selectRows(db).where(ownSubscriber(projectId, id));

/** Selects a page of subscribers. */
export function selectPage(
  db: Database,
  projectId: string | SQL,
  filter: SubscriberFilter,
  page: ListPage<SubscriberKey>,
) {
  return selectRows(db)
    .where(sql`${subscribers.id} in (${pageIds(projectId, filter, page)})`)
    .orderBy(orderOf(filter, page).order);
}

/** Selects the size of a list: from one counter row or, for a search or tag, from its matches. */
export function selectTotal(db: Database, projectId: string | SQL, filter: SubscriberFilter) {
  const { search, tag, importId } = filter;
  if (search !== undefined)
    return db.all<{ total: number }>(
      sql`select count(*) as total from subscribers where ${isFound(projectId, filter, search)}`,
    );
  if (tag !== undefined)
    return db.all<{ total: number }>(
      sql`select count(*) as total from ${taggedSubscribers(projectId, filter, tag)}`,
    );
  if (importId !== undefined)
    return db.all<{ total: number }>(
      sql`select count(*) as total from subscribers ${importedOnes(projectId, filter, importId)}`,
    );
  const counters = statusesOf(filter).map((status) => COUNTER_OF_STATUS[status]);
  return db.all<{ total: number }>(
    sql`select ${sql.join(counters, sql` + `)} as total from project_counters where project_id = ${projectId}`,
  );
}
