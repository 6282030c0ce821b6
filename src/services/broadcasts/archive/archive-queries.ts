import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";

/*
 * The archive of a project shows the broadcasts to the topics that have one. A broadcast to a part
 * of a topic, and one that repeats another, is shown only by choice.
 */

/** On the row `broadcasts`: it went to everybody in its topic, and does not repeat another one. */
const IS_TO_WHOLE_TOPIC = sql`(broadcasts.status = 'active' and broadcasts.source is null
  and broadcasts.plan ->> '$.resend' is null and broadcasts.plan ->> '$.segmentId' is null
  and broadcasts.plan ->> '$.where' is null
  and coalesce(json_array_length(broadcasts.plan, '$.excludeSegmentIds'), 0) = 0)`;

/**
 * On the rows `broadcasts` and `topics`: the archive shows the broadcast. The first line is that of
 * the index `broadcasts_of_topics`.
 */
const IS_SHOWN = sql`(kind = 'broadcast' and state = 'done' and topic_id is not null
  and broadcasts.sent > 0 and topics.public_archive
  and coalesce(broadcasts.in_archive, ${IS_TO_WHOLE_TOPIC}))`;

const OF_TOPIC = sql`topics on topics.id = broadcasts.topic_id and topics.project_id = broadcasts.project_id`;

/** What a list shows of a broadcast. Its texts may have variables. */
export interface ArchivedRow {
  id: string;
  subject: string;
  previewText: string;
  name: string;
  /** JSON, or null. */
  variables: string | null;
  sentAt: number;
  topic: string;
}

/** Returns a condition: the project has a topic with an archive. */
export function archiveExists(db: Database, projectId: string) {
  return db.all<{ exists: number }>(
    sql`select exists (select 1 from topics where project_id = ${projectId} and public_archive) as "exists"`,
  );
}

/** Selects a page of an archive, newest first, of those whose subject contains a text if given. */
export function selectArchivedPage(
  db: Database,
  projectId: string,
  { search, limit, offset }: { search: string; limit: number; offset: number },
) {
  const subject = sql`coalesce(v.subject, broadcasts.subject)`;
  const found = search === "" ? sql`` : sql` and instr(lower(${subject}), lower(${search})) > 0`;
  return db.all<ArchivedRow>(
    sql`select broadcasts.id, ${subject} as subject, broadcasts.name, broadcasts.variables,
        coalesce(broadcasts.plan ->> '$.previewText', v.preheader, broadcasts.preheader) as "previewText",
        broadcasts.created_at as "sentAt", topics.name as topic
      from broadcasts join ${OF_TOPIC} left join broadcast_variants v
        on v.broadcast_id = broadcasts.id and v.n = coalesce(broadcasts.winner, 0)
      where broadcasts.project_id = ${projectId} and ${IS_SHOWN}${found}
      order by broadcasts.created_at desc, broadcasts.id desc limit ${limit} offset ${offset}`,
  );
}

/** Selects the topic of a broadcast that the archive shows: at most one row. */
export function selectArchived(db: Database, projectId: string, id: string) {
  return db.all<{ topic: string }>(
    sql`select topics.name as topic from broadcasts join ${OF_TOPIC}
      where broadcasts.id = ${id} and broadcasts.project_id = ${projectId} and ${IS_SHOWN}`,
  );
}

/** Selects whether the archive shows a broadcast of any state, and why. */
export function selectArchiveState(db: Database, projectId: string, id: string) {
  return db.all<{ inArchive: number | null; hasArchive: number; isShown: number }>(
    sql`select in_archive as "inArchive", coalesce(topics.public_archive, 0) as "hasArchive",
        coalesce(${IS_SHOWN}, 0) as "isShown"
      from broadcasts left join ${OF_TOPIC}
      where broadcasts.id = ${id} and ${isOfProject(projectId)}`,
  );
}

/** On the row `broadcasts`: it is a broadcast or draft of the project. */
export const isOfProject = (projectId: string): SQL =>
  sql`broadcasts.project_id = ${projectId} and broadcasts.kind in ('broadcast', 'draft')`;
