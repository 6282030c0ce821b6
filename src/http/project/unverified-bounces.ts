import { z } from "zod";
import { REPORT_KINDS } from "../../db/schema/index.ts";
import {
  confirmUnverified,
  unverifiedOf,
  unverifiedReads,
  type UnverifiedRow,
} from "../../services/bounces/index.ts";
import { totalOf } from "../../lib/page.ts";
import { countAnswer, timeAnswer } from "../answer-fields.ts";
import { emailField } from "../fields.ts";
import { listField } from "../given.ts";
import { pageAnswer, pagesOf } from "../paging.ts";
import { route } from "../route/route.ts";
import { fault } from "../fault.ts";
import { presenterOf } from "../presenter.ts";

/** Maximum addresses per call; a list counts at most 1,000 reports. */
const MAX_EMAILS = 1_000;

const LIST = "/projects/:id/bounces/unverified";

const confirmBody = z.object({
  emails: listField(emailField, MAX_EMAILS).refine((emails) => emails.length > 0, fault("empty")),
});

const reportAnswer = z.strictObject({
  email: z.string(),
  kind: z.enum(REPORT_KINDS),
  reason: z.string(),
  diagnostic: z.string(),
  log_id: z
    .string()
    .nullable()
    .describe("The latest accepted email to the address, or the latest."),
  reports: countAnswer.describe("The number of reports."),
  first_seen_at: timeAnswer,
  last_seen_at: timeAnswer,
});

const present = presenterOf(reportAnswer);

/** Presents an unverified report (API reference §14.2). */
const presentReport = (row: UnverifiedRow) => present({ ...row, diagnostic: row.words });

const pages = pagesOf(
  "unverified",
  z.tuple([z.int(), z.string()]),
  ({ lastSeenAt, email }: UnverifiedRow): [number, string] => [lastSeenAt, email],
);

/** Routes of unverified reports (API reference §14.2). */
export const unverifiedBounceRoutes = [
  route({
    auth: "cookie",
    method: "GET",
    path: LIST,
    operation: "projects.bounces.unverified.list",
    summary: "Lists the bounce reports without proof.",
    capability: "read",
    query: pages.query({}),
    answer: z.strictObject({ reports: z.array(reportAnswer), ...pageAnswer }),
    reads: ({ deps, projectId, query }) => unverifiedReads(deps, projectId, query),
    handle: async ({ query, reads: [rows, totals] }) => {
      const { shown, fields } = pages.cut(query, rows, totalOf(query, totals));
      return { reports: shown.map(presentReport), ...fields };
    },
  }),
  route({
    auth: "cookie",
    method: "POST",
    path: `${LIST}/suppress`,
    operation: "projects.bounces.unverified.suppress",
    summary: "Suppresses the addresses of reports without proof.",
    example: { body: { emails: ["ben@example.com"] } },
    capability: "suppressions:write",
    body: confirmBody,
    answer: z.strictObject({ suppressed: countAnswer }),
    reads: ({ deps, projectId, body }) => unverifiedOf(deps, projectId, body.emails),
    handle: async ({ ctx, project, reads }) => ({
      suppressed: await confirmUnverified(ctx, project, reads[0]),
    }),
  }),
];
