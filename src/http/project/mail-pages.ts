import { z } from "zod";
import type { Ctx } from "../../context.ts";
import type { ProjectRow } from "../../services/access/index.ts";
import { getBroadcast } from "../../services/broadcasts/index.ts";
import { previewTemplate, type Audience } from "../../services/mailing/index.ts";
import { getTemplate, selectTemplate } from "../../services/templates/index.ts";
import type { HttpContext } from "../http-env.ts";
import { route } from "../route/route.ts";
import { answerPage } from "./preview-page.ts";

/** Names the version that the caller knows; a browser then keeps the page. */
const pageQuery = z.object({ version: z.string().max(100).optional() });

/** Responds with the HTML of a mail, rendered for nobody, as a page for a frame. */
async function answerMail(
  c: HttpContext,
  ctx: Ctx,
  project: ProjectRow,
  htmlBody: string,
  version: string | undefined,
): Promise<Response> {
  const audience: Audience = { kind: "list", metadataKeys: [] };
  const input = { subject: "", textBody: "", htmlBody, audience };
  const preview = await previewTemplate(ctx, project, input);
  return answerPage(c, preview, version !== undefined);
}

/** The mails of lists as pages, which the dashboard shows as small pictures. */
export const mailPageRoutes = [
  route({
    auth: "cookie",
    method: "GET",
    path: "/projects/:id/templates/:templateId/page",
    operation: "projects.templates.page",
    summary: "Returns a template as a page, rendered without data.",
    capability: "read",
    query: pageQuery,
    fileType: "text/html",
    handle: async ({ c, ctx, project, query, param }) => {
      const { htmlBody } = await getTemplate(ctx, project, param("templateId"));
      return answerMail(c, ctx, project, htmlBody, query.version);
    },
  }),
  route({
    auth: "cookie",
    method: "GET",
    path: "/projects/:id/broadcasts/:broadcastId/page",
    operation: "projects.broadcasts.page",
    summary: "Returns the email of a broadcast as a page, rendered without data.",
    capability: "read",
    query: pageQuery,
    fileType: "text/html",
    handle: async ({ c, ctx, project, query, param }) => {
      const broadcast = await getBroadcast(ctx, project, param("broadcastId"));
      const { state, templateId, htmlBody } = broadcast;
      // a draft has the content of its template, which may be gone
      const [template] =
        state === "draft" && templateId !== null
          ? await selectTemplate(ctx.deps.db, project.id, templateId)
          : [];
      return answerMail(c, ctx, project, template?.htmlBody ?? htmlBody, query.version);
    },
  }),
];
