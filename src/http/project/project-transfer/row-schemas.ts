import { z } from "zod";
import {
  BROADCAST_STATES,
  CONSENT_ACTIONS,
  CONSENT_STATES,
  CONSENT_WAYS,
  LOG_STATUSES,
  SUBSCRIBER_STATUSES,
  SUPPRESSION_REASONS,
} from "../../../db/schema/index.ts";
import { MOST_TAGS } from "../../../lib/tag.ts";
import type { Kind } from "../../../services/project-transfer/index.ts";
import { metadataField, nameField, personField, uuidField } from "../../fields.ts";
import { importedSettings } from "../audience-settings.ts";
import { tagsField } from "../send-extras.ts";
import { topicNameField } from "../topics.ts";
import { draftPlan, plan, storedMails, trialPlan } from "./plan-fields.ts";
import {
  time,
  count,
  flag,
  text,
  body,
  ulid,
  line,
  email,
  tag,
  condition,
  templateBodies,
  templateLine,
  templateTexts,
  entry,
  known,
  storedMessage,
} from "./row-fields.ts";
import { fault } from "../../fault.ts";

/*
 * Rows of an export. The file may have been edited by hand, so each value follows the rules of the
 * API call that usually writes it. Unknown fields, such as those of a later version, are rejected.
 */

/** Schema of a row by the kind of its file. */
export const ROW_SCHEMAS: Record<Kind, z.ZodType<Record<string, unknown>>> = {
  templates: z.strictObject({
    id: uuidField,
    ...templateTexts,
    created_at: time,
    updated_at: time,
    is_public: flag,
  }),
  template_versions: z.strictObject({
    template_id: uuidField,
    id: z.union([uuidField, ulid]),
    saved_at: time,
    ...templateTexts,
  }),
  topics: z.strictObject({
    id: uuidField,
    name: topicNameField,
    description: text(2_000),
    created_at: time,
    updated_at: time,
  }),
  subscribers: z
    .strictObject({
      id: uuidField,
      email,
      name: personField,
      status: z.enum(SUBSCRIBER_STATUSES),
      metadata: metadataField,
      source: text(8_192),
      subscribed_at: time,
      unsubscribed_at: time.nullable(),
      created_at: time,
      updated_at: time,
      status_before: z.enum(SUBSCRIBER_STATUSES).nullable(),
      left_by: uuidField.nullable(),
      tags: z.array(tag).max(MOST_TAGS),
      last_opened_at: time.nullable(),
      last_clicked_at: time.nullable(),
    })
    .transform((row) => {
      const { source } = row.metadata;
      return { ...row, source: typeof source === "string" ? source : "" };
    }),
  topic_consents: z.strictObject({
    topic_id: uuidField,
    subscriber_id: uuidField,
    state: z.enum(CONSENT_STATES),
    since: time,
    by: z.enum(CONSENT_WAYS),
  }),
  consent_events: z.strictObject({
    subscriber_id: uuidField,
    id: ulid,
    topic_id: uuidField.nullable(),
    topic_name: text(200).nullable(),
    action: z.enum(CONSENT_ACTIONS),
    by: z.enum(CONSENT_WAYS),
    at: time,
    ip_address: text(64),
    user_agent: text(500),
    form_text: text(1_000),
  }),
  suppressions: z.strictObject({
    id: ulid,
    email,
    reason: z.enum(SUPPRESSION_REASONS),
    source: text(255),
    created_at: time,
    last_seen_at: time,
  }),
  segments: z.strictObject({
    id: uuidField,
    name: nameField,
    condition,
    created_at: time,
    updated_at: time,
  }),
  broadcasts: z.strictObject({
    id: uuidField,
    template_id: uuidField.nullable(),
    subject: line,
    html_body: body,
    text_body: body,
    status: z.enum(SUBSCRIBER_STATUSES),
    source: text(8_192).nullable(),
    // A broadcast in progress elsewhere is never resumed here, which could send duplicates.
    state: z.enum(BROADCAST_STATES).transform((state) => (state === "done" ? state : "cancelled")),
    log_key: text(200),
    cutoff_id: text(64),
    planned_id: text(64),
    sent: count,
    failed: count,
    bounced: count,
    suppressed: count,
    unknown: count,
    total: count.nullable(),
    reasons: z.array(storedMessage).max(10).nullable(),
    created_at: time,
    finished_at: time.nullable(),
    name: personField, // the key-based API sets none
    topic_id: uuidField.nullable(),
    audience_where: text(20_000).nullable(),
  }),
  drafts: z.strictObject({
    id: uuidField,
    template_id: known,
    subject: templateLine,
    ...templateBodies,
    status: z.enum(SUBSCRIBER_STATUSES),
    name: personField,
    topic_id: known,
    variables: metadataField.nullable(),
    plan: draftPlan,
    per_hour: storedMails,
    from_id: text(64),
    created_at: time,
    drafted_at: time.nullable(),
    updated_at: time,
  }),
  broadcast_variants: z.strictObject({
    broadcast_id: uuidField,
    n: z.int().min(0).max(4),
    template_id: known,
    subject: line,
    from_name: personField.nullable(),
    html_body: body,
    text_body: body,
  }),
  mailings: z
    .strictObject({
      at: time,
      first_id: uuidField,
      last_id: uuidField,
      ids: z.array(uuidField).min(1),
    })
    .transform(({ at, ids }) => {
      const sorted = ids.toSorted();
      return { at, first_id: sorted[0], last_id: sorted.at(-1), ids: sorted };
    }),
  retries: z.strictObject({ id: uuidField, retried_by: uuidField }),
  plans: z.strictObject({
    id: uuidField,
    plan: plan.nullable(),
    variables: metadataField.nullable(),
    per_hour: storedMails,
    from_id: text(64),
    where_at: time,
    send_at: time.nullable(),
    drafted_at: time.nullable(),
    updated_at: time,
  }),
  trials: z
    .strictObject({
      id: uuidField,
      plan: trialPlan,
      variables: metadataField.nullable(),
      winner: z.int().min(0).nullable(),
      trial: z.array(z.strictObject({ mailed: count, opened: count, clicked: count })),
    })
    .refine(
      ({ plan: { ab }, trial, winner }) =>
        trial.length === ab.variants.length && (winner ?? 0) < trial.length,
      fault("invalid"),
    ),
  email_log: z.strictObject({
    id: uuidField,
    subscriber_id: uuidField.nullable(),
    template_id: uuidField.nullable(),
    broadcast_id: uuidField.nullable(),
    to_email: text(320),
    subject: text(2_000),
    status: z.enum(LOG_STATUSES),
    error: text(10_000).nullable(),
    reason: text(64).nullable(),
    tags: tagsField.nullable(),
    copies: z.array(z.strictObject({ ...entry, reason: text(64).optional() })).nullable(),
    sent_at: time,
    opened_at: time.nullable(),
    clicked_at: time.nullable(),
    opened_class: text(20).nullable(),
    opened_user_agent: text(2_000).nullable(),
    opened_ip: text(64).nullable(),
    via_fallback: flag.nullable(),
    queue_id: text(1_000).nullable(),
    earlier: z
      .array(
        z.strictObject({ at: time, error: text(10_000), viaFallback: z.literal(true).optional() }),
      )
      .nullable(),
  }),
};

/** Fields of `project.json` that an import applies. */
export const settings = z.object({ audience_settings: importedSettings.nullish() });
