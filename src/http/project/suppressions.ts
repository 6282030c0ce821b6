import { z } from "zod";
import { SUPPRESSION_REASONS } from "../../db/schema/index.ts";
import {
  addSuppressions,
  deleteSuppression,
  listSuppressions,
  MAX_SOURCE_CHARACTERS,
} from "../../services/suppressions/index.ts";
import { pageQuery } from "../fields.ts";
import { listField } from "../given.ts";
import { presentSuppression } from "../present.ts";
import { projectRoute } from "../routes.ts";

/** Addresses in one call; ours, so that one write adds them. */
const MAX_EMAILS = 10_000;

const reasonField = z.enum(SUPPRESSION_REASONS);

const addBody = z.object({
  emails: listField(z.string(), MAX_EMAILS, `must have at most ${MAX_EMAILS} addresses`).refine(
    (emails) => emails.length > 0,
    "must not be empty",
  ),
  reason: reasonField.default("manual"),
  source: z.string().max(MAX_SOURCE_CHARACTERS).default(""),
});

const LIST = "/projects/:id/suppressions";

/** Routes of API reference §12.4. */
export const suppressionRoutes = [
  projectRoute({
    method: "GET",
    path: LIST,
    auth: "cookie",
    capability: "read",
    query: pageQuery.extend({ reason: reasonField.optional() }),
    handler: async ({ c, ctx, project, query }) => {
      const { reason, ...page } = query;
      const { suppressions, total } = await listSuppressions(ctx, project, reason, page);
      return c.json({ suppressions: suppressions.map(presentSuppression), total });
    },
  }),
  projectRoute({
    method: "POST",
    path: LIST,
    auth: "cookie",
    capability: "suppressions:write",
    body: addBody,
    handler: async ({ c, ctx, project, body }) => {
      const { added, skipped, rejected } = await addSuppressions(ctx, project, body);
      return c.json({ added, skipped, rejected });
    },
  }),
  projectRoute({
    method: "DELETE",
    path: `${LIST}/:suppressionId`,
    auth: "cookie",
    capability: "suppressions:write",
    handler: async ({ c, ctx, project }) => {
      await deleteSuppression(ctx, project, c.req.param("suppressionId") ?? "");
      return c.body(null, 204);
    },
  }),
];
