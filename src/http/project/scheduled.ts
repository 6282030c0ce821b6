import { z } from "zod";
import {
  cancelScheduled,
  listScheduled,
  reschedule,
  type ScheduledKind,
  type Waiting,
} from "../../services/mailing/index.ts";
import { countAnswer, idAnswer, namedAnswer, timeAnswer, timestamp } from "../answer-fields.ts";
import { timestampField, uuidField } from "../fields.ts";
import { pageAnswer, pagesOf } from "../paging.ts";
import { presenterOf } from "../presenter.ts";
import { route } from "../route/route.ts";

const waitingAnswer = namedAnswer("Scheduled", {
  id: idAnswer,
  kind: z.enum(["email", "batch"]),
  template_id: idAnswer.nullable().describe("Null for HTML in the request."),
  subject: z.string().describe("Of a batch, with its variables."),
  to_email: z.string().nullable().describe("The recipient of an email; null for a batch."),
  recipients: countAnswer.describe("How many get an email of a batch; 1 for an email."),
  scheduled_at: timeAnswer,
});

const present = presenterOf(waitingAnswer);

const pages = pagesOf(
  "scheduled",
  z.tuple([z.int(), uuidField]),
  ({ scheduledAt, id }: Waiting): [number, string] => [scheduledAt, id],
);

/** Returns the routes that change scheduled emails, or scheduled batches. */
const changesOf = (kind: ScheduledKind, list: "logs" | "batches", idName: "logId" | "batchId") => {
  const path = `/projects/:id/${list}/:${idName}` as const;
  return [
    route({
      auth: "cookie_or_key",
      method: "PATCH",
      path,
      operation: `projects.${list}.reschedule`,
      summary: `Moves a scheduled ${kind} to another time.`,
      refusals: [409],
      example: { body: { scheduled_at: "2026-12-01T09:00:00Z" } },
      capability: "send:transactional",
      body: z.object({ scheduled_at: timestampField }),
      answer: z.strictObject({ id: idAnswer, scheduled_at: timeAnswer }),
      handle: async ({ ctx, project, param, body: { scheduled_at: at } }) => {
        const id = param(idName);
        await reschedule(ctx, project, { kind, id }, at);
        return { id, scheduled_at: timestamp(at) };
      },
    }),
    route({
      auth: "cookie_or_key",
      method: "POST",
      path: `${path}/cancel`,
      operation: `projects.${list}.cancel`,
      summary: `Cancels a scheduled ${kind}.`,
      refusals: [409],
      capability: "send:transactional",
      handle: ({ ctx, project, param }) =>
        cancelScheduled(ctx, project, { kind, id: param(idName) }),
    }),
  ];
};

/** Routes of scheduled emails and batches (API reference §11.14). */
export const scheduledRoutes = [
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: "/projects/:id/scheduled",
    operation: "projects.scheduled.list",
    summary: "Lists the emails and batches that wait for their time, the next one first.",
    example: { query: { limit: "20" } },
    capability: "read",
    query: pages.query({ from: timestampField.optional(), to: timestampField.optional() }),
    answer: z.strictObject({ scheduled: z.array(waitingAnswer), ...pageAnswer }),
    handle: async ({ ctx, project, query }) => {
      const { scheduled, total } = await listScheduled(ctx, project, query, query);
      const { shown, fields } = pages.cut(query, scheduled, total);
      return { scheduled: shown.map(present), ...fields };
    },
  }),
  ...changesOf("email", "logs", "logId"),
  ...changesOf("batch", "batches", "batchId"),
];
