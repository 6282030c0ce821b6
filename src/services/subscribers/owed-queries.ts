import { eq, sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { owedMails } from "../../db/schema/index.ts";

export type OwedMail = typeof owedMails.$inferSelect;

/** A new debt before its insert. */
export type NewOwedMail = Pick<
  OwedMail,
  "id" | "subscriberId" | "templateId" | "templateName" | "isPublic" | "dueAt" | "createdAt"
>;

/** Owes a mail to an existing subscriber; it goes after the insert in the same batch. */
export function insertOwedMail(db: Database, projectId: string, mail: NewOwedMail) {
  const { id, subscriberId, templateId, templateName, isPublic, dueAt, createdAt } = mail;
  return db.run(
    sql`insert into owed_mails (id, project_id, subscriber_id, template_id, template_name, is_public, due_at, created_at)
      select ${id}, ${projectId}, ${subscriberId}, ${templateId}, ${templateName}, ${isPublic ? 1 : 0}, ${dueAt}, ${createdAt}
      where exists (select 1 from subscribers where id = ${subscriberId} and project_id = ${projectId})`,
  );
}

/**
 * Counts an attempt at a mail and moves its due time on, by the number of attempts; returns the row
 * if the service still owes the mail.
 */
export function beginAttempt(db: Database, id: string, now: number, backoffMs: readonly number[]) {
  const waits = JSON.stringify(backoffMs);
  const wait = sql`coalesce(json_extract(${waits}, '$[' || attempts || ']'), json_extract(${waits}, '$[#-1]'))`;
  return db
    .update(owedMails)
    .set({ attempts: sql`attempts + 1`, dueAt: sql`cast(${now} + ${wait} as integer)` })
    .where(eq(owedMails.id, id))
    .returning();
}

/**
 * Returns the ids of owed mails that are due, and makes them due again only after another grace.
 * Projects take turns, and the oldest debts of each come first. So a project with thousands of
 * debts delays no other.
 */
export function takeDueMails(
  db: Database,
  now: number,
  graceMs: number,
  { ofProject, inAll }: { ofProject: number; inAll: number },
) {
  const due = sql`with recursive owing (project_id) as (
      select min(project_id) from owed_mails
      union all
      select (select min(project_id) from owed_mails where project_id > owing.project_id)
      from owing where owing.project_id is not null
    ), due as (
      select id, due_at, row_number() over (partition by project_id order by due_at) as turn
      from owed_mails where id in (
        select o.id from owing cross join owed_mails o
        where o.project_id = owing.project_id and o.id in (
          select id from owed_mails where project_id = owing.project_id and due_at <= ${now}
          order by due_at limit ${ofProject})))
    select id from due order by turn, due_at limit ${inAll}`;
  return db
    .update(owedMails)
    .set({ dueAt: now + graceMs })
    .where(sql`id in (${due})`)
    .returning({ id: owedMails.id });
}

/**
 * Postpones a mail without an actual attempt until `dueAt`. The attempt does not count, and the
 * time until the service gives the mail up starts again.
 */
export function postponeOwedMail(db: Database, id: string, now: number, dueAt: number) {
  return db
    .update(owedMails)
    .set({ attempts: sql`attempts - 1`, dueAt, createdAt: now })
    .where(eq(owedMails.id, id));
}

/** Moves a debt to another id; the next attempt keeps the due time that `beginAttempt` set. */
export function renewOwedMail(db: Database, id: string, newId: string) {
  return db.update(owedMails).set({ id: newId }).where(eq(owedMails.id, id));
}

export function deleteOwedMail(db: Database, id: string) {
  return db.delete(owedMails).where(eq(owedMails.id, id));
}
