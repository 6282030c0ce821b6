import type { Deps } from "../../../deps.ts";
import { sql } from "drizzle-orm";
import { runBatch, type Database } from "../../../db/client.ts";
import { invalidField, notFound } from "../../../errors.ts";
import { faultOf } from "../../../messages/faults.ts";
import { requireKnownTopics, selectUnknownTopics, topicsOf } from "../../segments/index.ts";
import { checkTemplate, selectTemplate } from "../../templates/index.ts";
import type { ProjectRow } from "../../access/index.ts";
import type { DraftInput, DraftRow } from "./draft-input.ts";
import { freezeAudience, parseWhere } from "./freeze-audience.ts";

/**
 * Validates a draft that may be incomplete: its parts parse, and everything that it references
 * belongs to the project. `topicNames` are the topics in a new condition. An older condition may
 * have lost its topic, which the pre-flight reports. Throws 400 and not_found.
 */
export async function checkDraft(
  deps: Deps,
  project: ProjectRow,
  input: DraftInput,
  topicNames: string[],
): Promise<void> {
  const { id: projectId } = project;
  const { templateId, subject, htmlBody, textBody, topicId, ab, timeZone } = input;
  const previewText = input.previewText ?? "";
  checkTemplate({ subject: subject ?? "", previewText, htmlBody, textBody });
  if (templateId !== null && (htmlBody !== "" || textBody !== ""))
    throw invalidField(
      htmlBody === "" ? "text_body" : "html_body",
      faultOf("not_with", { field: "template_id" }),
    );
  if (ab !== null && timeZone !== null) throw invalidField("ab", faultOf("ab_test_with_time_zone"));
  for (const variant of ab?.variants ?? []) checkTemplate({ subject: variant.subject ?? "" });
  const named = [templateId, ...(ab?.variants ?? []).map((variant) => variant.templateId)];
  const ids = [...new Set(named.filter((id) => id !== null))];
  const { db } = deps;
  const [topics, unknown, ...templates] = await runBatch(db, [
    selectTopicOf(db, projectId, topicId),
    selectUnknownTopics(db, projectId, topicNames),
    ...ids.map((id) => selectTemplate(db, projectId, id)),
  ]);
  if (topicId !== null && topics.length === 0) throw notFound("topic");
  if (templates.some((rows) => rows.length === 0)) throw notFound("template");
  requireKnownTopics(unknown);
  await freezeAudience(deps, project, input);
}

/** Returns the topics in the condition of a change. Throws 400. */
export const namedIn = ({ where }: Partial<DraftInput>): string[] =>
  where === null || where === undefined ? [] : topicsOf(parseWhere(where));

/**
 * Throws 400 for a draft with an A/B test or time zones whose audience is those who did not open
 * another broadcast. Such a draft must reach its audience all at once.
 */
export function requireOneMoment(
  { plan: { resend } }: DraftRow,
  { ab, timeZone }: DraftInput,
): void {
  if (resend?.to === "not_opened" && (ab !== null || timeZone !== null))
    throw invalidField(ab === null ? "time_zone" : "ab", faultOf("not_to_unopened"));
}

/** Selects the topic of a draft; nothing for null. */
const selectTopicOf = (db: Database, projectId: string, id: string | null) =>
  db.all<{ id: string }>(sql`select id from topics where id = ${id} and project_id = ${projectId}`);
