import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { invalidField } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import type { ConsentState } from "./consent-queries.ts";

/** Consents by topic id or name. */
export type NamedConsents = Record<string, ConsentState>;

/** Returns the condition that `t` is the topic with this id or name. */
export const isNamed = (name: SQL): SQL => sql`(t.id = lower(${name}) or t.name = ${name})`;

const isGiven = isNamed(sql`given.key`);

/**
 * Returns a query of `topic_id` and `state` for consents by topic id or name. If a topic is named
 * with two states, `unsubscribed` wins.
 */
export function topicsNamed(projectId: string, consents: NamedConsents): SQL {
  return sql`select t.id as topic_id, max(given.value) as state
    from json_each(${JSON.stringify(consents)}) given cross join topics t
    where t.project_id = ${projectId} and ${isGiven} group by t.id`;
}

function unknownNames(projectId: string, consents: NamedConsents, among = sql`true`): SQL {
  return sql`select given.key as name from json_each(${JSON.stringify(consents)}) given
    where not exists (
      select 1 from topics t where t.project_id = ${projectId} and ${isGiven} and ${among})`;
}

/**
 * Returns a condition on the row `subscribers`: one of the named consents `n` differs from the
 * current one, `c`, and meets `also`.
 */
export function lacksConsent(
  projectId: string,
  consents: NamedConsents,
  also: SQL = sql`true`,
): SQL {
  return sql`exists (select 1 from (${topicsNamed(projectId, consents)}) n left join topic_consents c
    on c.topic_id = n.topic_id and c.subscriber_id = subscribers.id where c.state is not n.state and ${also})`;
}

/**
 * The condition that the wanted consent `n` does not bring back a person who has left the topic,
 * given their current consent `c`.
 */
export const RESPECTS_LEAVERS = sql`(n.state <> 'subscribed' or c.state is not 'unsubscribed'
  or c.by not in ('page', 'one_click', 'link'))`;

/**
 * Returns a condition for a batch: all topics in the consents exist in the project, among the topics
 * `t` that meet a condition.
 */
export const allAreKnown = (projectId: string, consents: NamedConsents, among?: SQL): SQL =>
  sql`not exists (${unknownNames(projectId, consents, among)})`;

/** Selects the names that match no topic of the project, among those that meet a condition. */
export const selectUnknown = (
  db: Database,
  projectId: string,
  consents: NamedConsents,
  among?: SQL,
) => db.all<{ name: string }>(unknownNames(projectId, consents, among));

/** Throws 400 for an unknown name. `pathOf` returns the path of the field that contains it. */
export function requireKnown(
  [unknown]: { name: string }[],
  pathOf: (name: string) => string,
): void {
  if (!unknown) return;
  const { name } = unknown;
  throw invalidField(pathOf(name), faultOf("no_such_topic", { name }));
}

/** Returns a function that returns the path of a name in a list of topics. */
export const pathInTopics = (names: readonly string[]) => (name: string) => {
  const at = names.indexOf(name); // -1 for a lone surrogate, which SQL returns as another character
  return at === -1 ? "topics" : `topics.${at}`;
};
