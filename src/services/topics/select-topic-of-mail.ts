import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { consentCondition } from "./consent-queries.ts";

/** A topic with one recipient of its mail, whose fields are null for nobody. */
export interface TopicRecipient {
  id: string;
  name: string;
  email: string | null;
  subscriberId: string | null;
  /** 1 if the address may get mail of the topic. */
  consents: number;
}

/**
 * Selects a topic of the project, once for each address of `emails`, a query with the column `email`.
 * A subscriber gets its mail as that of a broadcast: if active, with a consent. Any other address
 * gets it if new subscribers get the topic.
 */
export const selectTopicOfMail = (
  db: Database,
  projectId: string | SQL,
  topicId: string,
  emails: SQL,
) =>
  db.all<TopicRecipient>(
    sql`select t.id, t.name, mail.email, subscribers.id as "subscriberId",
        iif(subscribers.id is null, t.is_default,
          subscribers.status = 'active' and ${consentCondition(topicId)}) as consents
      from topics t left join (${emails}) mail
        left join subscribers on subscribers.project_id = t.project_id and subscribers.email = mail.email
      where t.id = ${topicId} and t.project_id = ${projectId}`,
  );
