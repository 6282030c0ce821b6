import { sql } from "drizzle-orm";
import { z } from "zod";
import { LOG_STATUSES } from "../../db/schema/index.ts";
import { invalidField, notFound, refusal } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import {
  listLog,
  readStats,
  searchBatch,
  searchLog,
  selectBatchKey,
  selectLogKeys,
  selectRunMails,
  type BatchMails,
  type LogKey,
  type LogRow,
  type Recipient,
} from "../../services/email-log/index.ts";
import {
  batchLogIds,
  listScheduledMails,
  sizeOfBatch,
  type ScheduledRow,
} from "../../services/mailing/index.ts";
import { selectSubscriber, selectSubscriberByEmail } from "../../services/subscribers/index.ts";
import type { ListPage } from "../../lib/page.ts";
import { countAnswer, idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { route } from "../route/route.ts";
import { CSV_TYPE, wantsCsv } from "../stream-csv.ts";
import { pageAnswer } from "../paging.ts";
import {
  BROADCASTS_SEARCHED,
  isOfRecipient,
  isSearch,
  logQuery,
  pages,
  recipientOf,
  searchOf,
} from "./log-query.ts";
import { presenterOf } from "../presenter.ts";

export const logEntryAnswer = namedAnswer("LogEntry", {
  id: idAnswer.describe("Also the local part of the Message-ID."),
  project_id: idAnswer,
  subscriber_id: idAnswer.nullable().describe("Null if the address belongs to no subscriber."),
  template_id: idAnswer
    .nullable()
    .describe("Null for HTML in the request and for built-in templates."),
  broadcast_id: idAnswer.nullable().describe("Null outside broadcasts."),
  automation_id: idAnswer.nullable().describe("Null outside automations."),
  step_id: z.string().nullable().describe("The step of the automation that sent it."),
  to_email: z.string().describe("Empty after an erasure, as is the subject."),
  subject: z.string().describe("The first 998 characters, rendered."),
  status: z.enum([...LOG_STATUSES, "scheduled"]),
  error: z.string().nullable().describe("Why the email was not accepted."),
  reason: z
    .string()
    .nullable()
    .describe("The reason of a rejection or bounce (API reference §11.7)."),
  via_fallback: z.boolean().describe("Whether the outcome is that of the fallback server."),
  tags: z.record(z.string(), z.string()),
  copies: z.array(
    z.strictObject({
      email: z.string(),
      status: z.string(),
      error: z.string(),
      reason: z.string().optional(),
    }),
  ),
  sent_at: timeAnswer.describe(
    "When the outcome was recorded; for a scheduled email, when it is due.",
  ),
  scheduled_at: timeAnswer.optional().describe("When a scheduled email is due, while it waits."),
  opened_at: timeAnswer.nullable().describe("The first open; later ones do not change it."),
  clicked_at: timeAnswer.nullable().describe("The first click; later ones do not change it."),
  test: z
    .boolean()
    .optional()
    .describe("True for an email that no server got: of a test key, or to the simulator."),
});

type LogEntryAnswer = z.input<typeof logEntryAnswer>;

const present = presenterOf(logEntryAnswer);

/** Presents a log entry with its broadcast, tags and rejected copies. */
export const presentLogEntry = (entry: LogRow | ScheduledRow) =>
  present({
    ...entry,
    broadcastId: entry.automationId === null ? entry.broadcastId : null,
    viaFallback: entry.viaFallback === 1,
    // `appendLog` wrote both as JSON.
    tags: entry.tags === null ? {} : (JSON.parse(entry.tags) as LogEntryAnswer["tags"]),
    copies: entry.copies === null ? [] : (JSON.parse(entry.copies) as LogEntryAnswer["copies"]),
  });

/** Returns a search's read of the mails of a batch. Throws not_found without the batch. */
function mailsOf(
  [batch]: Awaited<ReturnType<typeof selectBatchKey>>,
  recipient: Recipient | undefined,
): BatchMails {
  if (!batch) throw notFound("batch");
  return {
    size: sizeOfBatch(batch),
    idsFrom: (index, count) => batchLogIds(batch, index, count),
    email: recipient?.email,
  };
}

const statsAnswer = z.strictObject({
  total: countAnswer,
  sent: countAnswer,
  failed: countAnswer,
  opened: countAnswer,
  clicked: countAnswer,
  bounced: countAnswer,
  suppressed: countAnswer,
});

export const logRoutes = [
  route({
    auth: "cookie",
    method: "GET",
    path: "/projects/:id/logs",
    operation: "projects.logs.list",
    summary: "Lists the emails of a project, newest first.",
    example: { query: { status: "sent", limit: "20" } },
    capability: "read",
    query: logQuery,
    answer: z.strictObject({ logs: z.array(logEntryAnswer), ...pageAnswer }),
    reads: ({ deps: { db }, projectId, query }) =>
      [
        query.subscriber_id === undefined
          ? selectSubscriberByEmail(db, projectId, query.to_email ?? "")
          : selectSubscriber(db, projectId, query.subscriber_id),
        query.batch_id === undefined
          ? selectLogKeys(db, projectId, isOfRecipient(query) ? BROADCASTS_SEARCHED : 0)
          : selectBatchKey(db, projectId, query.batch_id),
        selectRunMails(
          db,
          projectId,
          query.subscriber_id === undefined
            ? sql`select id from subscribers where project_id = ${projectId} and email = ${query.to_email ?? ""}`
            : sql`select ${query.subscriber_id} as id`,
          isOfRecipient(query) ? BROADCASTS_SEARCHED : 0,
        ),
      ] as const,
    otherTypes: [CSV_TYPE],
    handle: async ({ c, ctx, project, query, reads: [[subscriber], keys, ofRuns] }) => {
      if (isSearch(query)) {
        if (wantsCsv(c)) throw refusal("search_without_csv", {});
        if (query.offset > 0) throw invalidField("offset", faultOf("no_offset"));
        const recipient = recipientOf(query, subscriber, [...keys, ...ofRuns]);
        const search = searchOf(query);
        const { limit, batch_id: batchId } = query;
        const found =
          batchId === undefined
            ? await searchLog(ctx, project, search, recipient, limit)
            : await searchBatch(ctx, project, search, mailsOf(keys, recipient), limit);
        return { logs: found.logs.map(presentLogEntry), next: pages.cursorOf(found.next) };
      }
      const { status, from, to, limit, offset, after } = query;
      const page = { limit, offset, after };
      const read = (part: ListPage<LogKey>) =>
        status === "scheduled"
          ? listScheduledMails(ctx, project, { from, to }, part)
          : listLog(ctx, project, { status, from, to }, part);
      if (wantsCsv(c))
        return pages.csv(c, page, {
          ctx,
          project,
          columns: Object.keys(logEntryAnswer.shape),
          read: async (part) => (await read(part)).logs,
          present: presentLogEntry,
        });
      const { logs, total } = await read(page);
      const { shown, fields } = pages.cut(page, logs, total);
      return { logs: shown.map(presentLogEntry), ...fields };
    },
  }),
  route({
    auth: "cookie",
    method: "GET",
    path: "/projects/:id/stats",
    operation: "projects.stats",
    summary: "Counts the emails of a project by outcome.",
    capability: "read",
    answer: statsAnswer,
    handle: ({ ctx, project }) => readStats(ctx, project),
  }),
];
