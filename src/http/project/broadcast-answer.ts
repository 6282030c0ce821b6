import { textOfReasons } from "../../messages/broadcast-reasons.ts";
import { messageAnswer } from "../message-answer.ts";
import { z } from "zod";
import { AB_METRICS, BROADCAST_STATES, RESEND_TO, type AbPlan } from "../../db/schema/index.ts";
import {
  inputOf,
  type BroadcastProgress,
  type ListedBroadcast,
} from "../../services/broadcasts/index.ts";
import {
  countAnswer,
  idAnswer,
  namedAnswer,
  timeAnswer,
  timestamp,
  timestampOrNull,
} from "../answer-fields.ts";

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

export const presentVisits = ({
  openedHuman,
  clickedHuman,
  ...visits
}: ListedBroadcast["visits"]) => ({
  ...visits,
  opened_human: openedHuman,
  clicked_human: clickedHuman,
});

export const listedAnswer = namedAnswer("ListedBroadcast", {
  ...broadcastAnswer.shape,
  ...visitsAnswer,
});

/** Presents a broadcast of a list. */
export const presentListed = (listed: ListedBroadcast): z.input<typeof listedAnswer> => ({
  ...presentBroadcast(listed),
  ...presentVisits(listed.visits),
});

/** Presents a broadcast with counts of recorded recipients. */
export function presentBroadcast(broadcast: BroadcastProgress): z.input<typeof broadcastAnswer> {
  const isScheduled = broadcast.state === "scheduled";
  return {
    id: broadcast.id,
    project_id: broadcast.projectId,
    template_id: broadcast.templateId,
    subject: broadcast.subject,
    state: broadcast.state,
    sent: broadcast.sent,
    failed: broadcast.failed,
    bounced: broadcast.bounced,
    suppressed: broadcast.suppressed,
    error: textOfReasons(broadcast.reasons),
    reasons: broadcast.reasons,
    created_at: timestamp(broadcast.draftedAt ?? broadcast.createdAt),
    finished_at: timestampOrNull(broadcast.finishedAt),
    name: broadcast.plan === null ? null : broadcast.name,
    send_at: timestampOrNull(broadcast.sendAt),
    starts_at: isScheduled ? timestamp(broadcast.planDueAt) : startOf(broadcast),
  };
}

/** Returns when a broadcast started; undefined for a draft. */
const startOf = ({ kind, createdAt }: BroadcastProgress) =>
  kind === "draft" ? null : timestamp(createdAt);

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
  waiting_for: z.strictObject({ broadcast_id: idAnswer, name: z.string() }).nullable(),
});

const presentAbTest = ({ variants, share, waitHours, by }: AbPlan) => ({
  variants: variants.map(({ subject, fromName, templateId }) => ({
    subject,
    from_name: fromName,
    template_id: templateId,
  })),
  share,
  wait_hours: waitHours,
  by,
});

/** Presents the broadcast that this one waits for; null if it does not wait. */
function presentWait({ state, waitingFor }: BroadcastProgress) {
  const mayWait = state === "scheduled" || state === "queued";
  return mayWait && waitingFor
    ? { broadcast_id: waitingFor.broadcastId, name: waitingFor.name }
    : null;
}

/** Presents a broadcast with the fields of its draft (API reference §11.10). */
export function presentWhole(broadcast: BroadcastProgress): z.input<typeof wholeAnswer> {
  const input = inputOf(broadcast);
  const isOwn = broadcast.plan !== null && input.templateId === null;
  return {
    ...presentBroadcast(broadcast),
    own_subject: broadcast.plan === null ? null : input.subject,
    preview_text: input.previewText,
    from_name: input.fromName,
    reply_to: input.replyTo,
    html_body: isOwn ? input.htmlBody : null,
    text_body: isOwn ? input.textBody : null,
    topic_id: input.topicId,
    segment_id: input.segmentId,
    where: input.where,
    exclude_segment_ids: input.excludeSegmentIds,
    audience: broadcast.state === "draft" ? null : broadcast.audienceWhere,
    variables: input.variables,
    time_zone: input.timeZone,
    max_delay_minutes: input.maxDelayMinutes,
    per_hour: input.perHour,
    warm_up: input.warmUpFirstDay === null ? null : { first_day: input.warmUpFirstDay },
    ab: input.ab && presentAbTest(input.ab),
    resend: broadcast.plan?.resend ?? null,
    updated_at: broadcast.plan === null ? null : timestamp(broadcast.updatedAt),
    waiting_for: presentWait(broadcast),
  };
}
