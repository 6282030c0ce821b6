/* Requests: history entries that record that a subscriber is asked by mail to agree to topics. */
import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import { proofValues, type ConsentEvent, type ConsentProof } from "./consent-queries.ts";

/**
 * Returns the query of the topics to which a subscriber was asked to agree by mail and has not
 * answered: a request about each of them, made before `until`, with no later entry.
 */
export function openRequests(projectId: string, subscriberId: string, until: number): SQL {
  return sql`select distinct e.topic_id, e.subscriber_id from consent_events e
    where e.project_id = ${projectId} and e.subscriber_id = ${subscriberId} and e.topic_id is not null
      and e.action = 'requested' and e.at <= ${until} and not exists (
        select 1 from consent_events l where l.project_id = e.project_id
          and l.subscriber_id = e.subscriber_id and l.topic_id = e.topic_id and l.action <> 'requested' and l.at >= e.at)`;
}

/**
 * Returns the statement that records that a subscriber is asked by mail to agree to topics.
 * `wanted` is as in `writeConsents`. Topics already agreed to or asked about change nothing.
 */
export function requestConsents(
  { db, newUlid, now }: Deps,
  { projectId, subscriberId }: { projectId: string; subscriberId: string },
  wanted: SQL,
  proof: ConsentProof,
): Statement {
  const at = now();
  const nth = sql`row_number() over (order by t.name)`;
  const asked = openRequests(projectId, subscriberId, at);
  return db.run(
    sql`insert into consent_events (project_id, subscriber_id, id, topic_id, topic_name, action, by, at, ip_address, user_agent, form_text)
      select ${projectId}, w.subscriber_id, ${newUlid()} || printf('%05d', ${nth}), t.id, t.name, 'requested', ${proofValues(proof, at, sql`${nth} = 1`)}
      from (${wanted}) w cross join topics t on t.id = w.topic_id and t.project_id = ${projectId}
      left join topic_consents c on c.topic_id = t.id and c.subscriber_id = w.subscriber_id
      where c.state is not 'subscribed' and t.id not in (select topic_id from (${asked}))`,
  );
}

/** Returns the statements by which a subscriber agrees to all open requests, if `when` holds. */
export function agreeToRequests(
  { db, newUlid, now }: Deps,
  { projectId, subscriberId, until }: { projectId: string; subscriberId: string; until: number },
  proof: ConsentProof,
  when: SQL,
) {
  const at = now();
  const asked = sql`(${openRequests(projectId, subscriberId, until)}) w
    cross join topics t on t.id = w.topic_id and t.project_id = ${projectId} where ${when}`;
  const id = sql`${newUlid()} || printf('%05d', row_number() over (order by t.name))`;
  return [
    db.run(
      sql`insert into topic_consents (topic_id, subscriber_id, state, since, by)
        select t.id, w.subscriber_id, 'subscribed', ${at}, ${proof.by} from ${asked}
        on conflict (topic_id, subscriber_id) do update
          set state = excluded.state, since = excluded.since, by = excluded.by`,
    ),
    db.run(
      sql`insert into consent_events (project_id, subscriber_id, id, topic_id, topic_name, action, by, at, ip_address, user_agent, form_text)
        select ${projectId}, w.subscriber_id, ${id}, t.id, t.name, 'subscribed', ${proofValues(proof, at)} from ${asked}`,
    ),
  ] as const;
}

/** Returns the names of the topics of the open requests before `until` in a history. */
export function askedIn(history: readonly ConsentEvent[], until: number): string[] {
  const answers = history.filter(({ action }) => action !== "requested");
  const open = history.filter(
    ({ action, at, topicId }) =>
      action === "requested" &&
      topicId !== null &&
      at <= until &&
      !answers.some((other) => other.topicId === topicId && other.at >= at),
  );
  return [...new Set(open.map(({ topicName }) => topicName ?? ""))];
}
