import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Database, Statement } from "../../db/client.ts";
import type { CONSENT_ACTIONS, CONSENT_STATES, CONSENT_WAYS } from "../../db/schema/index.ts";
import { cutText } from "../../lib/cut-text.ts";
import type { TopicRow } from "./topic-queries.ts";

export type ConsentState = (typeof CONSENT_STATES)[number];
export type ConsentAction = (typeof CONSENT_ACTIONS)[number];
export type ConsentWay = (typeof CONSENT_WAYS)[number];

/** The proof of a consent: its source, its origin, and the text shown with the form. */
export interface ConsentProof {
  by: ConsentWay;
  ipAddress: string;
  userAgent: string;
  /** An SQL expression if the text depends on project settings that only the batch reads. */
  formText: string | SQL;
}

/** The maximum length of a user agent in a proof. */
const MOST_AGENT_CHARACTERS = 500;

/**
 * Returns the statements that store consents and their history; an existing consent changes
 * nothing. `wanted` selects `topic_id`, `subscriber_id` and `state`, each pair once, of subscribers
 * of the project. Topics of other projects are skipped. Only the first entry contains the user
 * agent and the text shown with the form: they come from unauthenticated requests, which may name
 * many topics.
 */
export function writeConsents(deps: Deps, projectId: string, wanted: SQL, proof: ConsentProof) {
  const { db, newUlid, now } = deps;
  const at = now();
  const own = sql`(${wanted}) w cross join topics t on t.id = w.topic_id and t.project_id = ${projectId}`;
  const nth = sql`row_number() over (order by t.name)`;
  const id = sql`${newUlid()} || printf('%05d', ${nth})`;
  return [
    db.run(
      sql`insert into consent_events (project_id, subscriber_id, id, topic_id, topic_name, action, by, at, ip_address, user_agent, form_text)
        select ${projectId}, w.subscriber_id, ${id}, t.id, t.name, w.state, ${proofValues(proof, at, sql`${nth} = 1`)}
        from ${own} left join topic_consents c on c.topic_id = t.id and c.subscriber_id = w.subscriber_id
        where c.state is not w.state`,
    ),
    db.run(
      sql`insert into topic_consents (topic_id, subscriber_id, state, since, by)
        select t.id, w.subscriber_id, w.state, ${at}, ${proof.by} from ${own} where true
        on conflict (topic_id, subscriber_id) do update
          set state = excluded.state, since = excluded.since, by = excluded.by
          where state <> excluded.state`,
    ),
  ] as const;
}

/** Returns a condition for a batch: one of the wanted consents differs from the current one. */
export const differs = (wanted: SQL): SQL =>
  sql`exists (select 1 from (${wanted}) w left join topic_consents c
    on c.topic_id = w.topic_id and c.subscriber_id = w.subscriber_id where c.state is not w.state)`;

/**
 * Returns the statement that adds to the consent history of the entire list. `ids` selects
 * subscribers of the project.
 */
export function writeListConsent(
  { db, newUlid, now }: Deps,
  projectId: string,
  ids: SQL,
  action: ConsentAction | SQL,
  proof: ConsentProof,
): Statement {
  return db.run(
    sql`insert into consent_events (project_id, subscriber_id, id, action, by, at, ip_address, user_agent, form_text)
      select ${projectId}, s.id, ${newUlid()}, ${action}, ${proofValues(proof, now())} from (${ids}) s`,
  );
}

/**
 * The maximum number of history entries through links in mails: anyone with a link could add
 * entries indefinitely.
 */
const MOST_STEPS_BY_LINKS = 100;

/**
 * Deletes a subscriber's oldest history entries through links in mails, beyond the newest hundred.
 */
export function trimHistory(db: Database, projectId: string, subscriberId: string): Statement {
  const own = sql`project_id = ${projectId} and subscriber_id = ${subscriberId}`;
  return db.run(
    sql`delete from consent_events where ${own} and id in (
      select id from consent_events where ${own} and by in ('page', 'one_click', 'link')
      order by id desc limit -1 offset ${MOST_STEPS_BY_LINKS})`,
  );
}

export function proofValues(
  { by, ipAddress, userAgent, formText }: ConsentProof,
  at: number,
  isWhole: SQL = sql`true`,
): SQL {
  const agent = cutText(userAgent, MOST_AGENT_CHARACTERS);
  return sql`${by}, ${at}, ${ipAddress}, iif(${isWhole}, ${agent}, ''), iif(${isWhole}, ${formText}, '')`;
}

/** The consent of a subscriber to one topic; its state is null if the subscriber never chose. */
export interface Consent extends Pick<TopicRow, "name" | "description" | "visibility"> {
  topicId: string;
  state: ConsentState | null;
  since: number | null;
  by: ConsentWay | null;
}

/** Selects the consent of a subscriber to each topic of the project, by the name of the topic. */
export function selectConsents(db: Database, projectId: string, subscriberId: string) {
  return db.all<Consent>(
    sql`select t.id as "topicId", t.name, t.description, t.visibility, c.state, c.since, c.by
      from topics t left join topic_consents c on c.topic_id = t.id and c.subscriber_id = ${subscriberId}
      where t.project_id = ${projectId} order by t.name`,
  );
}

/** A consent history entry; `topicId` is null for the entire list. */
export interface ConsentEvent {
  topicId: string | null;
  topicName: string | null;
  action: ConsentAction;
  by: ConsentWay;
  at: number;
  ipAddress: string;
  userAgent: string;
  formText: string;
}

/** Selects the newest entries of a subscriber's consent history, newest first. */
export function selectHistory(
  db: Database,
  projectId: string,
  subscriberId: string,
  limit: number,
) {
  return db.all<ConsentEvent>(
    sql`select topic_id as "topicId", topic_name as "topicName", action, by, at, ip_address as "ipAddress",
        user_agent as "userAgent", form_text as "formText"
      from consent_events where project_id = ${projectId} and subscriber_id = ${subscriberId}
      order by id desc limit ${limit}`,
  );
}

/** Returns the statements that delete the consents and the history of the subscribers in `ids`. */
export function removeConsents(db: Database, projectId: string, ids: SQL): Statement[] {
  const own = sql`select id from topics where project_id = ${projectId}`;
  return [
    db.run(
      sql`delete from topic_consents where topic_id in (${own}) and subscriber_id in (${ids})`,
    ),
    db.run(
      sql`delete from consent_events where project_id = ${projectId} and subscriber_id in (${ids})`,
    ),
  ];
}

/**
 * Returns a condition on the row `subscribers`: the subscriber is subscribed to the topic. A
 * missing consent counts as no (fail closed).
 */
export function consentCondition(topicId: string): SQL {
  return sql`exists (select 1 from topic_consents consent where consent.topic_id = ${topicId}
    and consent.subscriber_id = subscribers.id and consent.state = 'subscribed')`;
}

/** Returns the query of the ids of a topic's subscribers, in the order of an index. */
export const consentsTo = (topicId: string): SQL =>
  sql`select subscriber_id from topic_consents where topic_id = ${topicId} and state = 'subscribed'`;
