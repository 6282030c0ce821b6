import { z } from "zod";
import { LOG_STATUSES } from "../../../db/schema/index.ts";
import type { Definition } from "../../../lib/automation-definition.ts";
import { MOST_TAGS } from "../../../lib/tag.ts";
import { columnsOf } from "../../../services/automations/index.ts";
import {
  columnsOf as columnsOfKind,
  KINDS,
  type Kind,
  type MovedRow,
} from "../../../services/project-transfer/index.ts";
import { metadataField, nameField, personField, uuidField } from "../../fields.ts";
import { storedDefinition } from "../automation-body.ts";
import { eventDataField, eventNameField } from "../event-body.ts";
import { formContentField } from "../form-fields.ts";
import { blockField } from "../saved-blocks.ts";
import { tagsField } from "../send-extras.ts";
import { choicesField } from "../subscriber-fields.ts";
import { trackingField } from "../tracking-fields.ts";
import { topicNameField } from "../topics.ts";
import { plan, storedMails } from "./plan-fields.ts";
import {
  condition,
  count,
  email,
  fieldOf,
  tag,
  template,
  text,
  time,
  trackedContent,
  ulid,
} from "./row-fields.ts";

/*
 * Rows of an export. The file may have been edited by hand, so each value follows the rules of the
 * API call that usually writes it. Unknown fields, such as those of a later version, are rejected.
 */

type Fields = Record<string, z.ZodType>;

const position = text(64);

/** A stored message, such as a broadcast's reason. */
const message = z.strictObject({
  code: text(64),
  params: z.record(z.string(), z.unknown()).optional(),
  message: text(10_000),
});

const attempt = z.strictObject({
  at: time,
  error: text(10_000),
  viaFallback: z.literal(true).optional(),
});

const copy = z.strictObject({
  email: text(320),
  status: text(20),
  error: text(10_000),
  reason: text(64).optional(),
});

/** Fields of a broadcast that nothing waits for. */
const AT_REST = {
  plan_due_at: 0,
  canary_due_at: 0,
  decides_at: 0,
  waiting_for: null,
  automation_id: null,
  automation_version: null,
  step_id: null,
};

/** Fields of an automation that nobody has entered. */
const UNSTARTED = {
  state: "draft",
  version: 1,
  reasons: null,
  looked_at: 0,
  started_at: null,
};

/** Returns rules that accept anything: a transform sets these fields. */
const unchecked = (fields: object): Fields =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, z.unknown()]));

/** Fields that need more than the type of their column. */
const RULES: Partial<Record<Kind, Fields>> = {
  suppressions: { id: ulid, email },
  topics: { name: topicNameField },
  consent_events: { id: ulid },
  templates: { ...template, tracking: trackingField },
  template_versions: { ...template, id: z.union([uuidField, ulid]) },
  saved_blocks: { name: nameField, block: blockField },
  subscribers: {
    email,
    name: personField,
    metadata: metadataField,
    tags: z.array(tag).max(MOST_TAGS),
  },
  imports: { name: nameField, imported: count, existing: count },
  segments: { name: nameField, condition },
  fields: { key: nameField, label: nameField, choices: choicesField },
  forms: { name: nameField, content: formContentField },
  automations: {
    name: nameField,
    definition: storedDefinition,
    ...unchecked({
      ...UNSTARTED,
      trigger_type: "",
      trigger_key: "",
      reentry_ms: 0,
    }),
  },
  broadcasts: {
    ...trackedContent,
    name: personField, // the key-based API sets none
    cutoff_id: position,
    planned_id: position,
    from_id: position,
    kind: z.enum(["broadcast", "draft"]),
    reasons: z.array(message).max(10),
    plan,
    variables: metadataField,
    per_hour: storedMails,
    variant_outcomes: z
      .array(z.strictObject({ mailed: count, opened: count, clicked: count }))
      .max(5),
    winner: count.max(4),
    ...unchecked(AT_REST),
  },
  broadcast_variants: { ...trackedContent, n: count.max(4), from_name: personField },
  mailings: { ids: z.array(uuidField).min(1) },
  events: { ...unchecked({ seq: 0 }), name: eventNameField, data: eventDataField },
  email_log: {
    queue_id: text(1_000),
    status: z.enum(LOG_STATUSES),
    tags: tagsField,
    copies: z.array(copy),
    earlier: z.array(attempt),
    returned: z.strictObject({ at: time, by: z.enum(["imap", "email", "ingest"]) }),
  },
};

/**
 * Returns a broadcast that sends nothing by itself: one that was in progress at the export is
 * cancelled, because resuming it could send duplicates, and a scheduled one is a draft again.
 */
function atRest(row: MovedRow): MovedRow {
  const { kind, state, created_at, finished_at } = row;
  const ended = {
    state: state === "done" ? state : "cancelled",
    finished_at: finished_at ?? created_at,
  };
  return {
    ...row,
    ...(kind === "draft" ? { state: "draft", send_at: null } : ended),
    ...AT_REST,
  };
}

/** Returns an automation as a draft, whose other fields follow from its definition. */
function unstarted(row: MovedRow): MovedRow {
  const definition = row["definition"] as Definition; // by the rule of the field
  const { triggerType, triggerKey, reentryMs } = columnsOf(String(row["id"]), definition);
  return {
    ...row,
    ...UNSTARTED,
    trigger_type: triggerType,
    trigger_key: triggerKey,
    reentry_ms: reentryMs,
  };
}

const TRANSFORMS: Partial<Record<Kind, (row: MovedRow) => MovedRow>> = {
  automations: unstarted,
  broadcasts: atRest,
};

function schemaOf(kind: Kind): z.ZodType<MovedRow> {
  const fields = Object.entries(columnsOfKind(kind)).map(
    ([name, column]) => [name, fieldOf(name, column, RULES[kind]?.[name])] as const,
  );
  const row = z.strictObject(Object.fromEntries(fields));
  const transform = TRANSFORMS[kind];
  return transform ? row.transform(transform) : row;
}

/** Schema of a row by its kind. */
export const ROW_SCHEMAS = Object.fromEntries(
  KINDS.map((kind) => [kind, schemaOf(kind)]),
) as Record<Kind, z.ZodType<MovedRow>>;
