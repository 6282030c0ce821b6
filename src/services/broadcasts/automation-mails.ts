import { sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";
import { randomToken } from "../../lib/random-token.ts";
import { shareSubject } from "../email-log/index.ts";
import { columnsOf, EMPTY_DRAFT } from "./drafts/draft-input.ts";
import { AFTER_IDS } from "./plan-queries.ts";
import type { BroadcastRow } from "./queries.ts";

/** They have what drafts have: an auto-pause, and links to the preferences. */
const { plan: PLAN } = columnsOf(EMPTY_DRAFT, null);

/** The mail of a send step in a version of an automation. */
export interface AutomationMail extends Pick<
  BroadcastRow,
  | "id"
  | "projectId"
  | "name"
  | "templateId"
  | "subject"
  | "htmlBody"
  | "textBody"
  | "preheader"
  | "tracking"
  | "status"
  | "topicId"
  | "createdAt"
> {
  automationId: string;
  automationVersion: number;
  stepId: string;
  state: "sending" | "paused";
}

/**
 * Returns the statements that freeze the mail of a step if `when` is true: a broadcast without an
 * audience of its own, which never ends. The moves of the automation add its chunks.
 */
export const freezeAutomationMail = (
  db: Database,
  mail: AutomationMail,
  when: SQL,
): Statement[] => [
  db.run(
    sql`insert into broadcasts (id, project_id, kind, state, name, template_id, subject, html_body, text_body, preheader,
        tracking, status, topic_id, plan, variables, log_key, cutoff_id, planned_id, plan_due_at, created_at,
        automation_id, automation_version, step_id)
      select ${mail.id}, ${mail.projectId}, 'automation', ${mail.state}, ${mail.name}, ${mail.templateId}, ${mail.subject},
        ${mail.htmlBody}, ${mail.textBody}, ${mail.preheader}, ${JSON.stringify(mail.tracking)}, ${mail.status}, ${mail.topicId},
        ${JSON.stringify(PLAN)}, '{}', ${randomToken()}, ${AFTER_IDS}, ${AFTER_IDS}, ${mail.createdAt}, ${mail.createdAt},
        ${mail.automationId}, ${mail.automationVersion}, ${mail.stepId}
      where ${when}`,
  ),
  shareSubject(db, mail, when),
];

/** Forgets what has paused the mails: whoever resumes has fixed the cause. */
const RESUMED = sql`, reasons = null, resumptions = resumptions + 1, complaints = 0,
  earlier_complaints = earlier_complaints + complaints`;

/** Moves the mails of an automation from one state to another if `when` is true. */
export const moveAutomationMails = (
  db: Database,
  automationId: string,
  { from, to }: { from: "sending" | "paused"; to: "sending" | "paused" },
  when: SQL,
) =>
  db.run(
    sql`update broadcasts set state = ${to}${to === "sending" ? RESUMED : sql``}
      where automation_id = ${automationId} and state = ${from} and ${when}`,
  );

/**
 * Returns the statements that end the mails of an automation if `when` is true: they drop the mails
 * that no server has got yet.
 */
export function cancelAutomationMails(
  db: Database,
  automationId: string,
  now: number,
  when: SQL,
): Statement[] {
  const waiting = sql`from broadcast_chunks where broadcast_id = broadcasts.id and state = 'pending'`;
  const cancelled = sql`automation_id = ${automationId} and state = 'cancelled' and finished_at = ${now}`;
  return [
    db.run(
      sql`update broadcasts set state = 'cancelled', finished_at = ${now}
        where automation_id = ${automationId} and state in ('sending', 'paused') and ${when}`,
    ),
    db.run(
      sql`update broadcasts set (sent, failed, bounced, suppressed, unknown) =
          (select broadcasts.sent + coalesce(sum(sent), 0), broadcasts.failed + coalesce(sum(failed), 0),
            broadcasts.bounced + coalesce(sum(bounced), 0), broadcasts.suppressed + coalesce(sum(suppressed), 0),
            broadcasts.unknown + coalesce(sum(unknown), 0) ${waiting})
        where ${cancelled}`,
    ),
    db.run(
      sql`delete from broadcast_chunks where state = 'pending'
        and broadcast_id in (select id from broadcasts where ${cancelled})`,
    ),
  ];
}
