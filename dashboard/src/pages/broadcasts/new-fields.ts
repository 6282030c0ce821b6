import type { AudienceField, DraftFields } from "./draft-fields.ts";

/** The choice of a content without a template. */
export const NO_TEMPLATE = "own";

type NewFields = Pick<DraftFields, "name" | "template_id" | AudienceField>;

/** The template and the audience that an address names. */
interface NamedParts {
  template_id?: string | undefined;
  topic_id?: string | undefined;
  segment_id?: string | undefined;
  tag?: string | undefined;
}

/** Returns the fields of a new draft as its address fills them. */
export const newFields = ({ template_id, topic_id, segment_id, tag }: NamedParts): NewFields => ({
  name: "",
  template_id: template_id ?? "",
  topic_id: topic_id ?? "",
  segment_id: segment_id ?? "",
  where: tag === undefined ? "" : `tag:${quoted(tag)}`,
  exclude_segment_ids: [],
});

/** Returns a value of a condition, in quotes unless it is one plain word (API reference §12.9). */
const quoted = (value: string): string =>
  /^\w+$/.test(value) ? value : `"${value.replace(/["\\]/g, String.raw`\$&`)}"`;
