import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Database, Statement } from "../../db/client.ts";
import { writeConsents, type ConsentProof } from "./consent-queries.ts";
import {
  allAreKnown,
  lacksConsent,
  selectUnknown,
  topicsNamed,
  type NamedConsents,
} from "./name-topics.ts";
import { requestConsents } from "./request-consents.ts";

/** The topics chosen while subscribing, by id or name. */
export interface ChosenTopics {
  names: string[];
  /** True if nobody chose, so that a new subscriber gets the default topics. */
  isDefault?: boolean;
  proof: ConsentProof;
}

const consentsTo = (names: string[]): NamedConsents =>
  Object.fromEntries(names.map((name) => [name, "subscribed"]));

/** Returns the condition that a caller may choose the topic `t`; a stranger knows no private one. */
const offeredTo = ({ isPublic }: { isPublic: boolean }): SQL =>
  isPublic ? sql`t.visibility = 'public'` : sql`true`;

/** Returns a condition for a batch: the project has every chosen topic, and offers it. */
export const canJoin = (projectId: string, names: string[], whom: { isPublic: boolean }): SQL =>
  names.length === 0 ? sql`true` : allAreKnown(projectId, consentsTo(names), offeredTo(whom));

/** Selects the chosen names that match no topic that the project offers. */
export const selectUnknownOf = (
  db: Database,
  projectId: string,
  names: string[],
  whom: { isPublic: boolean },
) => selectUnknown(db, projectId, consentsTo(names), offeredTo(whom));

/** Returns the query of the chosen consents of a subscriber, if `when` holds. */
const chosenBy = (projectId: string, subscriberId: string, names: string[], when: SQL): SQL =>
  sql`select n.topic_id, s.id as subscriber_id, n.state
    from (${topicsNamed(projectId, consentsTo(names))}) n
    cross join subscribers s on s.id = ${subscriberId} and s.project_id = ${projectId} where ${when}`;

/**
 * Returns the statements that subscribe a subscriber of the project to the chosen topics. They
 * follow the insert of the subscriber in the same batch, and do nothing if it was not inserted or
 * `when` does not hold.
 */
export function joinTopics(
  deps: Deps,
  projectId: string,
  subscriberId: string,
  { names, proof }: ChosenTopics,
  when: SQL = sql`true`,
): readonly Statement[] {
  if (names.length === 0) return [];
  return writeConsents(deps, projectId, chosenBy(projectId, subscriberId, names, when), proof);
}

/**
 * Returns the statements that subscribe new subscribers to the default topics of the project. They
 * follow the insert of the subscribers in the same batch. Ids that were not inserted are ignored, as
 * are unsubscribed ones.
 */
export function joinDefaults(
  deps: Deps,
  projectId: string,
  ids: string[],
  proof: ConsentProof,
): readonly Statement[] {
  if (ids.length === 0) return [];
  const wanted = sql`select d.id as topic_id, s.id as subscriber_id, 'subscribed' as state
    from topics d cross join subscribers s
    where d.project_id = ${projectId} and d.is_default = 1 and s.status <> 'unsubscribed'
      and s.id in (select value from json_each(${JSON.stringify(ids)})) and +s.project_id = ${projectId}`;
  return writeConsents(deps, projectId, wanted, proof);
}

/**
 * Returns the statements that subscribe a new subscriber to the chosen topics, or to the default
 * ones if nobody chose, as `joinTopics` does.
 */
export const joinAsNew = (deps: Deps, projectId: string, id: string, chosen: ChosenTopics) =>
  chosen.isDefault
    ? joinDefaults(deps, projectId, [id], chosen.proof)
    : joinTopics(deps, projectId, id, chosen);

/** Returns the statements that ask a subscriber to agree to the chosen topics, if `when` holds. */
export function requestTopics(
  deps: Deps,
  projectId: string,
  subscriberId: string,
  { names, proof }: ChosenTopics,
  when: SQL,
): readonly Statement[] {
  if (names.length === 0) return [];
  const wanted = chosenBy(projectId, subscriberId, names, when);
  return [requestConsents(deps, { projectId, subscriberId }, wanted, proof)];
}

/** Returns a condition on the row `subscribers`: it lacks one of the chosen topics. */
export const lacksChosen = (projectId: string, names: string[]): SQL =>
  names.length === 0 ? sql`false` : lacksConsent(projectId, consentsTo(names));
