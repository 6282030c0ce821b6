import { z } from "zod";
import type { ImportRow } from "../../services/subscribers/index.ts";
import { emailField, metadataField, rowNameField } from "../fields.ts";
import { fault } from "../fault.ts";
import { topicsField } from "../topics-field.ts";
import { statusField } from "./subscriber-answer.ts";
import { tagsField } from "./tag-fields.ts";
import { changeOf } from "../in-code.ts";

/** Fields of a subscriber that callers write (db/subscriber-columns.ts). */
const fields = {
  email: emailField,
  name: rowNameField,
  status: statusField,
  metadata: metadataField,
  tags: tagsField,
};

export const createBody = z.object({
  ...fields,
  name: fields.name.default(""),
  status: fields.status.default("active"),
  metadata: fields.metadata.default({}),
  topics: topicsField.optional(),
  tags: fields.tags.default([]),
});

export const patchBody = changeOf(z.object(fields));

/**
 * A row of an import. A missing or non-text email rejects only its row, as an invalid address or an
 * unknown status does. Null counts as omitted.
 */
export const importRow = z.object(
  {
    email: z.string().catch(""),
    name: fields.name.nullish().transform((name) => name ?? ""),
    status: z
      .string()
      .transform((text) => text.trim().toLowerCase())
      .pipe(statusField)
      .nullish()
      .transform((status): ImportRow["status"] => status ?? "active")
      .catch("invalid"),
    metadata: fields.metadata.nullish().transform((metadata) => metadata ?? {}),
    tags: fields.tags.nullish().transform((tags) => tags ?? []),
    topics: topicsField.nullish().transform((topics) => topics ?? undefined),
  },
  { error: fault("invalid_type", { expected: "an object" }) },
);
