import { z } from "zod";
import {
  beginBatch,
  factsOf,
  getBatch,
  sendBatch,
  sendReads,
  type BatchRecipient,
  type BatchReport,
} from "../../services/mailing/index.ts";
import { cutText } from "../../lib/cut-text.ts";
import {
  countAnswer,
  idAnswer,
  namedAnswer,
  timeAnswer,
  timestamp,
  timestampOrNull,
} from "../answer-fields.ts";
import { dataField, mailboxField, otherSubjectField, pageQuery, uuidField } from "../fields.ts";
import { listField, objectField } from "../given.ts";
import { idempotencyKeyOf, idempotencyOf } from "../idempotency-key.ts";
import { firstFault } from "../issues.ts";
import { ASYNC_APPLIED, wantsAsync } from "../prefer.ts";
import { errorAnswer } from "../route/answer.ts";
import { EXAMPLE_IDS } from "../route/words.ts";
import { route } from "../route/route.ts";
import { writtenAs } from "../route/written-as.ts";
import { STREAMED_JSON, streamJson } from "../stream-json.ts";
import { mailOptionsShape } from "./tracking-fields.ts";
import { fault } from "../fault.ts";
import { scheduledAtField } from "./send-extras.ts";

/** Limits of a batch (API reference §4.2). */
const MAX_BATCH_BYTES = 10 * 1_048_576;
const MAX_RECIPIENTS = 10_000;
const MAX_DATA_CHARACTERS = 500_000;
/** Maximum length of the text that a failure shows in place of an address. */
const MAX_ADDRESS_CHARACTERS = 254;

const recipient = objectField({
  to: mailboxField,
  data: dataField
    .refine((data) => JSON.stringify(data).length <= MAX_DATA_CHARACTERS, {
      message: fault("json_too_long", { max: MAX_DATA_CHARACTERS }),
    })
    .default({}),
});

/** Returns the address of a recipient, or the text given instead of one. */
function addressIn(given: unknown): string {
  const { to } = z.object({ to: z.string() }).catch({ to: "" }).parse(given);
  const parsed = mailboxField.safeParse(to);
  return parsed.success ? parsed.data.address : cutText(to, MAX_ADDRESS_CHARACTERS);
}

/** A recipient of any shape, with its faults: an invalid one can fail alone. */
const recipientField = writtenAs(
  z.unknown().transform((given) => {
    const { data, error } = recipient.safeParse(given);
    return data ?? { given: addressIn(given), issues: error?.issues ?? [] };
  }),
  recipient,
);

/** The body of a batch (API reference §11.4). */
const batchBody = z
  .object({
    template_id: uuidField,
    subject: otherSubjectField,
    ...mailOptionsShape,
    from: mailboxField.optional(),
    recipients: listField(recipientField, MAX_RECIPIENTS).refine(
      (recipients) => recipients.length > 0,
      fault("empty"),
    ),
    on_error: z
      .enum(["skip", "refuse"])
      .default("skip")
      .describe("Whether an invalid recipient fails alone, or is a 400 for the whole batch."),
    scheduled_at: scheduledAtField,
  })
  .transform((body, context) => {
    const { template_id: templateId, subject, from, tracking, preheader, recipients: all } = body;
    const recipients = all.map((one, index): BatchRecipient => {
      if (!("issues" in one)) return one;
      if (body.on_error === "refuse")
        for (const { path, message } of one.issues)
          context.addIssue({ code: "custom", path: ["recipients", index, ...path], message });
      return { given: one.given, fault: firstFault(one.issues) };
    });
    const { scheduled_at: scheduledAt } = body;
    return { templateId, subject, from, tracking, preheader, recipients, scheduledAt };
  });

/** Counts of a batch; `failed` includes `bounced` and `suppressed`. */
const outcomesAnswer = {
  sent: countAnswer,
  failed: countAnswer,
  bounced: countAnswer,
  suppressed: countAnswer,
  failures: z.array(
    z.strictObject({
      index: countAnswer,
      to: z.string(),
      status: z.enum(["failed", "bounced", "suppressed"]),
      error: z.string(),
      code: z
        .string()
        .optional()
        .describe("The code of a fault of the recipient, or the reason of a rejection (§11.7)."),
    }),
  ),
};

const batchAnswer = z.strictObject(outcomesAnswer);

type Outcomes = Pick<BatchReport, keyof typeof outcomesAnswer>;

function presentOutcomes(outcomes: Outcomes): z.input<typeof batchAnswer> {
  const { sent, bounced, suppressed, failures } = outcomes;
  const failed = outcomes.failed + bounced + suppressed;
  return { sent, failed, bounced, suppressed, failures };
}

const startedAnswer = z.strictObject({
  batch_id: idAnswer,
  scheduled_at: timeAnswer.optional().describe("When it is due, if the request gave a time."),
});

const progressAnswer = namedAnswer("Batch", {
  id: idAnswer,
  project_id: idAnswer,
  template_id: idAnswer.nullable(),
  subject: z.string(),
  state: z.enum(["scheduled", "sending", "done"]),
  recipients: countAnswer,
  ...outcomesAnswer,
  created_at: timeAnswer,
  scheduled_at: timeAnswer.nullable().describe("Null for a batch that began at once."),
  finished_at: timeAnswer.nullable(),
});

function presentProgress(batch: BatchReport): z.input<typeof progressAnswer> {
  return {
    id: batch.id,
    project_id: batch.projectId,
    template_id: batch.templateId,
    subject: batch.subject,
    state: batch.state,
    recipients: batch.recipients,
    ...presentOutcomes(batch),
    created_at: timestamp(batch.createdAt),
    scheduled_at: timestampOrNull(batch.scheduledAt),
    finished_at: timestampOrNull(batch.finishedAt),
  };
}

export const batchRoutes = [
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: "/projects/:id/send/batch",
    operation: "projects.sendBatch",
    summary: "Sends a template to many recipients, and waits until it is done.",
    refusals: [409, 422],
    takesIdempotencyKey: true,
    headers: { Prefer: "With `respond-async`, the response does not wait until the work is done." },
    example: {
      body: {
        template_id: EXAMPLE_IDS.template,
        recipients: [{ to: "ann@example.com", data: { name: "Ann" } }],
      },
    },
    capability: "send:transactional",
    limit: "batch",
    body: batchBody,
    namesUnknownFields: true,
    maxBodyBytes: MAX_BATCH_BYTES,
    // After the wait starts, only the body can report an error.
    answer: z.union([batchAnswer, errorAnswer]),
    otherAnswers: { 202: startedAnswer },
    reads: ({ c, deps, projectId, body: { templateId } }) =>
      sendReads(deps, projectId, {
        templateId,
        subscriberId: undefined,
        emails: [],
        idempotencyKey: idempotencyKeyOf(c),
      }),
    handle: async ({ c, ctx, project, reads, body, bytes, warned }) => {
      const mode = { idempotency: idempotencyOf(c, ctx, bytes), isAsync: wantsAsync(c) };
      const begun = await beginBatch(ctx, project, body, factsOf(reads), mode);
      if (begun.kind === "answered") return presentOutcomes(begun.answer);
      if (mode.isAsync || begun.scheduledAt !== undefined) {
        const scheduled_at = timestampOrNull(begun.scheduledAt ?? null) ?? undefined;
        const started: z.input<typeof startedAnswer> = { batch_id: begun.id, scheduled_at };
        return c.json(warned(started), 202, mode.isAsync ? ASYNC_APPLIED : {});
      }
      const answer = streamJson(ctx.deps.waitUntil, async (isWanted) =>
        warned(presentOutcomes(await sendBatch(ctx, project, begun.id, isWanted))),
      );
      return c.body(answer, 200, STREAMED_JSON);
    },
  }),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: "/projects/:id/batches/:batchId",
    operation: "projects.batches.get",
    summary: "Returns a batch with its counts and a page of its failures.",
    capability: "read",
    query: pageQuery,
    answer: progressAnswer,
    handle: async ({ ctx, project, param, query }) =>
      presentProgress(await getBatch(ctx, project, param("batchId"), query)),
  }),
];
