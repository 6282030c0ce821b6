import type { Broadcast } from "./states.ts";

/** Content and audience of a new draft, from the URL. */
interface NamedParts {
  template_id?: string | undefined;
  topic_id?: string | undefined;
  segment_id?: string | undefined;
  tag?: string | undefined;
  where?: string | undefined;
}

/** Returns a draft that is not stored yet; it has no id. */
export const newDraft = (projectId: string, named: NamedParts, html: string): Broadcast => ({
  id: "",
  project_id: projectId,
  name: "",
  template_id: named.template_id ?? null,
  subject: "",
  own_subject: null,
  preview_text: null,
  from_name: null,
  reply_to: null,
  html_body: named.template_id === undefined ? html : "",
  text_body: "",
  topic_id: named.topic_id ?? null,
  segment_id: named.segment_id ?? null,
  where: named.where ?? (named.tag === undefined ? null : `tag:${quoted(named.tag)}`),
  exclude_segment_ids: [],
  audience: null,
  variables: {},
  send_at: null,
  time_zone: null,
  max_delay_minutes: null,
  per_hour: null,
  warm_up: null,
  ab: null,
  tracking: {},
  utm: {},
  resend: null,
  state: "draft",
  sent: 0,
  failed: 0,
  bounced: 0,
  suppressed: 0,
  error: null,
  reasons: null,
  created_at: "",
  updated_at: null,
  starts_at: null,
  finished_at: null,
  waiting_for: null,
});

export const isNew = ({ id }: Broadcast): boolean => id === "";

/** Quotes a value of a condition unless it is a plain word (API reference §12.9). */
const quoted = (value: string): string =>
  /^\w+$/.test(value) ? value : `"${value.replace(/["\\]/g, String.raw`\$&`)}"`;
