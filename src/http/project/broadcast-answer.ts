import { textOfReasons } from "../../messages/broadcast-reasons.ts";
import { messageAnswer } from "../message-answer.ts";
import { presenterOf } from "../presenter.ts";
import { z } from "zod";
import { AB_METRICS, BROADCAST_STATES, RESEND_TO } from "../../db/schema/index.ts";
import {
  inputOf,
  type BroadcastProgress,
  type ListedBroadcast,
} from "../../services/broadcasts/index.ts";
import { trackingAnswer, utmAnswer } from "./tracking-fields.ts";
import { countAnswer, idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";

/** Counts of recorded recipients; each recipient is in exactly one of them. */
export const countsAnswer = {
  sent: countAnswer,
  failed: countAnswer,
  bounced: countAnswer,
  suppressed: countAnswer,
};

export const broadcastAnswer = namedAnswer("Broadcast", {
  id: idAnswer,
  project_id: idAnswer,
  template_id: idAnswer.nullable().describe("Null for HTML in the request."),
  subject: z.string(),
  state: z.enum(BROADCAST_STATES),
  ...countsAnswer,
  error: z
    .string()
    .nullable()
    .describe("Why the broadcast was auto-paused: the text of `reasons`."),
  reasons: z
    .array(messageAnswer)
    .nullable()
    .describe("Why the broadcast was auto-paused, or did not go as planned."),
  created_at: timeAnswer,
  finished_at: timeAnswer.nullable(),
  name: z.string().nullable().describe("Null for a broadcast that was not a draft."),
  send_at: timeAnswer.nullable(),
  starts_at: timeAnswer.nullable().describe("Null for a draft."),
});

/** Counts of visits; each email counts at most once in each. */
export const visitsAnswer = {
  opened: countAnswer.describe("Emails with an open."),
  opened_human: countAnswer.describe("Emails whose first open is a person's."),
  clicked: countAnswer.describe("Emails with a click."),
  clicked_human: countAnswer.describe("Emails with a click by a person."),
  unsubscribed: countAnswer.describe(
    "Recipients who unsubscribed through the link in this email, even if they undid it.",
  ),
};

export const listedAnswer = namedAnswer("ListedBroadcast", {
  ...broadcastAnswer.shape,
  ...visitsAnswer,
  opens_by_hour: z
    .array(countAnswer)
    .optional()
    .describe(
      "With `include=opens_by_hour`: first opens by people in the 48 UTC hours from the one in which the broadcast began.",
    ),
});

const present = presenterOf(broadcastAnswer);
const presentInList = presenterOf(listedAnswer);

/** Presents a broadcast with counts of recorded recipients. */
export const presentBroadcast = (broadcast: BroadcastProgress) => present(shownOf(broadcast));

/** Presents a broadcast of a list. */
export const presentListed = ({ visits, ...broadcast }: ListedBroadcast) =>
  presentInList({ ...shownOf(broadcast), ...visits });

/** Returns the fields of every answer about a broadcast. A draft has not started. */
function shownOf(broadcast: BroadcastProgress) {
  const { kind, state, planDueAt, createdAt } = broadcast;
  const startedAt = kind === "draft" ? null : createdAt;
  return {
    ...broadcast,
    error: textOfReasons(broadcast.reasons),
    createdAt: broadcast.draftedAt ?? createdAt,
    name: broadcast.plan === null ? null : broadcast.name,
    startsAt: state === "scheduled" ? planDueAt : startedAt,
  };
}

const abAnswer = z.strictObject({
  variants: z.array(
    z.strictObject({
      subject: z.string().nullable(),
      from_name: z.string().nullable(),
      template_id: idAnswer.nullable(),
    }),
  ),
  share: z.number(),
  wait_hours: z.number(),
  by: z.enum(AB_METRICS),
});

export const wholeAnswer = namedAnswer("BroadcastDetails", {
  ...broadcastAnswer.shape,
  own_subject: z.string().nullable(),
  preview_text: z.string().nullable(),
  from_name: z.string().nullable().describe("Null for the name of the project."),
  reply_to: z.string().nullable(),
  html_body: z.string().nullable(),
  text_body: z.string().nullable(),
  topic_id: idAnswer.nullable(),
  segment_id: idAnswer.nullable(),
  where: z.string().nullable(),
  exclude_segment_ids: z.array(idAnswer),
  audience: z.string().nullable(),
  variables: z.record(z.string(), z.unknown()),
  time_zone: z.string().nullable(),
  max_delay_minutes: countAnswer.nullable(),
  per_hour: countAnswer.nullable(),
  warm_up: z.strictObject({ first_day: countAnswer }).nullable(),
  ab: abAnswer.nullable(),
  resend: z.strictObject({ of: idAnswer, to: z.enum(RESEND_TO) }).nullable(),
  updated_at: timeAnswer.nullable(),
  tracking: trackingAnswer.describe("What replaces the tracking of its template and project."),
  utm: z
    .union([z.literal("off"), utmAnswer])
    .describe("What replaces the campaign parameters of the project; `off` for none on any link."),
  waiting_for: z.strictObject({ broadcast_id: idAnswer, name: z.string() }).nullable(),
});

const presentAll = presenterOf(wholeAnswer);

/** Presents a broadcast with the fields of its draft (API reference §11.10). */
export function presentWhole(broadcast: BroadcastProgress) {
  const { plan, state, waitingFor } = broadcast;
  const { name: _name, subject, templateId, warmUpFirstDay, ...input } = inputOf(broadcast);
  const isOwn = plan !== null && templateId === null;
  const mayWait = state === "scheduled" || state === "queued";
  return presentAll({
    ...shownOf(broadcast),
    ...input,
    ownSubject: plan === null ? null : subject,
    htmlBody: isOwn ? input.htmlBody : null,
    textBody: isOwn ? input.textBody : null,
    audience: state === "draft" ? null : broadcast.audienceWhere,
    warmUp: warmUpFirstDay === null ? null : { firstDay: warmUpFirstDay },
    resend: plan?.resend ?? null,
    updatedAt: plan === null ? null : broadcast.updatedAt,
    waitingFor: mayWait ? waitingFor : null,
  });
}
