import { z } from "zod";
import { LOG_STATUSES } from "../../db/schema/index.ts";
import {
  getOverview,
  overviewReads,
  refusalReads,
  reportRefusals,
  type Overview,
  type WindowTotals,
} from "../../services/analytics/index.ts";
import { countAnswer, idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { timestampField } from "../fields.ts";
import { route } from "../route/route.ts";
import { presenterOf } from "../presenter.ts";

const overviewQuery = z.object({ from: timestampField, to: timestampField });

const windowAnswer = z.strictObject({
  total_sent: countAnswer,
  total_failed: countAnswer,
  total_opened: countAnswer,
  total_clicked: countAnswer,
  deliverability_pct: z.number(),
  open_rate_pct: z.number(),
  click_rate_pct: z.number(),
});

const overviewAnswer = namedAnswer("AnalyticsOverview", {
  ...windowAnswer.shape,
  from: timeAnswer,
  to: timeAnswer,
  granularity: z.enum(["hour", "day", "week", "month"]),
  range_days: countAnswer.describe("Rounded up."),
  click_to_open_pct: z.number().describe("clicked / opened × 100."),
  active_subscribers: countAnswer.describe("Current value."),
  opens_series: z.array(z.strictObject({ bucket: timeAnswer, opens: countAnswer })),
  top_templates: z.array(
    z.strictObject({ template_id: idAnswer, name: z.string(), sends: countAnswer }),
  ),
  top_clicked_links: z.array(z.strictObject({ url: z.string(), clicks: countAnswer })),
  sends_by_status: z.array(z.strictObject({ status: z.enum(LOG_STATUSES), count: countAnswer })),
  previous: windowAnswer,
});

const present = presenterOf(overviewAnswer);

/** Presents an overview (API reference §16.3); `sends_by_status` has all four statuses. */
const presentOverview = (overview: Overview) =>
  present({
    ...overview,
    ...windowOf(overview),
    clickToOpenPct: overview.shares.clickToOpen,
    sendsByStatus: LOG_STATUSES.map((status) => ({ status, count: overview.totals[status] })),
    previous: windowOf(overview.previous),
  });

const windowOf = ({ totals, shares }: WindowTotals) => ({
  totalSent: totals.sent,
  totalFailed: totals.failed,
  totalOpened: totals.opened,
  totalClicked: totals.clicked,
  deliverabilityPct: shares.deliverability,
  openRatePct: shares.openRate,
  clickRatePct: shares.clickRate,
});

const refusalsAnswer = z.strictObject({
  from: timeAnswer,
  to: timeAnswer,
  refusals: z.array(
    z.strictObject({ reason: z.string().nullable(), failed: countAnswer, bounced: countAnswer }),
  ),
  is_complete: z.boolean(),
});

const presentRefusals = presenterOf(refusalsAnswer);

export const analyticsRoutes = [
  route({
    auth: "cookie",
    method: "GET",
    path: "/projects/:id/analytics/refusals",
    operation: "projects.analytics.refusals",
    summary: "Counts the rejected emails of a period by reason.",
    example: { query: { from: "2026-11-01T00:00:00Z", to: "2026-12-01T00:00:00Z" } },
    capability: "read",
    license: "analytics",
    query: overviewQuery,
    answer: refusalsAnswer,
    reads: ({ deps, projectId, query }) => refusalReads(deps, projectId, query),
    handle: async ({ query, reads }) => presentRefusals(reportRefusals(query, reads[0])),
  }),
  route({
    auth: "cookie",
    method: "GET",
    path: "/projects/:id/analytics/overview",
    operation: "projects.analytics.overview",
    summary: "Summarizes the emails, opens and clicks of a period.",
    example: { query: { from: "2026-11-01T00:00:00Z", to: "2026-12-01T00:00:00Z" } },
    capability: "read",
    license: "analytics",
    query: overviewQuery,
    answer: overviewAnswer,
    reads: ({ deps, projectId }) => overviewReads(deps, projectId),
    handle: async ({ ctx, project, query, reads }) =>
      presentOverview(await getOverview(ctx, project, query, reads)),
  }),
];
