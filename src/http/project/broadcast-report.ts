import { z } from "zod";
import {
  deliveryReportOf,
  listRecipients,
  readContent,
  readSnapshot,
  OUTCOMES,
  REACTIONS,
  selectCandidates,
  selectProjectBroadcast,
  variantLetter,
  type Content,
  type DeliveryReport,
  type RecipientRow,
} from "../../services/broadcasts/index.ts";
import { countAnswer, idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { pagesOf } from "../paging.ts";
import { route } from "../route/route.ts";
import { CSV_TYPE, wantsCsv } from "../stream-csv.ts";
import { exportRecipients } from "./export-recipients.ts";
import { visitsAnswer } from "./broadcast-answer.ts";
import { visitFields } from "./visit-fields.ts";
import { fault } from "../fault.ts";
import { presenterOf } from "../presenter.ts";

const ONE = "/projects/:id/broadcasts/:broadcastId";

const reportAnswer = namedAnswer("DeliveryReport", {
  total: countAnswer.describe(
    "The recipients at the start; the sum of the seven counts at any moment.",
  ),
  sent: countAnswer,
  failed: countAnswer,
  bounced: countAnswer,
  suppressed: countAnswer,
  unknown: countAnswer.describe(
    "Recipients whose email the server may have; the broadcast's `failed` includes them.",
  ),
  waiting: countAnswer.describe("Recipients without an outcome; 0 at the end."),
  skipped: countAnswer.describe(
    "0 until the end; then the recipients who left the list or were not reached before a cancellation.",
  ),
  complaints: countAnswer.describe("Complaints since the start, or since it was last resumed."),
  rate_per_minute: z
    .number()
    .nonnegative()
    .nullable()
    .describe("Outcomes per minute; null before the first."),
  estimated_end_at: timeAnswer
    .nullable()
    .describe("Null unless the broadcast is sending. Limits count."),
  waiting_until: timeAnswer
    .nullable()
    .describe(
      "When the limits of the broadcast or its server allow the next email; null unless it waits for them.",
    ),
  complained: countAnswer.describe("Recipients who have complained."),
  ...visitsAnswer,
  links: z.array(
    z.strictObject({ url: z.string(), clicked: countAnswer, clicked_human: countAnswer }),
  ),
});

const present = presenterOf(reportAnswer);

/** Presents the delivery report of a broadcast (API reference §11.9). */
const presentReport = ({ ratePerMinute: rate, heldUntil, ...report }: DeliveryReport) =>
  present({
    ...report,
    ratePerMinute: rate === null ? null : Math.round(rate * 10) / 10,
    waitingUntil: heldUntil,
  });

/** Maximum length of a search prefix; an address has at most 254 octets. */
const MAX_SEARCH_CHARACTERS = 254;

const searchField = z
  .string()
  .max(MAX_SEARCH_CHARACTERS)
  .transform((text) => text.trim().toLowerCase());

/** A cursor is the id of the last recipient or, in a search, the address. */
const pages = pagesOf("recipients", z.string(), ({ subscriberId }: RecipientRow) => subscriberId);

const recipientsQuery = pages
  .queryAfter({
    outcome: z.enum(OUTCOMES).optional(),
    search: searchField.optional(),
    ...visitFields,
    reaction: z.enum(REACTIONS).optional(),
  })
  .refine(({ after, search }) => !after || after.includes("@") === (search !== undefined), {
    path: ["after"],
    message: fault("other_order"),
  });

const recipientAnswer = namedAnswer("BroadcastRecipient", {
  subscriber_id: idAnswer,
  email: z.string(),
  outcome: z.enum(OUTCOMES),
  log_id: idAnswer.nullable(),
  error: z.string().nullable(),
  reason: z.string().nullable(),
  sent_at: timeAnswer.nullable(),
  opened_at: timeAnswer.nullable(),
  clicked_at: timeAnswer.nullable(),
});

const presentOne = presenterOf(recipientAnswer);

function presentRecipient({ entry, ...recipient }: RecipientRow) {
  const {
    error = null,
    reason = null,
    sentAt = null,
    openedAt = null,
    clickedAt = null,
  } = entry ?? {};
  const logId = entry ? recipient.logId : null;
  return presentOne({ ...recipient, logId, error, reason, sentAt, openedAt, clickedAt });
}

/** The delivery report at its path and at the earlier one, `ledger`. */
const reportAt = (name: "report" | "ledger") =>
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: `${ONE}/${name}`,
    operation: `projects.broadcasts.${name}`,
    summary: "Counts the recipients of a broadcast by outcome and visit.",
    capability: "read",
    answer: reportAnswer,
    handle: async ({ ctx, project, param }) => {
      const broadcast = await readSnapshot(ctx, project, param("broadcastId"));
      return presentReport(deliveryReportOf(broadcast, ctx.deps.now()));
    },
  });

const contentAnswer = namedAnswer("BroadcastContent", {
  variant: z.string().nullable().describe("Of an A/B test: the winner, or else the first."),
  subject: z.string(),
  preheader: z.string().describe("Its preview text, or else that of its template."),
  html_body: z.string(),
  text_body: z.string(),
});

const presentContent = ({
  n,
  subject,
  preheader,
  htmlBody,
  textBody,
}: Content): z.input<typeof contentAnswer> => ({
  variant: n === null ? null : variantLetter(n),
  subject,
  preheader,
  html_body: htmlBody,
  text_body: textBody,
});

export const broadcastReportRoutes = [
  reportAt("report"),
  reportAt("ledger"),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: `${ONE}/content`,
    operation: "projects.broadcasts.content",
    summary: "Returns the content of a broadcast, as fixed at its start.",
    refusals: [409],
    capability: "read",
    answer: contentAnswer,
    handle: async ({ ctx, project, param }) =>
      presentContent(await readContent(ctx, project, param("broadcastId"))),
  }),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: `${ONE}/recipients`,
    operation: "projects.broadcasts.recipients",
    summary: "Lists the recipients of a broadcast with their outcomes.",
    capability: "read",
    query: recipientsQuery,
    answer: z.strictObject({
      recipients: z.array(recipientAnswer),
      next: z.string().nullable(),
    }),
    reads: ({ deps: { db }, projectId, param, query: { search, after, reaction } }) => {
      const id = param("broadcastId");
      return [
        selectProjectBroadcast(db, projectId, id),
        selectCandidates(db, projectId, id, { search, after: after ?? "", reaction }),
      ] as const;
    },
    otherTypes: [CSV_TYPE],
    handle: async ({ c, ctx, project, query, reads: [[broadcast], candidates] }) => {
      if (wantsCsv(c)) {
        const columns = Object.keys(recipientAnswer.shape);
        const csv = { broadcast, query, columns, present: presentRecipient };
        return exportRecipients(c, ctx, project, csv);
      }
      const { recipients, last } = await listRecipients(ctx, project, broadcast, candidates, {
        outcome: query.outcome,
        visit: query.visit,
        link: query.link,
        reaction: query.reaction,
        limit: query.limit,
      });
      const place = query.search === undefined ? last?.id : last?.email;
      return { recipients: recipients.map(presentRecipient), next: pages.cursorOf(place ?? null) };
    },
  }),
];
