import { z } from "zod";
import { deleteSavedBlock, listSavedBlocks, saveBlock } from "../../services/templates/index.ts";
import { idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { jsonField, nameField } from "../fields.ts";
import { presenterOf } from "../presenter.ts";
import { route } from "../route/route.ts";

/** A block as the dashboard's editor stores it in the HTML of a template. */
export const blockField = jsonField(20_000);

const savedBlockAnswer = namedAnswer("SavedBlock", {
  id: idAnswer,
  project_id: idAnswer,
  name: z.string(),
  block: z
    .record(z.string(), z.unknown())
    .describe("The block as the dashboard's editor stores it."),
  created_at: timeAnswer,
});

const presentBlock = presenterOf(savedBlockAnswer);

const LIST = "/projects/:id/saved-blocks";

/** Routes of the blocks that are kept to insert into mails (API reference §10.7). */
export const savedBlockRoutes = [
  route({
    auth: "cookie",
    method: "POST",
    path: LIST,
    operation: "projects.savedBlocks.create",
    summary: "Saves a block of an email under a name.",
    once: true,
    refusals: [409],
    example: {
      body: { name: "Space", block: { type: "spacer", height: 32 } },
    },
    capability: "templates:write",
    body: z.object({ name: nameField, block: blockField }),
    answer: savedBlockAnswer,
    status: 201,
    handle: async ({ ctx, project, body }) => presentBlock(await saveBlock(ctx, project, body)),
  }),
  route({
    auth: "cookie",
    method: "GET",
    path: LIST,
    operation: "projects.savedBlocks.list",
    summary: "Lists the saved blocks of a project.",
    capability: "read",
    answer: z.strictObject({ saved_blocks: z.array(savedBlockAnswer) }),
    handle: async ({ ctx, project }) => ({
      saved_blocks: (await listSavedBlocks(ctx, project)).map(presentBlock),
    }),
  }),
  route({
    auth: "cookie",
    method: "DELETE",
    path: `${LIST}/:savedBlockId`,
    operation: "projects.savedBlocks.delete",
    summary: "Deletes a saved block; emails with a copy of it keep it.",
    capability: "templates:write",
    handle: ({ ctx, project, param }) => deleteSavedBlock(ctx, project, param("savedBlockId")),
  }),
];
