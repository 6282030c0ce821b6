import { sql, type SQL } from "drizzle-orm";
import { isTerm, sizeOf, type Condition } from "./condition.ts";
import { conditionSql, topicsNamed, type Setting } from "./condition-sql.ts";

/** The subscribers who fit a condition, as the parts of a query. */
export interface Audience {
  /** Contains the row `subscribers`. */
  from: SQL;
  where: SQL;
  /** The id by which `from` is ordered. A range of ids costs only the rows in the range. */
  id: SQL;
  /**
   * False if `from` contains only the subscribers that an index of tags, addresses or consents
   * names.
   */
  isWhole: boolean;
}

/**
 * Returns the subscribers of a project who fit a condition. If the condition requires tags or a
 * list of addresses, the query begins there, and each match costs two rows. One address needs no
 * list, because the index of addresses serves it. A query that needs neither order nor range can
 * begin at consents in the same way. The rest of the condition does not read them again. Such a
 * query can also begin at the addresses that begin with a given text.
 */
export function audienceOf(
  condition: Condition,
  setting: Setting & { inAnyOrder?: boolean },
): Audience {
  const { projectId, inAnyOrder = false } = setting;
  const tags = demandOf(condition, "tag");
  if (tags) return listed(tagged(tags.values, projectId), condition, setting);
  const emails = demandOf(condition, "email");
  if (emails && emails.values.length > 1)
    return listed(addressed(emails.values, projectId), emails.rest, setting);
  const topics = inAnyOrder ? demandOf(condition, "topic") : undefined;
  if (topics) return listed(consenting(topics.values, projectId), topics.rest, setting);
  const beginning = inAnyOrder ? beginningOf(condition) : undefined;
  if (beginning) return listed(beginningWith(beginning, projectId), condition, setting);
  return {
    from: sql`subscribers`,
    where: sql`subscribers.project_id = ${projectId} and ${conditionSql(condition, setting)}`,
    id: sql`subscribers.id`,
    isWhole: true,
  };
}

/**
 * Returns the same subscribers as queries that can each be walked in the order of ids. Every
 * subscriber is in exactly one of them. If the condition requires one topic, the first query begins
 * at the consents to it, in the order of their index. Topics whose names differ only in case have
 * no common order. In that case, the second query looks at everybody; otherwise it reads nothing.
 * Together, the queries contain the condition twice, so a long condition, with its parameters,
 * becomes a single query of everybody.
 */
export function orderedAudiencesOf(condition: Condition, setting: Setting): Audience[] {
  const all = audienceOf(condition, setting);
  const topics = all.isWhole ? demandOf(condition, "topic") : undefined;
  if (topics?.values.length !== 1 || sizeOf(condition).terms > MOST_TWICE) return [all];
  const named = topicsNamed(topics.values, setting.projectId);
  const consents = sql`select subscriber_id from topic_consents where state = 'subscribed'
    and topic_id = (select iif(count(*) = 1, min(id), '') from (${named}))`;
  // If an equation with the index fails, the query reads nothing. With a separate condition, it
  // would read everybody.
  const project = sql`(select iif(count(*) > 1, ${setting.projectId}, '') from (${named}))`;
  const others = sql`subscribers.project_id = ${project} and ${conditionSql(condition, setting)}`;
  return [listed(consents, topics.rest, setting), { ...all, where: others, isWhole: false }];
}

/**
 * The largest number of comparisons in a condition that fits twice into a statement with 100
 * parameters.
 */
const MOST_TWICE = 6;

/**
 * Returns the subscribers in a list of ids who fit a condition. Without a condition, returns all of
 * them.
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

/** Returns the ids of a list of addresses. The list is short, so the query sorts it by id. */
const addressed = (emails: string[], projectId: string): SQL =>
  sql`select subscribers.id as subscriber_id from json_each(${JSON.stringify(emails)}) address
    cross join subscribers on subscribers.project_id = ${projectId} and subscribers.email = address.value
    order by 1`;

/**
 * Returns the ids of addresses that begin with a text. SQLite compares texts byte by byte, so no
 * such address comes after the second text.
 */
const beginningWith = (text: string, projectId: string): SQL =>
  sql`select subscribers.id as subscriber_id from subscribers indexed by subscribers_by_email
    where subscribers.project_id = ${projectId}
      and subscribers.email >= ${text} and subscribers.email <= ${text + LAST_CHARACTERS}`;

/**
 * A text that comes after all possible continuations of an address, which has at most 254
 * characters.
 */
const LAST_CHARACTERS = "\u{10FFFF}".repeat(254);

/** Returns a text with which the address of every subscriber who fits the condition begins. */
function beginningOf(condition: Condition): string | undefined {
  if (isTerm(condition))
    return condition.field === "email" && condition.op === "begins"
      ? condition.values[0]
      : undefined;
  if (!("and" in condition)) return undefined;
  return condition.and.map(beginningOf).find((text) => text !== undefined);
}

/**
 * Returns the ids of subscribers who have consented to any of these topics. Several topics may have
 * one name, so a subscriber may have consented to more than one of them.
 */
const consenting = (topics: string[], projectId: string): SQL =>
  sql`select distinct subscriber_id from topic_consents where state = 'subscribed'
    and topic_id in (${topicsNamed(topics, projectId)})`;

type DemandField = "tag" | "email" | "topic";

/** The values of a field of which every subscriber who fits a condition has at least one. */
interface Demand {
  values: string[];
  /**
   * The remaining condition for subscribers who have one of the values. Undefined if all of them
   * fit.
   */
  rest: Condition | undefined;
}

/**
 * Returns the smallest set of values of a field that a condition requires. Undefined if it requires
 * none.
 */
function demandOf(condition: Condition, field: DemandField): Demand | undefined {
  if (isTerm(condition))
    return condition.field === field && condition.op === "is"
      ? { values: [...new Set(condition.values)], rest: undefined }
      : undefined;
  if ("not" in condition) return undefined;
  if ("and" in condition) return demandOfAll(condition.and, field);
  const demands = condition.or.map((part) => demandOf(part, field));
  if (!demands.every((demand) => demand !== undefined)) return undefined;
  const values = [...new Set(demands.flatMap((demand) => demand.values))];
  return { values, rest: demands.every(({ rest }) => !rest) ? undefined : condition };
}

function demandOfAll(parts: Condition[], field: DemandField): Demand | undefined {
  const [least] = parts
    .flatMap((part) => {
      const demand = demandOf(part, field);
      return demand ? [{ part, ...demand }] : [];
    })
    .toSorted((a, b) => a.values.length - b.values.length);
  if (!least) return undefined;
  const { part, values, rest } = least;
  const left = parts.flatMap((one) => (one === part ? (rest ?? []) : one));
  return { values, rest: left.length === 0 ? undefined : { and: left } };
}
