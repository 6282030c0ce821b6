import { z } from "zod";
import { readTimeline, selectEntry, type Timeline } from "../../services/email-log/index.ts";
import { selectScheduledMail, type ScheduledRow } from "../../services/mailing/index.ts";
import { TIMELINE, timelineMessage } from "../../messages/timeline.ts";
import {
  countAnswer,
  idAnswer,
  namedAnswer,
  timeAnswer,
  timestamp,
  timestampOrNull,
} from "../answer-fields.ts";
import { codeAnswer, paramsAnswer } from "../message-answer.ts";
import { route } from "../route/route.ts";
import { logEntryAnswer, presentLogEntry } from "./logs.ts";
import { presentSuppression, suppressionAnswer } from "./suppressions.ts";
import { deliveryAnswer, presentDelivery } from "./webhook-deliveries.ts";

const visitAnswer = { class: z.string().nullable(), user_agent: z.string().nullable() };

const timelineCode = codeAnswer("TimelineCode", TIMELINE);

const timelineAnswer = namedAnswer("MailTimeline", {
  ...logEntryAnswer.shape,
  explanation: z.strictObject({
    what_happened: z.string(),
    code: timelineCode,
    params: paramsAnswer.optional(),
    what_to_do: z.string(),
    what_to_do_code: timelineCode,
  }),
  automation: z
    .strictObject({
      name: z.string().nullable().describe("Null once the automation is deleted."),
      version: countAnswer,
      run_id: idAnswer.nullable().describe("Null once the run is deleted."),
    })
    .nullable()
    .describe("The automation that sent it; null for other emails."),
  server: z
    .string()
    .nullable()
    .describe("The SMTP host; null if nothing was sent or the settings have been saved since."),
  tls: z
    .enum(["implicit", "starttls"])
    .nullable()
    .describe(
      "How the session was encrypted, from the port; null without `server` and on loopback.",
    ),
  queue_id: z
    .string()
    .nullable()
    .describe("The server's ID of the accepted email, at most 36 characters."),
  attempts: z.array(
    z.strictObject({
      at: timeAnswer,
      status: z.string(),
      error: z.string().nullable(),
      via_fallback: z.boolean(),
    }),
  ),
  opens: z.array(z.strictObject({ at: timeAnswer, ...visitAnswer })).describe("The first open."),
  clicks: z
    .array(z.strictObject({ at: timeAnswer, url: z.string(), ...visitAnswer }))
    .describe("The first 100 recorded clicks."),
  bounce: z
    .strictObject({
      at: timeAnswer.nullable(),
      reported_by: z
        .enum(["smtp", "imap", "email", "ingest"])
        .nullable()
        .describe("`smtp` for the server's answer to the email."),
      words: z.string().nullable().describe("The server's reply."),
    })
    .nullable(),
  complaint: z
    .strictObject({ at: timeAnswer })
    .nullable()
    .describe("A complaint from the address since this email."),
  suppression: suppressionAnswer.nullable().describe("The current entry of the address."),
  webhook_deliveries: z.array(deliveryAnswer.extend({ webhook_id: idAnswer })).nullable(),
});

/** Presents the timeline of a mail (API reference §16.6). */
function presentTimeline(timeline: Timeline): z.input<typeof timelineAnswer> {
  const { entry, automation, clicks, explanation, origin, suppression, deliveries, server, tls } =
    timeline;
  const { bounce, complaint } = origin;
  return {
    ...presentLogEntry(entry),
    explanation: presentExplanation(explanation),
    automation: automation && {
      name: automation.name,
      version: automation.version,
      run_id: automation.runId,
    },
    server: entry.status === "suppressed" ? null : server,
    tls: entry.status === "suppressed" ? null : tls,
    queue_id: entry.queueId,
    attempts: attemptsOf(timeline),
    opens:
      entry.openedAt === null
        ? []
        : [
            {
              at: timestamp(entry.openedAt),
              class: entry.openedClass,
              user_agent: entry.openedUserAgent,
            },
          ],
    clicks: clicks.map(({ at, url, class: visitor, userAgent }) => ({
      at: timestamp(at),
      url,
      class: visitor,
      user_agent: userAgent,
    })),
    bounce: bounce && {
      at: timestampOrNull(bounce.at),
      reported_by: bounce.by,
      words: entry.error,
    },
    complaint: complaint && { at: timestamp(complaint.at) },
    suppression: suppression ? presentSuppression(suppression) : null,
    webhook_deliveries: deliveries
      ? deliveries.map((one) => ({ ...presentDelivery(one), webhook_id: one.webhookId }))
      : null,
  };
}

/** Presents a mail that waits for its time: nothing has happened to it yet. */
const presentWaiting = (mail: ScheduledRow): z.input<typeof timelineAnswer> => ({
  ...presentLogEntry(mail),
  explanation: presentExplanation({
    whatHappened: timelineMessage("waiting"),
    whatToDo: timelineMessage("move_or_cancel"),
  }),
  automation: null,
  server: null,
  tls: null,
  queue_id: null,
  attempts: [],
  opens: [],
  clicks: [],
  bounce: null,
  complaint: null,
  suppression: null,
  webhook_deliveries: null,
});

const presentExplanation = ({ whatHappened, whatToDo }: Timeline["explanation"]) => ({
  what_happened: whatHappened.message,
  code: whatHappened.code,
  params: whatHappened.params,
  what_to_do: whatToDo.message,
  what_to_do_code: whatToDo.code,
});

/** Returns the logged attempts, oldest first. A bounced mail had been accepted. */
function attemptsOf({ entry, earlier, origin: { bounce } }: Timeline) {
  const { status, error, sentAt } = entry;
  const before = earlier.map((one) => ({
    at: timestamp(one.at),
    status: "deferred",
    error: one.error,
    via_fallback: one.viaFallback === true,
  }));
  if (status === "suppressed") return before;
  const last = { at: timestamp(sentAt), via_fallback: entry.viaFallback === 1 };
  const isReported = bounce !== null && bounce.by !== "smtp";
  return [
    ...before,
    isReported ? { ...last, status: "sent", error: null } : { ...last, status, error },
  ];
}

export const mailTimelineRoutes = [
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: "/projects/:id/logs/:logId",
    operation: "projects.logs.get",
    summary: "Returns the timeline of an email.",
    capability: "read",
    answer: timelineAnswer,
    reads: ({ deps: { db }, projectId, param }) =>
      [
        selectEntry(db, projectId, param("logId")),
        selectScheduledMail(db, projectId, param("logId")),
      ] as const,
    handle: async ({ ctx, project, reads: [entries, [waiting]] }) =>
      waiting && entries.length === 0
        ? presentWaiting(waiting)
        : presentTimeline(await readTimeline(ctx, project, entries)),
  }),
];
