import { sql, type SQL } from "drizzle-orm";
import { SUBSCRIBER_STATUSES } from "../../db/schema/index.ts";
import { EVENT, EVENT_DATA, isTerm, METADATA, type Condition, type Term } from "./condition.ts";
import { momentBounds, timeSql } from "./compare-sql.ts";
import { eventSql, outsideAutomation } from "./event-terms.ts";
import { jsonTermSql } from "./json-term-sql.ts";
import { matchesPattern } from "./pattern-sql.ts";
import { textForms } from "./text-forms.ts";
import { momentOf, spanMs } from "./times.ts";

/** The context of a condition. */
export interface Setting {
  projectId: string;
  /** The time to which spans are relative, in milliseconds. */
  now: number;
  /** The first and the last id of the subscribers that the query reads, if known. */
  range?: { first: string | SQL; last: string | SQL } | undefined;
  /** The data of the event that started the run, as JSON; only a condition of an automation has it. */
  event?: SQL | undefined;
}

/**
 * Returns a condition as SQL on a row of `subscribers`, which must be in the query by this name.
 * The result is 0 or 1 and never null, so `not` selects exactly the others. A term takes at most
 * three parameters and reads only the subscriber's row. A term on events also reads those that it
 * counts, by an index. A term on mailings also reads the mailings
 * of its span, once per statement. A term on topics also reads the consents to them.
 */
export function conditionSql(condition: Condition, setting: Setting): SQL {
  if (isTerm(condition)) return termSql(condition, setting);
  if ("not" in condition) return sql`not ${conditionSql(condition.not, setting)}`;
  const [parts, word] =
    "and" in condition
      ? ([condition.and, sql` and `] as const)
      : ([condition.or, sql` or `] as const);
  return sql`(${sql.join(
    parts.map((part) => conditionSql(part, setting)),
    word,
  )})`;
}

function termSql(term: Term, setting: Setting): SQL {
  const { field, op, values } = term;
  if (field.startsWith(METADATA))
    return jsonTermSql(sql`subscribers.metadata`, field.slice(METADATA.length), term);
  if (field.startsWith(EVENT)) return eventSql(term, setting);
  if (field.startsWith(EVENT_DATA)) {
    if (!setting.event) throw outsideAutomation(field);
    return jsonTermSql(setting.event, field.slice(EVENT_DATA.length), term);
  }
  switch (field) {
    case "status":
      return isOneOf(sql`subscribers.status`, values);
    case "tag":
      return tagSql(values);
    case "topic":
      return topicSql(values, setting);
    case "import":
      return sql`coalesce(${isOneOf(sql`subscribers.import_id`, values)}, 0)`;
    case "source":
      // The index of sources is used only if the condition contains `source <> ''` and the
      // statuses.
      return op === "exists"
        ? sql`(subscribers.source <> '')`
        : sql`(subscribers.source <> '' and subscribers.status in (${ANY_STATUS}) and ${isOneOf(sql`subscribers.source`, values)})`;
    case "email":
      return textSql(sql`subscribers.email`, term, (text) => [text]);
    case "name":
      return nameSql(term);
    case "mailed":
      return mailedSql(term, setting);
    case "created":
      return timeTermSql(sql`subscribers.created_at`, term, setting);
    case "opened":
      return timeTermSql(sql`subscribers.last_opened_at`, term, setting);
    default:
      return timeTermSql(sql`subscribers.last_clicked_at`, term, setting);
  }
}

export const ANY_STATUS = sql.raw(SUBSCRIBER_STATUSES.map((status) => `'${status}'`).join(", "));

function isOneOf(value: SQL, values: readonly string[]): SQL {
  const [only] = values;
  if (values.length === 1) return sql`(${value} = ${only})`;
  return sql`(${value} in (select value from json_each(${JSON.stringify(values)})))`;
}

const nameSql = (term: Term): SQL =>
  term.op === "is"
    ? isOneOf(sql`lower(subscribers.name)`, term.values.flatMap(textForms))
    : textSql(sql`lower(subscribers.name)`, term, textForms);

function textSql(text: SQL, { op, values }: Term, formsOf: (value: string) => string[]): SQL {
  if (op === "exists") return sql`(${text} <> '')`;
  if (op === "begins" || op === "ends" || op === "contains")
    return matchesPattern(text, op, values.flatMap(formsOf));
  return isOneOf(text, values);
}

/** Returns the SQL of a term on a time. A subscriber without the time matches no comparison. */
function timeTermSql(time: SQL, { op, values: [value = ""] }: Term, { now }: Setting): SQL {
  if (op === "within") return sql`coalesce(${time} >= ${timeSql(now - (spanMs(value) ?? 0))}, 0)`;
  const moment = momentOf(value);
  if (!moment || op === "exists") return sql`(${time} is not null)`;
  return op === "<" || op === "<=" || op === ">" || op === ">="
    ? sql`coalesce(${momentBounds(time, op, moment)}, 0)`
    : sql`0`;
}

/**
 * Returns the SQL of a term on tags. Tags contain no quotes, so a quoted tag matches only as a
 * whole.
 */
function tagSql(values: readonly string[]): SQL {
  const [quoted, ...others] = values.map((tag) => JSON.stringify(tag));
  if (others.length === 0) return sql`(instr(subscribers.tags, ${quoted}) > 0)`;
  return sql`exists (select 1 from json_each(${JSON.stringify([quoted, ...others])}) tag
    where instr(subscribers.tags, tag.value) > 0)`;
}

/**
 * Returns the SQL of a term on topics. It looks up the topics once per statement, and then one row
 * per topic and subscriber.
 */
function topicSql(values: readonly string[], { projectId }: Setting): SQL {
  return sql`exists (select 1 from topic_consents consent
    where consent.topic_id in (${topicsNamed(values, projectId)})
      and consent.subscriber_id = subscribers.id and consent.state = 'subscribed')`;
}

/** Returns the query of the ids of the topics of a project with these ids or names. */
export function topicsNamed(values: readonly string[], projectId: string): SQL {
  const forms = JSON.stringify([...values, ...values.flatMap(textForms)]);
  return sql`select topic.id from topics topic where topic.project_id = ${projectId}
    and exists (select 1 from json_each(${forms}) form where form.value in (topic.id, lower(topic.name)))`;
}

/**
 * Returns the SQL of a term on mailings. The recipients of a span are read once per statement,
 * regardless of the number of subscribers. With a range, only the mailing rows that overlap it are
 * read.
 */
function mailedSql({ values: [value = ""] }: Term, { projectId, now, range }: Setting): SQL {
  const reaches = range
    ? sql` and mailing.last_id >= ${range.first} and mailing.first_id <= ${range.last}`
    : sql``;
  const recipients = sql`select recipient.value from subscriber_mailings mailing, json_each(mailing.ids) recipient
    where mailing.project_id = ${projectId} and mailing.at >= ${timeSql(now - (spanMs(value) ?? 0))}${reaches}`;
  return sql`iif(subscribers.id in (${recipients}), 1, 0)`;
}
