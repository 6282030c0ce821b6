import { z } from "zod";
import { gzip } from "../../../lib/gzip.ts";
import { exportProject, importProject, KINDS } from "../../../services/project-transfer/index.ts";
import { countAnswer } from "../../answer-fields.ts";
import { bodyChunks } from "../../body-chunks.ts";
import { route } from "../../route/route.ts";
import { streamParts } from "../../stream-parts.ts";
import { readExport } from "./read-export.ts";

const GZIP_TYPE = "application/gzip";

/** Limits on an imported export; our own choice. The platform accepts 100 MB on most plans. */
const UPLOAD = { bytes: 500 * 1_048_576, pauseMs: 30_000, wholeMs: 15 * 60_000 };

const importAnswer = z.strictObject({
  done: z.boolean(),
  rows: z.partialRecord(z.enum(KINDS), countAnswer),
});

/** Routes to export and import a whole project (API reference §9.8). */
export const transferRoutes = [
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: "/projects/:id/export",
    operation: "projects.export",
    summary: "Exports everything in a project but secrets as gzipped NDJSON.",
    capability: "projects:write",
    limit: "transfer",
    fileType: GZIP_TYPE,
    handle: async ({ c, ctx, project }) =>
      c.body(await streamParts("project", gzip(await exportProject(ctx, project))), 200, {
        "Content-Type": GZIP_TYPE,
        "Content-Disposition": 'attachment; filename="project.ndjson.gz"',
      }),
  }),
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: "/projects/:id/import",
    operation: "projects.import",
    summary: "Imports the file of an exported project into an empty project.",
    capability: "projects:write",
    limit: "transfer",
    refusals: [400, 409],
    freeBody: "The file of an export, unchanged.",
    freeBodyType: GZIP_TYPE,
    answer: importAnswer,
    handle: async ({ c, ctx, project }) => {
      const { now, waitUntil: later } = ctx.deps;
      const lines = readExport(bodyChunks(c.req.raw.body, UPLOAD, { now, later }));
      const { isFinished, rows } = await importProject(ctx, project, lines);
      return { done: isFinished, rows };
    },
  }),
];
