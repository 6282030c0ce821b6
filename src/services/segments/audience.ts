import { sql, type SQL } from "drizzle-orm";
import { sizeOf, type Condition } from "./condition.ts";
import { ANY_STATUS, conditionSql, topicsNamed, type Setting } from "./condition-sql.ts";
import { beginningOf, demandOf } from "./demands.ts";

/** The subscribers who match a condition, as the parts of a query. */
export interface Audience {
  /** Contains the row `subscribers`. */
  from: SQL;
  where: SQL;
  /** The id by which `from` is ordered. A range of ids costs only the rows in the range. */
  id: SQL;
  /** False if `from` contains only the subscribers from an index of tags, addresses or consents. */
  isWhole: boolean;
}

/**
 * Returns the subscribers of a project who match a condition. If the condition requires tags, an
 * import or a list of addresses, the query starts there, and each match costs two rows. A single
 * address uses the index of addresses directly. A query that needs neither order nor range can start
 * at consents in the same way. The rest of the condition does not check the same requirement again.
 * Such a query can also start at an address prefix.
 */
export function audienceOf(
  condition: Condition,
  setting: Setting & { inAnyOrder?: boolean },
): Audience {
  const { projectId, inAnyOrder = false } = setting;
  const found = listOf(condition, projectId, inAnyOrder);
  if (found) return listed(found.list, found.rest, setting);
  return {
    from: sql`subscribers`,
    where: sql`subscribers.project_id = ${projectId} and ${conditionSql(condition, setting)}`,
    id: sql`subscribers.id`,
    isWhole: true,
  };
}

/** A list of subscriber ids, and the remaining condition for them. */
interface List {
  list: SQL;
  rest: Condition | undefined;
}

function listOf(condition: Condition, projectId: string, inAnyOrder: boolean): List | undefined {
  const tags = demandOf(condition, "tag");
  if (tags) return { list: tagged(tags.values, projectId), rest: condition };
  const emails = demandOf(condition, "email");
  if (emails && emails.values.length > 1)
    return { list: addressed(emails.values, projectId), rest: emails.rest };
  const imports = demandOf(condition, "import");
  const [only = "", ...others] = imports?.values ?? [];
  if (imports && (inAnyOrder || others.length === 0))
    return { list: importedBy([only, ...others], projectId), rest: imports.rest };
  if (!inAnyOrder) return undefined;
  const topics = demandOf(condition, "topic");
  if (topics) return { list: consenting(topics.values, projectId), rest: topics.rest };
  const beginning = beginningOf(condition);
  if (beginning) return { list: beginningWith(beginning, projectId), rest: condition };
  return undefined;
}

/** A stretch of the subscribers that a condition has to check. */
interface Stretch {
  /** The key of the last subscriber before the stretch. */
  after: string;
  limit: number;
}

/**
 * Returns the query of the stretch after a key: the number `looked` of the subscribers in it, the
 * `last` key, and the ids of those who match, as JSON. A scan by stretches checks each subscriber
 * once, with no long-running statement.
 */
export function stretchOf(
  condition: Condition,
  { projectId, now }: Omit<Setting, "range">,
  { after, limit }: Stretch,
  also: SQL,
): SQL {
  const found = listOf(condition, projectId, true) ?? indexed(condition, projectId);
  const [status = "", id = ""] = after.split(" ");
  const keys = found
    ? sql`select subscriber_id as key, subscriber_id as id from (${found.list})
        where subscriber_id > ${after} order by 1 limit ${limit}`
    : sql`select status || ' ' || id as key, id from subscribers indexed by subscribers_by_status
        where project_id = ${projectId} and (status, id) > (${status}, ${id})
        order by status, id limit ${limit}`;
  // Only a term on mailings uses it.
  const range = {
    first: sql`(select min(id) from (${keys}))`,
    last: sql`(select max(id) from (${keys}))`,
  };
  const rest = found ? found.rest : condition;
  const fits = rest ? conditionSql(rest, { projectId, now, range }) : sql`true`;
  return sql`select count(*) as looked, max(key) as last,
      json_group_array(id) filter (where fits) as found
    from (select stretch.key, stretch.id,
          (subscribers.project_id = ${projectId} and ${fits} and ${also}) as fits
        from (${keys}) stretch left join subscribers on subscribers.id = stretch.id)`;
}

/** Returns the subscribers found through an index if the condition itself goes into the query. */
function indexed(condition: Condition, projectId: string): List | undefined {
  const email = demandOf(condition, "email");
  if (email) return { list: addressed(email.values, projectId), rest: email.rest };
  const sources = demandOf(condition, "source");
  if (sources) return { list: comingFrom(sources.values, projectId), rest: sources.rest };
  const statuses = demandOf(condition, "status");
  const [status, ...others] = statuses?.values ?? [];
  if (!statuses || others.length > 0) return undefined; // several have no common order
  return { list: havingStatus(status, projectId), rest: statuses.rest };
}

const havingStatus = (status: string | undefined, projectId: string): SQL =>
  sql`select id as subscriber_id from subscribers indexed by subscribers_by_status
    where project_id = ${projectId} and status = ${status}`;

const comingFrom = (sources: string[], projectId: string): SQL =>
  sql`select subscribers.id as subscriber_id from json_each(${JSON.stringify(sources)}) source
    cross join subscribers indexed by subscribers_by_source on subscribers.project_id = ${projectId}
      and subscribers.status in (${ANY_STATUS}) and subscribers.source <> ''
      and subscribers.source = source.value`;

/**
 * Returns the same subscribers as queries that can each be scanned in the order of ids. Every
 * subscriber is in exactly one of them. If the condition requires one topic, the first query starts
 * at the consents to it, in the order of their index. Topics whose names differ only in case have
 * no common order; the second query then scans all subscribers, and otherwise reads nothing.
 * Together, the queries contain the condition twice, so a long condition, with its parameters,
 * becomes a single query of all subscribers.
 */
export function orderedAudiencesOf(condition: Condition, setting: Setting): Audience[] {
  const all = audienceOf(condition, setting);
  const topics = all.isWhole ? demandOf(condition, "topic") : undefined;
  if (topics?.values.length !== 1 || sizeOf(condition).terms > MOST_TWICE) return [all];
  const named = topicsNamed(topics.values, setting.projectId);
  const consents = sql`select subscriber_id from topic_consents where state = 'subscribed'
    and topic_id = (select iif(count(*) = 1, min(id), '') from (${named}))`;
  // As a comparison on the indexed column, this reads nothing if it fails. As a separate condition,
  // it would scan all subscribers.
  const project = sql`(select iif(count(*) > 1, ${setting.projectId}, '') from (${named}))`;
  const others = sql`subscribers.project_id = ${project} and ${conditionSql(condition, setting)}`;
  return [listed(consents, topics.rest, setting), { ...all, where: others, isWhole: false }];
}

/**
 * The maximum number of comparisons for a condition to fit twice into a statement with 100
 * parameters.
 */
const MOST_TWICE = 6;

/**
 * Returns the subscribers in a list of ids who match a condition; all of them without a condition.
 */
function listed(list: SQL, condition: Condition | undefined, setting: Setting): Audience {
  const fits = condition ? sql` and ${conditionSql(condition, setting)}` : sql``;
  return {
    from: sql`(${list}) listed cross join subscribers on subscribers.id = listed.subscriber_id`,
    where: sql`+subscribers.project_id = ${setting.projectId}${fits}`,
    id: sql`listed.subscriber_id`,
    isWhole: false,
  };
}

function tagged(tags: string[], projectId: string): SQL {
  const [only] = tags;
  return tags.length === 1
    ? sql`select subscriber_id from subscriber_tags where project_id = ${projectId} and tag = ${only}`
    : sql`select distinct subscriber_id from subscriber_tags where project_id = ${projectId}
        and tag in (select value from json_each(${JSON.stringify(tags)}))`;
}

/** Returns the ids of the people of some imports, in order if it is one. */
function importedBy(imports: string[], projectId: string): SQL {
  const [only] = imports;
  const isAmong =
    imports.length === 1
      ? sql`= ${only}`
      : sql`in (select value from json_each(${JSON.stringify(imports)}))`;
  return sql`select subscribers.id as subscriber_id from subscribers indexed by subscribers_by_import
    where subscribers.project_id = ${projectId} and subscribers.import_id ${isAmong}`;
}

/** Returns the ids of a list of addresses. The list is short, so the query sorts it by id. */
const addressed = (emails: string[], projectId: string): SQL =>
  sql`select subscribers.id as subscriber_id from json_each(${JSON.stringify(emails)}) address
    cross join subscribers on subscribers.project_id = ${projectId} and subscribers.email = address.value
    order by 1`;

/**
 * Returns the ids of addresses with a prefix. SQLite compares text bytewise, so no such address
 * sorts after the upper bound.
 */
const beginningWith = (text: string, projectId: string): SQL =>
  sql`select subscribers.id as subscriber_id from subscribers indexed by subscribers_by_email
    where subscribers.project_id = ${projectId}
      and subscribers.email >= ${text} and subscribers.email <= ${text + LAST_CHARACTERS}`;

/**
 * A suffix that sorts after all possible continuations of an address, which has at most 254
 * characters.
 */
const LAST_CHARACTERS = "\u{10FFFF}".repeat(254);

/**
 * Returns the ids of subscribers who have consented to any of these topics. Several topics may have
 * the same name, so a subscriber may have consented to more than one of them.
 */
const consenting = (topics: string[], projectId: string): SQL =>
  sql`select distinct subscriber_id from topic_consents where state = 'subscribed'
    and topic_id in (${topicsNamed(topics, projectId)})`;
