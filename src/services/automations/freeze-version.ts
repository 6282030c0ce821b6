import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Statement } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { allSteps } from "../../lib/automation-steps.ts";
import { freezeAutomationMail } from "../broadcasts/index.ts";
import type { AutomationRow } from "./automation-queries.ts";
import { mailOf } from "./mail-of-step.ts";
import type { DefinitionFacts } from "./read-facts.ts";

/** A version of an automation that people enter. */
export type LiveVersion = Pick<
  AutomationRow,
  "id" | "projectId" | "name" | "version" | "definition"
> & { state: "active" | "paused" };

/**
 * Returns the statements that keep a version if `when` is true, with the content of its mails: later
 * changes of a template do not affect it.
 */
export function freezeVersion(
  { db, newId, now }: Deps,
  { id, projectId, name, version, definition, state }: LiveVersion,
  { templates }: DefinitionFacts,
  when: SQL,
): Statement[] {
  const at = now();
  const mails = allSteps(definition).flatMap(({ step }) => {
    if (step.type !== "send") return [];
    const template = step.template_id === undefined ? undefined : templates.get(step.template_id);
    const { subject, htmlBody, textBody, preheader, tracking } = mailOf(step, template);
    const content = { subject, htmlBody, textBody, preheader, tracking };
    const mail = {
      id: newId(),
      projectId,
      name,
      templateId: template?.id ?? null,
      ...content,
      status: step.to ?? ("active" as const),
      topicId: step.topic_id ?? null,
      createdAt: at,
      automationId: id,
      automationVersion: version,
      stepId: step.id,
      state: state === "active" ? ("sending" as const) : ("paused" as const),
    };
    return freezeAutomationMail(db, mail, when);
  });
  return [
    db.run(
      sql`insert into automation_versions (automation_id, version, project_id, definition, created_at)
        select ${id}, ${version}, ${projectId}, ${JSON.stringify(definition)}, ${at} where ${when}`,
    ),
    ...mails,
  ];
}
