import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { SUBSCRIBER_STATUSES } from "../../db/schema/index.ts";
import { rangeOf } from "./claim-queries.ts";
import { namedBy } from "./named-recipients.ts";
import { audience, type BroadcastRow } from "./queries.ts";

/** The maximum number of subscribers that one page of recipients examines. */
export const EXAMINED_MAX = 500;

/** The last text in UTF-8 order. */
const LAST = "\u{10ffff}";

/** The reactions to a broadcast by which its recipients can be listed. */
export const REACTIONS = ["unsubscribed", "complained"] as const;
export type Reaction = (typeof REACTIONS)[number];

/**
 * A subscriber who may be a recipient. `isWanted` is 1 while the subscriber has the status and
 * source of the audience. `hasLeft` is 1 if the subscriber has unsubscribed since the start.
 * `hasReacted` is 1 if the subscriber shows the reaction that the query asks for.
 */
export interface Candidate {
  id: string;
  email: string;
  isWanted: number;
  hasLeft: number;
  hasReacted: number;
}

/**
 * The cursor of a candidate (the address in a search, otherwise the id), and the reaction to filter
 * by.
 */
export interface CandidatePlace {
  search: string | undefined;
  after: string;
  reaction?: Reaction | undefined;
}

/** Returns the condition that a subscriber `s` shows a reaction. */
const reacted = (projectId: string, broadcastId: string, reaction: Reaction | undefined): SQL => {
  if (reaction === undefined) return sql`1`;
  if (reaction === "unsubscribed") return sql`s.left_by is ${broadcastId}`;
  return sql`exists (select 1 from suppressions
    where project_id = ${projectId} and email = s.email and source = 'complaint')`;
};

/**
 * Selects the subscribers up to the cut-off of a broadcast, at most `examined`, in the order of
 * their ids. A search selects those whose address begins with its text, in the order of the
 * addresses.
 */
export function selectCandidates(
  db: Database,
  projectId: string,
  broadcastId: string,
  { search, after, reaction }: CandidatePlace,
  examined = EXAMINED_MAX,
) {
  const cutoff = sql`(select cutoff_id from broadcasts where id = ${broadcastId} and project_id = ${projectId})`;
  const ofBroadcast = (isOne: SQL) =>
    sql`exists (select 1 from broadcasts b where b.id = ${broadcastId} and b.project_id = ${projectId}
      and ${isOne} and (b.source is null or b.source = s.source))`;
  const namesSome = isNamed(broadcastId);
  const isWanted = sql`${ofBroadcast(sql`b.status = s.status`)}
    and (not ${namesSome} or s.id in (${namedBy(sql`${broadcastId}`)}))`;
  const hasLeft = sql`s.status = 'unsubscribed' and not ${namesSome}
    and ${ofBroadcast(sql`b.status = 'active' and s.unsubscribed_at >= b.created_at`)}`;
  const hasReacted = reacted(projectId, broadcastId, reaction);
  const columns = sql`s.id, s.email, ${isWanted} as "isWanted", ${hasLeft} as "hasLeft", ${hasReacted} as "hasReacted"`;
  if (search !== undefined)
    return db.all<Candidate>(
      sql`select ${columns} from subscribers s indexed by subscribers_by_email
        where s.project_id = ${projectId} and s.email >= ${search} and s.email < ${search + LAST}
          and s.email > ${after} and s.id <= ${cutoff}
        order by s.email limit ${examined}`,
    );
  const ids = SUBSCRIBER_STATUSES.map(
    (status) => sql`select * from (select id from subscribers indexed by subscribers_by_status
      where project_id = ${projectId} and status = ${status} and id > ${after} and id <= ${cutoff}
      order by id limit ${examined})`,
  );
  return db.all<Candidate>(
    sql`select ${columns} from (${sql.join(ids, sql` union all `)} order by id limit ${examined}) page
      cross join subscribers s on s.id = page.id order by s.id`,
  );
}

/** Returns the condition that a broadcast mails only the recipients listed in its chunks. */
const isNamed = (broadcastId: string): SQL =>
  sql`exists (select 1 from broadcasts own where own.id = ${broadcastId}
    and own.plan ->> '$.resend.to' <> 'joined')`;

/** Selects the given subscribers who are currently in the audience of a broadcast. */
export function selectMembers(db: Database, broadcast: BroadcastRow, ids: string[]) {
  return db.all<{ id: string }>(
    sql`select id from subscribers where ${audience({ ...broadcast, leavesOutMailed: true }, rangeOf(ids))}
      and id in (select value from json_each(${JSON.stringify(ids)}))`,
  );
}
