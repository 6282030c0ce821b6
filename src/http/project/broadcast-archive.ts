import { z } from "zod";
import {
  readArchiveState,
  setInArchive,
  type ArchiveState,
} from "../../services/broadcasts/index.ts";
import type { HttpContext } from "../http-env.ts";
import { route } from "../route/route.ts";

const archiveAnswer = z.strictObject({
  in_archive: z
    .boolean()
    .nullable()
    .describe("Null for the rule: a broadcast to the whole topic is shown."),
  has_archive: z.boolean().describe("True if its topic has an archive."),
  url: z.string().nullable().describe("Its page in the archive; null if the archive lacks it."),
});

function presentState(
  c: HttpContext,
  projectId: string,
  broadcastId: string,
  { inArchive, hasArchive, isShown }: ArchiveState,
): z.input<typeof archiveAnswer> {
  const { baseUrl } = c.var.ctx.deps.config;
  const url = isShown ? `${baseUrl}/archive/${projectId}/${broadcastId}` : null;
  return { in_archive: inArchive, has_archive: hasArchive, url };
}

const PATH = "/projects/:id/broadcasts/:broadcastId/archive";

/** Routes of a broadcast's place in the archive (API reference §13.10). */
export const broadcastArchiveRoutes = [
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: PATH,
    operation: "projects.broadcasts.archive",
    summary: "Returns whether the archive of its topic shows a broadcast.",
    capability: "read",
    answer: archiveAnswer,
    handle: async ({ c, ctx, project, param }) => {
      const id = param("broadcastId");
      return presentState(c, project.id, id, await readArchiveState(ctx, project, id));
    },
  }),
  route({
    auth: "cookie_or_key",
    method: "PUT",
    path: PATH,
    operation: "projects.broadcasts.setInArchive",
    summary: "Shows a broadcast in the archive of its topic, or takes it out.",
    example: { body: { in_archive: true } },
    capability: "send:broadcast",
    body: z.object({ in_archive: z.boolean().optional() }),
    answer: archiveAnswer,
    handle: async ({ c, ctx, project, body, param }) => {
      const id = param("broadcastId");
      return presentState(
        c,
        project.id,
        id,
        await setInArchive(ctx, project, id, body.in_archive ?? null),
      );
    },
  }),
];
