import { z } from "zod";
import { refusal } from "../../../errors.ts";
import { exportProject, importProject, KINDS } from "../../../services/project-transfer/index.ts";
import { countAnswer } from "../../answer-fields.ts";
import { bodyChunks } from "../../body-chunks.ts";
import { route } from "../../route/route.ts";
import { streamZip, ZIP_TYPE } from "../../stream-zip.ts";
import { readExport } from "./read-export.ts";

/** Limits on an imported export; our own choice. The platform accepts 100 MB on most plans. */
const UPLOAD = { bytes: 500 * 1_048_576, pauseMs: 30_000, wholeMs: 15 * 60_000 };

const importAnswer = z.strictObject({
  done: z.boolean(),
  rows: z.partialRecord(z.enum(KINDS), countAnswer),
  unknown_kinds: z.array(z.string()),
});

/** Routes to export and import a whole project (API reference §9.8). */
export const transferRoutes = [
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: "/projects/:id/export",
    operation: "projects.export",
    summary: "Exports everything in a project but secrets as a ZIP file.",
    capability: "projects:write",
    limit: "transfer",
    fileType: ZIP_TYPE,
    handle: async ({ c, ctx, project }) =>
      streamZip(c, "project", await exportProject(ctx, project)),
  }),
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: "/projects/:id/import",
    operation: "projects.import",
    summary: "Imports the ZIP file of an exported project into an empty project.",
    capability: "projects:write",
    limit: "transfer",
    refusals: [400, 409],
    freeBody: "The ZIP file of an export, unchanged.",
    freeBodyType: ZIP_TYPE,
    answer: importAnswer,
    handle: async ({ c, ctx, project }) => {
      const { body } = c.req.raw;
      const type = c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase();
      if (type !== ZIP_TYPE) throw refusal("not_a_zip", { type: ZIP_TYPE });
      const { now, waitUntil: later } = ctx.deps;
      const files = readExport(bodyChunks(body, UPLOAD, { now, later }));
      const { isFinished, rows, unknown } = await importProject(ctx, project, files);
      return { done: isFinished, rows, unknown_kinds: unknown };
    },
  }),
];
