import type { AudienceField, DraftFields } from "./draft-fields.ts";

/** Option for content without a template. */
export const NO_TEMPLATE = "own";

type NewFields = Pick<DraftFields, "name" | "template_id" | AudienceField>;

/** Template and audience from the URL. */
interface NamedParts {
  template_id?: string | undefined;
  topic_id?: string | undefined;
  segment_id?: string | undefined;
  tag?: string | undefined;
}

/** Returns the initial fields of a new draft from the URL. */
export const newFields = ({ template_id, topic_id, segment_id, tag }: NamedParts): NewFields => ({
  name: "",
  template_id: template_id ?? "",
  topic_id: topic_id ?? "",
  segment_id: segment_id ?? "",
  where: tag === undefined ? "" : `tag:${quoted(tag)}`,
  exclude_segment_ids: [],
});

/** Quotes a value of a condition unless it is a plain word (API reference §12.9). */
const quoted = (value: string): string =>
  /^\w+$/.test(value) ? value : `"${value.replace(/["\\]/g, String.raw`\$&`)}"`;
