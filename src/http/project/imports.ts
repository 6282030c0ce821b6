import { z } from "zod";
import { createImport, listImports, type ImportEntry } from "../../services/subscribers/index.ts";
import { countAnswer, idAnswer, namedAnswer, timeAnswer, timestamp } from "../answer-fields.ts";
import { nameField } from "../fields.ts";
import { at } from "../route/entry-point.ts";
import { route } from "../route/route.ts";

const importAnswer = namedAnswer("Import", {
  id: idAnswer,
  project_id: idAnswer,
  name: z.string(),
  imported: countAnswer.describe("Subscribers that it added."),
  existing: countAnswer.describe("Subscribers in it that the project already had."),
  created_at: timeAnswer,
});

const presentImport = (entry: ImportEntry): z.input<typeof importAnswer> => ({
  id: entry.id,
  project_id: entry.projectId,
  name: entry.name,
  imported: entry.imported,
  existing: entry.existing,
  created_at: timestamp(entry.createdAt),
});

const LIST = "/imports";

/** Routes of a project's imports (API reference §12.2). */
export const importRoutes = [
  route({
    ...at("project", "POST", LIST, "imports.create"),
    summary: "Creates an import, to which imports of lists add their people by its id.",
    once: true,
    example: { body: { name: "Spring fair" } },
    capability: "subscribers:write",
    body: z.object({ name: nameField }),
    answer: importAnswer,
    status: 201,
    handle: async ({ ctx, project, body: { name } }) =>
      presentImport(await createImport(ctx, project, name)),
  }),
  route({
    ...at("project", "GET", LIST, "imports.list"),
    summary: "Lists the newest imports of a project.",
    capability: "read",
    answer: z.strictObject({ imports: z.array(importAnswer) }),
    handle: async ({ ctx, project }) => ({
      imports: (await listImports(ctx, project)).map(presentImport),
    }),
  }),
];
