import { z } from "zod";
import { listReads, pageOf, type SubscriberRow } from "../../services/subscribers/index.ts";
import { countAnswer, timeAnswer } from "../answer-fields.ts";
import { uuidField } from "../fields.ts";
import { pageAnswer, pagesOf } from "../paging.ts";
import { route } from "../route/route.ts";
import { presenterOf } from "../presenter.ts";

/** Maximum page size (API reference §17). */
const MAX_PAGE = 100;

const pages = pagesOf(
  "subscribers",
  z.tuple([uuidField, z.string()]),
  ({ id, email }: SubscriberRow): [string, string] => [id, email],
);

const listQuery = pages
  .query({})
  .transform(({ limit, ...page }) => ({ limit: Math.min(limit, MAX_PAGE), ...page }));

const subscriberAnswer = z.strictObject({
  email: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: timeAnswer,
});

const presentSubscriber = presenterOf(subscriberAnswer);

const listAnswer = z.strictObject({
  subscribers: z.array(subscriberAnswer),
  pagination: z.strictObject({ ...pageAnswer, limit: countAnswer, offset: countAnswer }),
});

export const listRoute = route({
  auth: "secret",
  method: "GET",
  path: "/subscribers",
  operation: "keyed.subscribers.list",
  summary: "Lists the subscribers of the key's project.",
  example: { query: { limit: "20" } },
  capability: "read",
  limit: "keyed_read",
  query: listQuery,
  answer: listAnswer,
  reads: ({ deps, projectId, query }) => listReads(deps, projectId, {}, query),
  handle: async ({ reads, query }) => {
    const { limit, offset } = query;
    const { subscribers, total } = pageOf(query, reads);
    const { shown, fields } = pages.cut(query, subscribers, total);
    return {
      subscribers: shown.map(presentSubscriber),
      pagination: { ...fields, limit, offset },
    };
  },
});
