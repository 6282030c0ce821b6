import { eq, sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { owedMails } from "../../db/schema/index.ts";

export type OwedMail = typeof owedMails.$inferSelect;

/** A mail about to be owed. */
export type NewOwedMail = Pick<
  OwedMail,
  "id" | "subscriberId" | "templateId" | "templateName" | "dueAt" | "createdAt"
>;

/** Owes a mail to a subscriber that is there: it goes after the insert in the same batch. */
export function insertOwedMail(db: Database, projectId: string, mail: NewOwedMail) {
  const { id, subscriberId, templateId, templateName, dueAt, createdAt } = mail;
  return db.run(
    sql`insert into owed_mails (id, project_id, subscriber_id, template_id, template_name, due_at, created_at)
      select ${id}, ${projectId}, ${subscriberId}, ${templateId}, ${templateName}, ${dueAt}, ${createdAt}
      where exists (select 1 from subscribers where id = ${subscriberId} and project_id = ${projectId})`,
  );
}

/** Counts an attempt at a mail and moves its due time on, by how many there were: the row if it is still owed. */
export function beginAttempt(db: Database, id: string, now: number, backoffMs: readonly number[]) {
  const waits = JSON.stringify(backoffMs);
  const wait = sql`coalesce(json_extract(${waits}, '$[' || attempts || ']'), json_extract(${waits}, '$[#-1]'))`;
  return db
    .update(owedMails)
    .set({ attempts: sql`attempts + 1`, dueAt: sql`cast(${now} + ${wait} as integer)` })
    .where(eq(owedMails.id, id))
    .returning();
}

/** Owed mails that are due, and not again before another grace is over: their ids. */
export function takeDueMails(db: Database, now: number, graceMs: number, limit: number) {
  const due = sql`select id from owed_mails where due_at <= ${now} order by due_at limit ${limit}`;
  return db
    .update(owedMails)
    .set({ dueAt: now + graceMs })
    .where(sql`id in (${due})`)
    .returning({ id: owedMails.id });
}

/** Owes a mail on under another id; its next attempt stays due when `beginAttempt` said. */
export function renewOwedMail(db: Database, id: string, newId: string) {
  return db.update(owedMails).set({ id: newId }).where(eq(owedMails.id, id));
}

export function deleteOwedMail(db: Database, id: string) {
  return db.delete(owedMails).where(eq(owedMails.id, id));
}
