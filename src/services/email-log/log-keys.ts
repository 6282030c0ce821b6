import { and, desc, eq, gte, lt, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { broadcasts } from "../../db/schema/index.ts";

/**
 * The parts from which the log ids of a broadcast or batch are derived, with the id of its last
 * recipient.
 */
const KEY = {
  id: broadcasts.id,
  logKey: broadcasts.logKey,
  createdAt: broadcasts.createdAt,
  lastId: broadcasts.cutoffId,
};

const ofKind = (projectId: string, kind: "broadcast" | "batch") =>
  and(eq(broadcasts.projectId, projectId), eq(broadcasts.kind, kind));

/**
 * Selects the log id parts of the project's newest broadcasts, those before an id and from a time
 * on if given. With a subscriber's id, they locate the subscriber's mail in the log without a
 * separate index.
 */
export function selectLogKeys(
  db: Database,
  projectId: string,
  limit: number,
  { beforeId, since }: { beforeId?: string; since?: number } = {},
) {
  return db
    .select(KEY)
    .from(broadcasts)
    .where(
      and(
        ofKind(projectId, "broadcast"),
        beforeId === undefined ? undefined : lt(broadcasts.id, beforeId),
        since === undefined ? undefined : gte(broadcasts.createdAt, since),
      ),
    )
    .orderBy(desc(broadcasts.id))
    .limit(limit);
}

/** Selects the same for a batch: at most one row. */
export function selectBatchKey(db: Database, projectId: string, id: string) {
  return db
    .select(KEY)
    .from(broadcasts)
    .where(and(eq(broadcasts.id, id), ofKind(projectId, "batch")))
    .limit(1);
}

/** The parts from which the log id of an automation's mail is derived, and its recipient. */
export interface RunMail {
  subscriberId: string;
  logKey: string;
  createdAt: number;
  page: string;
}

/** The newest runs of a person whose mails are looked up in the log. */
const RUNS_READ = 1_000;

/**
 * Selects the log id parts of the newest mails of automations to the subscribers whose ids `ids`
 * selects. A run that has changed its version may have sent a mail in each of them, so the parts of
 * all are selected; only one of them has an entry.
 */
export function selectRunMails(db: Database, projectId: string, ids: SQL, limit: number) {
  return db.all<RunMail>(
    sql`select run.subscriber_id as "subscriberId", b.log_key as "logKey", b.created_at as "createdAt",
        mail.value ->> 'page' as page
      from (${ids}) person
        cross join automation_runs run on run.subscriber_id = person.id and run.id >= coalesce((
          select id from automation_runs mine where mine.subscriber_id = person.id
          order by id desc limit 1 offset ${sql.raw(String(RUNS_READ - 1))}), '')
        cross join json_each(run.mails) mail
        cross join broadcasts b on b.automation_id = run.automation_id
          and b.automation_version <= run.version and b.step_id = mail.value ->> 'step'
      where run.project_id = ${projectId} order by mail.value ->> 'at' desc limit ${limit}`,
  );
}
