import { knowsZone, momentOf, readersZone, wallClockOf } from "../../lib/wall-clock.ts";
import type { Client } from "../../../../client/src/index.ts";
import type { Broadcast } from "./states.ts";
import { valuesOf, variablesOf, type Variable } from "./variables.ts";

type DraftBody = NonNullable<Parameters<Client["projects"]["broadcasts"]["update"]>[0]["body"]>;
export type TrialMetric = NonNullable<Broadcast["ab"]>["by"];

/** A variant of an A/B test; an empty text stands for the broadcast's own. */
export interface Variant {
  subject: string;
  from_name: string;
  template_id: string;
}

/** An A/B test; without variants there is none. */
export interface Trial {
  variants: Variant[];
  share: number;
  wait_hours: number;
  by: TrialMetric;
}

/** A draft as its form holds it. An empty text and 0 stand for what is not set. */
export interface DraftFields {
  name: string;
  template_id: string;
  subject: string;
  html_body: string;
  text_body: string;
  variables: Variable[];
  topic_id: string;
  segment_id: string;
  where: string;
  exclude_segment_ids: string[];
  /**
   * The time that the clocks show: those of `time_zone`, or those of the reader without one that
   * the browser knows.
   */
  send_at: string;
  time_zone: string;
  max_delay_minutes: number;
  per_hour: number;
  first_day: number;
  trial: Trial;
}

/** The properties that every part of the form takes; a part may need some of the fields alone. */
export interface DraftPartProps<Needed extends keyof DraftFields = keyof DraftFields> {
  fields: Pick<DraftFields, Needed>;
  problems: Record<string, string>;
  /** Says why the person may change nothing. */
  mayNot: string | undefined;
  onChange: (part: Partial<Pick<DraftFields, Needed>>) => void;
}

/** The fields that say who gets a draft. */
export type AudienceField = "topic_id" | "segment_id" | "where" | "exclude_segment_ids";

/** Returns the fields of a draft. */
export const fieldsOf = (draft: Broadcast): DraftFields => ({
  name: draft.name ?? "",
  template_id: draft.template_id ?? "",
  subject: draft.own_subject ?? "",
  html_body: draft.html_body ?? "",
  text_body: draft.text_body ?? "",
  variables: variablesOf(draft.variables),
  topic_id: draft.topic_id ?? "",
  segment_id: draft.segment_id ?? "",
  where: draft.where ?? "",
  exclude_segment_ids: draft.exclude_segment_ids,
  send_at: draft.send_at === null ? "" : clockOf(draft.send_at, draft.time_zone ?? ""),
  time_zone: draft.time_zone ?? "",
  max_delay_minutes: draft.max_delay_minutes ?? 0,
  per_hour: draft.per_hour ?? 0,
  first_day: draft.warm_up?.first_day ?? 0,
  trial: {
    variants: (draft.ab?.variants ?? []).map(({ subject, from_name, template_id }) => ({
      subject: subject ?? "",
      from_name: from_name ?? "",
      template_id: template_id ?? "",
    })),
    share: draft.ab?.share ?? 20,
    wait_hours: draft.ab?.wait_hours ?? 4,
    by: draft.ab?.by ?? "opens",
  },
});

/** Returns the zone by whose clocks the form shows a time. */
const shownZone = (zone: string) => (zone !== "" && knowsZone(zone) ? zone : readersZone());

const clockOf = (at: string, zone: string) => wallClockOf(at, shownZone(zone));

/** Returns the body that saves all fields; values that nobody touched stay exactly as they were. */
export function bodyOf(draft: Broadcast, fields: DraftFields): DraftBody & { name: string } {
  const { variables, first_day, trial, ...rest } = fields;
  const { html_body, text_body } = fields.template_id === "" ? fields : NO_CONTENT;
  return {
    ...rest,
    html_body,
    text_body,
    variables: valuesOf(variables, draft.variables),
    send_at: momentOfDraft(draft, fields),
    warm_up: { first_day },
    ab: {
      ...trial,
      variants: trial.variants.map(({ subject, from_name, template_id }) => ({
        ...(subject === "" ? {} : { subject }),
        ...(from_name === "" ? {} : { from_name }),
        ...(template_id === "" ? {} : { template_id }),
      })),
    },
  };
}

/** A draft with a template has no content of its own. */
const NO_CONTENT = { html_body: "", text_body: "" };

/**
 * Returns when a draft is to begin; the field holds no seconds, so one that stayed is the stored
 * one.
 */
function momentOfDraft(draft: Broadcast, { send_at, time_zone }: DraftFields): string {
  if (send_at === "") return "";
  const stored = draft.send_at;
  if (stored !== null && clockOf(stored, time_zone) === send_at) return stored;
  return momentOf(send_at, shownZone(time_zone));
}

/** Returns the fields of a body that differ from those stored, so that other people's stay. */
export function changesOf(draft: Broadcast, fields: DraftFields): DraftBody {
  const stored = Object.entries(bodyOf(draft, fieldsOf(draft)));
  const before = new Map(stored.map(([name, value]) => [name, JSON.stringify(value)]));
  return Object.fromEntries(
    Object.entries(bodyOf(draft, fields)).filter(
      ([name, value]) => JSON.stringify(value) !== before.get(name),
    ),
  );
}

/** Returns the newest draft with the fields that were typed into an older one. */
export function rebase(older: Broadcast, fields: DraftFields, newest: Broadcast): DraftFields {
  const changed = changesOf(older, fields);
  const mine = Object.entries(fields).filter(([name]) => (NAME_IN_BODY[name] ?? name) in changed);
  return { ...fieldsOf(newest), ...Object.fromEntries(mine) };
}

const NAME_IN_BODY: Record<string, string> = { first_day: "warm_up", trial: "ab" };
