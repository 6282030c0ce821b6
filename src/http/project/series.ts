import { z } from "zod";
import {
  growthReads,
  openTimesReads,
  readGrowth,
  readOpenTimes,
  readSeries,
  seriesReads,
  type Growth,
  type OpenTimes,
  type Series,
} from "../../services/analytics/index.ts";
import { countAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { timestampField } from "../fields.ts";
import { route } from "../route/route.ts";
import { presenterOf } from "../presenter.ts";

const seriesAnswer = namedAnswer("Series", {
  from: timeAnswer,
  to: timeAnswer,
  granularity: z.enum(["hour", "day", "week", "month"]),
  series: z.array(
    z.strictObject({
      bucket: timeAnswer,
      sent: countAnswer,
      delivered: countAnswer,
      failed: countAnswer,
      bounced: countAnswer,
      opened: countAnswer,
      clicked: countAnswer,
      unsubscribed: countAnswer,
    }),
  ),
});

const present = presenterOf(seriesAnswer);

/** Presents a time series (API reference §16.2): `sent` counts all attempted mails. */
const presentSeries = ({ points, ...series }: Series) =>
  present({
    ...series,
    series: points.map((point) => ({
      ...point,
      sent: point.delivered + point.failed + point.bounced,
    })),
  });

const growthAnswer = namedAnswer("AudienceGrowth", {
  from: timeAnswer,
  to: timeAnswer,
  granularity: z.enum(["hour", "day", "week", "month"]),
  is_complete: z
    .boolean()
    .describe("False if more than 50,000 people joined: the latest are counted."),
  series: z.array(
    z.strictObject({
      bucket: timeAnswer,
      joined: countAnswer.describe("People who joined, even if they have left since."),
      unsubscribed: countAnswer,
      suppressed: countAnswer.describe("Addresses that bounced, complained or were suppressed."),
    }),
  ),
});

const presentWhole = presenterOf(growthAnswer);

const presentGrowth = ({ points, ...growth }: Growth) =>
  presentWhole({ ...growth, series: points });

const openTimesAnswer = namedAnswer("OpenTimes", {
  from: timeAnswer,
  to: timeAnswer,
  is_complete: z
    .boolean()
    .describe("False if only the latest 20,000 pairs of an hour and a broadcast are counted."),
  series: z
    .array(z.strictObject({ bucket: timeAnswer, opens: countAnswer }))
    .describe("The UTC hours with first opens by people, of broadcasts only."),
});

const presentTimes = presenterOf(openTimesAnswer);

const presentOpenTimes = ({ hours, ...times }: OpenTimes) =>
  presentTimes({ ...times, series: hours.map(({ at, opens }) => ({ bucket: at, opens })) });

const windowQuery = z.object({ from: timestampField, to: timestampField });
const example = { query: { from: "2026-11-01T00:00:00Z", to: "2026-12-01T00:00:00Z" } };

export const seriesRoutes = [
  route({
    auth: "cookie",
    method: "GET",
    path: "/projects/:id/stats/growth",
    operation: "projects.growth",
    summary: "Returns who joined and left the audience in a period, bucket by bucket.",
    example,
    capability: "read",
    query: windowQuery,
    answer: growthAnswer,
    reads: ({ deps, projectId, query }) => growthReads(deps, projectId, query),
    handle: async ({ query, reads }) => presentGrowth(readGrowth(query, reads)),
  }),
  route({
    auth: "cookie",
    method: "GET",
    path: "/projects/:id/stats/open-times",
    operation: "projects.openTimes",
    summary: "Returns when people opened broadcasts in a period, hour by hour.",
    example,
    capability: "read",
    query: windowQuery,
    answer: openTimesAnswer,
    reads: ({ deps, projectId, query }) => openTimesReads(deps, projectId, query),
    handle: async ({ query, reads }) => presentOpenTimes(readOpenTimes(query, reads[0])),
  }),
  route({
    auth: "cookie",
    method: "GET",
    path: "/projects/:id/stats/series",
    operation: "projects.series",
    summary: "Returns the outcomes of the emails of a period, bucket by bucket.",
    example,
    capability: "read",
    query: windowQuery,
    answer: seriesAnswer,
    reads: ({ deps, projectId, query }) => seriesReads(deps, projectId, query),
    handle: async ({ query, reads }) => presentSeries(readSeries(query, reads)),
  }),
];
