import { and, eq, ne, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { pendingMails } from "../../db/schema/index.ts";
import type { Woken } from "../projects/index.ts";

export type PendingMail = typeof pendingMails.$inferSelect;

/** A pending mail before its insert. */
export type NewPendingMail = Pick<
  PendingMail,
  "id" | "subscriberId" | "templateId" | "templateName" | "isPublic" | "dueAt" | "createdAt"
> & { data: Record<string, string> | null };

/**
 * Stores a pending mail to an existing subscriber if `when` is true, and returns a row then. It
 * follows the insert of the subscriber in the same batch.
 */
export function insertPendingMail(
  db: Database,
  projectId: string,
  mail: NewPendingMail,
  when: SQL,
) {
  const { id, subscriberId, templateId, templateName, isPublic, dueAt, createdAt } = mail;
  const data = mail.data && JSON.stringify(mail.data);
  return db.all<Woken>(
    sql`insert into pending_mails (id, project_id, subscriber_id, template_id, template_name, is_public, data, due_at, created_at)
      select ${id}, ${projectId}, ${subscriberId}, ${templateId}, ${templateName}, ${isPublic ? 1 : 0}, ${data}, ${dueAt}, ${createdAt}
      where exists (select 1 from subscribers where id = ${subscriberId} and project_id = ${projectId}) and ${when}
      on conflict do nothing returning project_id as "projectId"`,
  );
}

/**
 * Stores the confirmation mails of subscribers just added: a JSON list of `{id, mailId}`. Ids that
 * were not added are ignored.
 */
export function insertConfirmations(db: Database, projectId: string, asked: string, now: number) {
  return db.run(
    sql`insert into pending_mails (id, project_id, subscriber_id, is_public, data, due_at, created_at)
      select r.value ->> 'mailId', ${projectId}, s.id, 0, '{"confirm":"none"}', ${now}, ${now}
      from json_each(${asked}) r
      cross join subscribers s on s.id = r.value ->> 'id' and s.project_id = ${projectId}`,
  );
}

/**
 * Counts an attempt at a mail and postpones its due time by a backoff that depends on the number of
 * attempts. Returns the row if the mail is still pending.
 */
export function beginAttempt(db: Database, id: string, now: number, backoffMs: readonly number[]) {
  const waits = JSON.stringify(backoffMs);
  const wait = sql`coalesce(json_extract(${waits}, '$[' || attempts || ']'), json_extract(${waits}, '$[#-1]'))`;
  return db
    .update(pendingMails)
    .set({ attempts: sql`attempts + 1`, dueAt: sql`cast(${now} + ${wait} as integer)` })
    .where(eq(pendingMails.id, id))
    .returning();
}

/** Selects the pending mails of a project that are due first. */
export function selectDueMails(db: Database, projectId: string, limit: number) {
  return db.all<{ id: string; dueAt: number }>(
    sql`select id, due_at as "dueAt" from pending_mails where project_id = ${projectId}
      order by due_at limit ${limit}`,
  );
}

/** Selects projects with mails that are due. Rows read: a few of each project with pending mails. */
export function selectDueProjects(db: Database, now: number, limit: number) {
  return db.all<{ projectId: string }>(
    sql`with recursive waiting (project_id) as (
        select min(project_id) from pending_mails
        union all
        select (select min(project_id) from pending_mails where project_id > waiting.project_id)
        from waiting where waiting.project_id is not null)
      select project_id as "projectId" from waiting where exists (
        select 1 from pending_mails o where o.project_id = waiting.project_id and o.due_at <= ${now})
      limit ${limit}`,
  );
}

/**
 * Postpones a mail without an actual attempt until `dueAt`. The attempt does not count, but the
 * count stays at least `attemptsMin`. The mail's lifetime restarts when it is due.
 */
export function postponePendingMail(
  db: Database,
  id: string,
  { dueAt, attemptsMin }: { dueAt: number; attemptsMin: number },
) {
  return db
    .update(pendingMails)
    .set({ attempts: sql`max(attempts - 1, ${attemptsMin})`, dueAt, createdAt: dueAt })
    .where(eq(pendingMails.id, id));
}

/**
 * Selects the pending mails to a subscriber, except scheduled ones. Rows read: the pending mails of
 * the project.
 */
export function selectPendingTo(db: Database, projectId: string, subscriberId: string) {
  const { templateId, templateName } = pendingMails;
  return db
    .select({ templateId, templateName })
    .from(pendingMails)
    .where(
      and(
        eq(pendingMails.projectId, projectId),
        eq(pendingMails.subscriberId, subscriberId),
        ne(pendingMails.kind, "scheduled"),
      ),
    );
}

/** Moves a pending service mail to another project. */
export function movePendingMail(db: Database, id: string, projectId: string) {
  return db.update(pendingMails).set({ projectId }).where(eq(pendingMails.id, id));
}

/**
 * Changes the id of a pending mail. The next attempt keeps the due time that `beginAttempt` set.
 */
export function renewPendingMail(db: Database, id: string, newId: string) {
  return db.update(pendingMails).set({ id: newId }).where(eq(pendingMails.id, id));
}

export function deletePendingMail(db: Database, id: string) {
  return db.delete(pendingMails).where(eq(pendingMails.id, id));
}
