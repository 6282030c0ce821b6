import { z } from "zod";
import { SUPPRESSION_REASONS } from "../../db/schema/index.ts";
import {
  addSuppressions,
  deleteSuppression,
  listSuppressions,
  MAX_SOURCE_CHARACTERS,
  type SuppressionRow,
} from "../../services/suppressions/index.ts";
import { countAnswer, idAnswer, namedAnswer, timeAnswer, ulidAnswer } from "../answer-fields.ts";
import { emailField } from "../fields.ts";
import { listField } from "../given.ts";
import { pageAnswer, pagesOf } from "../paging.ts";
import { route } from "../route/route.ts";
import { CSV_TYPE, wantsCsv } from "../stream-csv.ts";
import { fault } from "../fault.ts";
import { presenterOf } from "../presenter.ts";

/** Maximum addresses per call; our own choice, so that a single write adds them. */
const MAX_EMAILS = 10_000;

const reasonField = z.enum(SUPPRESSION_REASONS);

const addBody = z.object({
  emails: listField(z.string(), MAX_EMAILS).refine((emails) => emails.length > 0, fault("empty")),
  reason: reasonField.default("manual"),
  source: z.string().max(MAX_SOURCE_CHARACTERS).default(""),
});

export const suppressionAnswer = namedAnswer("Suppression", {
  id: ulidAnswer,
  project_id: idAnswer,
  email: z.string().describe("Lowercase; unique within the project."),
  reason: reasonField,
  source: z.string().describe("Free text."),
  created_at: timeAnswer,
  last_seen_at: timeAnswer.describe("Updated when a later send hits the entry."),
});

export const presentSuppression = presenterOf(suppressionAnswer);

const addedAnswer = z.strictObject({
  added: countAnswer,
  skipped: countAnswer,
  rejected: z.array(
    z.strictObject({
      row: countAnswer,
      email: z.string(),
      reason: z.literal("invalid_syntax"),
    }),
  ),
});

export const suppressionPages = pagesOf("suppressions", ulidAnswer, ({ id }: SuppressionRow) => id);

const LIST = "/projects/:id/suppressions";

/** Routes of the suppression list (API reference §12.4). */
export const suppressionRoutes = [
  route({
    auth: "cookie",
    method: "GET",
    path: LIST,
    operation: "projects.suppressions.list",
    summary: "Lists the suppressed addresses of a project.",
    example: { query: { reason: "manual" } },
    capability: "read",
    query: suppressionPages.query({
      reason: reasonField.optional(),
      email: emailField.optional(),
      id: ulidAnswer.optional(),
    }),
    otherTypes: [CSV_TYPE],
    answer: z.strictObject({ suppressions: z.array(suppressionAnswer), ...pageAnswer }),
    handle: async ({ c, ctx, project, query }) => {
      const { reason, email, id, ...page } = query;
      const filter = { reason, email, id };
      if (wantsCsv(c))
        return suppressionPages.csv(c, page, {
          ctx,
          project,
          columns: Object.keys(suppressionAnswer.shape),
          read: async (part) => (await listSuppressions(ctx, project, filter, part)).suppressions,
          present: presentSuppression,
        });
      const { suppressions, total } = await listSuppressions(ctx, project, filter, page);
      const { shown, fields } = suppressionPages.cut(page, suppressions, total);
      return { suppressions: shown.map(presentSuppression), ...fields };
    },
  }),
  route({
    auth: "cookie",
    method: "POST",
    path: LIST,
    operation: "projects.suppressions.add",
    summary: "Adds addresses to the suppression list.",
    example: { body: { emails: ["ben@example.com"], source: "support" } },
    capability: "suppressions:write",
    body: addBody,
    answer: addedAnswer,
    handle: async ({ ctx, project, body }) => {
      const { added, skipped, rejected } = await addSuppressions(ctx, project, body);
      return { added, skipped, rejected };
    },
  }),
  route({
    auth: "cookie",
    method: "DELETE",
    path: `${LIST}/:suppressionId`,
    operation: "projects.suppressions.delete",
    summary: "Removes an address from the suppression list.",
    capability: "suppressions:write",
    handle: ({ ctx, project, param }) => deleteSuppression(ctx, project, param("suppressionId")),
  }),
];
