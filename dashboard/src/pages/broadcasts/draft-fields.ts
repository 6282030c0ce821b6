import { knowsZone, momentOf, readersZone, wallClockOf } from "../../lib/wall-clock.ts";
import type { Client } from "../../../../client/src/index.ts";
import type { Broadcast } from "./states.ts";
import { ordered, type Switches } from "../../parts/tracking/switches.ts";
import { valuesOf, variablesOf, type Variable } from "../../parts/values/values.ts";

type DraftBody = NonNullable<Parameters<Client["projects"]["broadcasts"]["update"]>[0]["body"]>;
export type TrialMetric = NonNullable<Broadcast["ab"]>["by"];

/** A variant of an A/B test; an empty text inherits the broadcast's. */
export interface Variant {
  subject: string;
  from_name: string;
  template_id: string;
}

/** An A/B test; none if there are no variants. */
export interface Trial {
  variants: Variant[];
  share: number;
  wait_hours: number;
  by: TrialMetric;
}

/** Form values of a draft. An empty string and 0 mean unset. */
export interface DraftFields {
  name: string;
  template_id: string;
  subject: string;
  preview_text: string;
  from_name: string;
  reply_to: string;
  html_body: string;
  text_body: string;
  variables: Variable[];
  topic_id: string;
  segment_id: string;
  where: string;
  exclude_segment_ids: string[];
  /** Local time in `time_zone`, or in the user's zone if there is none that the browser knows. */
  send_at: string;
  time_zone: string;
  max_delay_minutes: number;
  per_hour: number;
  first_day: number;
  trial: Trial;
  tracking: Switches;
  utm_campaign: string;
  /** True if its links get no campaign parameters. */
  utm_off: boolean;
}

/** Props of a part of a step. */
export interface DraftPartProps {
  fields: DraftFields;
  problems: Record<string, string>;
  /** Why the user may not edit. */
  mayNot: string | undefined;
  onChange: (part: Partial<DraftFields>) => void;
}

/** Returns the form values of a draft. */
export const fieldsOf = (draft: Broadcast): DraftFields => ({
  name: draft.name ?? "",
  template_id: draft.template_id ?? "",
  subject: draft.own_subject ?? "",
  preview_text: draft.preview_text ?? "",
  from_name: draft.from_name ?? "",
  reply_to: draft.reply_to ?? "",
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
  tracking: ordered(draft.tracking),
  utm_campaign: draft.utm === "off" ? "" : (draft.utm.campaign ?? ""),
  utm_off: draft.utm === "off",
});

/** Returns the time zone in which the form shows a time. */
const shownZone = (zone: string) => (zone !== "" && knowsZone(zone) ? zone : readersZone());

const clockOf = (at: string, zone: string) => wallClockOf(at, shownZone(zone));

/** Returns the request body with all fields; unchanged values are sent exactly as stored. */
export function bodyOf(draft: Broadcast, fields: DraftFields): DraftBody & { name: string } {
  const { variables, first_day, trial, utm_campaign, utm_off, ...rest } = fields;
  const { campaign: _, ...stored } = draft.utm === "off" ? {} : draft.utm;
  const utm = utm_campaign === "" ? stored : { ...stored, campaign: utm_campaign };
  const { html_body, text_body } = fields.template_id === "" ? fields : NO_CONTENT;
  return {
    ...rest,
    html_body,
    text_body,
    variables: valuesOf(variables, draft.variables),
    send_at: momentOfDraft(draft, fields),
    warm_up: { first_day },
    utm: utm_off ? "off" : utm,
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
 * Returns the start time of a draft. The field has no seconds, so an unchanged value yields the
 * stored time.
 */
function momentOfDraft(draft: Broadcast, { send_at, time_zone }: DraftFields): string {
  if (send_at === "") return "";
  const stored = draft.send_at;
  if (stored !== null && clockOf(stored, time_zone) === send_at) return stored;
  return momentOf(send_at, shownZone(time_zone));
}

/** Returns only the changed fields of a body, so that other users' changes are kept. */
export function changesOf(draft: Broadcast, fields: DraftFields): DraftBody {
  const stored = Object.entries(bodyOf(draft, fieldsOf(draft)));
  const before = new Map(stored.map(([name, value]) => [name, JSON.stringify(value)]));
  return Object.fromEntries(
    Object.entries(bodyOf(draft, fields)).filter(
      ([name, value]) => JSON.stringify(value) !== before.get(name),
    ),
  );
}

/** Rebases the edits of an older draft onto the newest. */
export function rebase(older: Broadcast, fields: DraftFields, newest: Broadcast): DraftFields {
  const changed = changesOf(older, fields);
  const mine = Object.entries(fields).filter(([name]) => (NAME_IN_BODY[name] ?? name) in changed);
  return { ...fieldsOf(newest), ...Object.fromEntries(mine) };
}

const NAME_IN_BODY: Record<string, string> = {
  first_day: "warm_up",
  trial: "ab",
  utm_campaign: "utm",
  utm_off: "utm",
};
