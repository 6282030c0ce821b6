import { sql, type SQL } from "drizzle-orm";
import { isTerm, sizeOf, type Condition } from "./condition.ts";
import { conditionSql, topicsNamed, type Setting } from "./condition-sql.ts";

/** The subscribers that fit a condition, as the parts of a query. */
export interface Audience {
  /** Has the row `subscribers`. */
  from: SQL;
  where: SQL;
  /** The id, by which `from` is in order and a range costs what is in it. */
  id: SQL;
  /** False if `from` has only those whom an index of tags, addresses or consents names. */
  isWhole: boolean;
}

/**
 * Returns the subscribers of a project that fit a condition. It begins at the tags that all of them
 * must have, where the condition names any, or at a list of addresses: each match costs two rows.
 * One address needs no list, since the index of addresses serves it. A query that needs neither
 * order nor range can begin at consents in the same way; the rest of the condition does not read
 * them again. It can also begin at the addresses that begin with a text.
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
 * Returns the same subscribers as queries that can each be walked in the order of ids: every
 * subscriber is in one of them, and in one alone. Where the condition demands one topic, the first
 * begins at the consents to it, in the order of their index. Topics whose names differ only in case
 * have no common order, so the second looks at everybody then; else it reads nothing. Together they
 * have the condition twice, so a long one, with its parameters, is a single query of everybody.
 */
export function orderedAudiencesOf(condition: Condition, setting: Setting): Audience[] {
  const all = audienceOf(condition, setting);
  const topics = all.isWhole ? demandOf(condition, "topic") : undefined;
  if (topics?.values.length !== 1 || sizeOf(condition).terms > MOST_TWICE) return [all];
  const named = topicsNamed(topics.values, setting.projectId);
  const consents = sql`select subscriber_id from topic_consents where state = 'subscribed'
    and topic_id = (select iif(count(*) = 1, min(id), '') from (${named}))`;
  // An equation with the index reads nothing where it fails; a condition beside it reads everybody.
  const project = sql`(select iif(count(*) > 1, ${setting.projectId}, '') from (${named}))`;
  const others = sql`subscribers.project_id = ${project} and ${conditionSql(condition, setting)}`;
  return [listed(consents, topics.rest, setting), { ...all, where: others, isWhole: false }];
}

/** The comparisons of a condition of which a statement with 100 parameters has room for two. */
const MOST_TWICE = 6;

/** Returns those in a list of ids who fit a condition; all of the list without one. */
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

/** A list of addresses is short, so it is put into the order of ids. */
const addressed = (emails: string[], projectId: string): SQL =>
  sql`select subscribers.id as subscriber_id from json_each(${JSON.stringify(emails)}) address
    cross join subscribers on subscribers.project_id = ${projectId} and subscribers.email = address.value
    order by 1`;

/** SQLite compares texts byte by byte, so no address with this beginning comes after the second. */
const beginningWith = (text: string, projectId: string): SQL =>
  sql`select subscribers.id as subscriber_id from subscribers indexed by subscribers_by_email
    where subscribers.project_id = ${projectId}
      and subscribers.email >= ${text} and subscribers.email <= ${text + LAST_CHARACTERS}`;

/** Comes after all characters that follow the beginning of an address, which has 254 at most. */
const LAST_CHARACTERS = "\u{10FFFF}".repeat(254);

/** Returns a text with which the address of everybody begins who fits a condition. */
function beginningOf(condition: Condition): string | undefined {
  if (isTerm(condition))
    return condition.field === "email" && condition.op === "begins"
      ? condition.values[0]
      : undefined;
  if (!("and" in condition)) return undefined;
  return condition.and.map(beginningOf).find((text) => text !== undefined);
}

/**
 * Several topics may have one name, so a subscriber may have consented to more than one of them.
 */
const consenting = (topics: string[], projectId: string): SQL =>
  sql`select distinct subscriber_id from topic_consents where state = 'subscribed'
    and topic_id in (${topicsNamed(topics, projectId)})`;

type DemandField = "tag" | "email" | "topic";

/** Values of a field of which every subscriber that fits a condition has one. */
interface Demand {
  values: string[];
  /** The condition that is left for those who have one; undefined if all of them fit. */
  rest: Condition | undefined;
}

/** Returns the fewest values of a field that a condition demands; undefined if it demands none. */
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
