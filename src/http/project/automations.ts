import { z } from "zod";
import { AUTOMATION_STATES } from "../../db/schema/index.ts";
import { withGoal, type Definition } from "../../lib/automation-definition.ts";
import {
  changeAutomation,
  createAutomation,
  deleteAutomation,
  getAutomation,
  listAutomations,
  READY_MADE_LANGUAGES,
  readyMade,
  type Automation,
} from "../../services/automations/index.ts";
import { expectedVersions } from "../entity-tag.ts";
import { uuidField } from "../fields.ts";
import { pageAnswer, pagesOf } from "../paging.ts";
import { route } from "../route/route.ts";
import {
  answerAutomation,
  automationAnswer,
  presentAutomation,
  readyMadeAnswer,
} from "./automation-answer.ts";
import { automationChangeBody, newAutomationBody } from "./automation-body.ts";

const pages = pagesOf("automations", uuidField, ({ id }: Automation) => id);

const LIST = "/projects/:id/automations";
const ITEM = `${LIST}/:automationId`;
const WRITE = "automations:write";

/** Routes of automations (API reference §12.18). */
export const automationRoutes = [
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: LIST,
    operation: "projects.automations.create",
    summary: "Saves an automation as a draft.",
    once: true,
    refusals: [409],
    example: {
      body: {
        name: "Welcome",
        trigger: { type: "confirmed" },
        steps: [
          {
            id: "hello",
            type: "send",
            subject: "Welcome, {{name}}",
            html_body: '<p>Hello!</p><p><a href="{{unsubscribe_link}}">Unsubscribe</a></p>',
          },
          { id: "rest", type: "wait", for: "3 days" },
          { id: "welcomed", type: "set", add_tags: ["welcomed"] },
        ],
        reentry: "never",
      },
    },
    capability: WRITE,
    body: newAutomationBody,
    answer: automationAnswer,
    status: 201,
    handle: async ({ c, ctx, project, body }) =>
      answerAutomation(c, await createAutomation(ctx, project, body)),
  }),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: LIST,
    operation: "projects.automations.list",
    summary: "Lists the automations of a project, the newest first.",
    capability: "read",
    query: pages.query({ state: z.enum(AUTOMATION_STATES).optional() }),
    answer: z.strictObject({ automations: z.array(automationAnswer), ...pageAnswer }),
    handle: async ({ ctx, project, query }) => {
      const { automations, total } = await listAutomations(ctx, project, {
        ...query,
        state: query.state,
      });
      const { shown, fields } = pages.cut(query, automations, total);
      return { automations: shown.map(presentAutomation), ...fields };
    },
  }),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: `${LIST}/ready-made`,
    operation: "projects.automations.readyMade",
    summary: "Lists complete automations to begin with, in the look of the project.",
    example: { query: { language: "en" } },
    capability: "read",
    query: z.object({
      language: z.enum(READY_MADE_LANGUAGES).optional().describe("That of the project by default."),
    }),
    answer: z.strictObject({ automations: z.array(readyMadeAnswer) }),
    handle: async ({ project, query }) => ({ automations: readyMade(project, query.language) }),
  }),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: ITEM,
    operation: "projects.automations.get",
    summary: "Returns an automation.",
    capability: "read",
    answer: automationAnswer,
    handle: async ({ c, ctx, project, param }) =>
      answerAutomation(c, await getAutomation(ctx, project, param("automationId"))),
  }),
  route({
    auth: "cookie_or_key",
    method: "PATCH",
    path: ITEM,
    operation: "projects.automations.update",
    summary: "Changes an automation; of one that runs, makes a new version.",
    refusals: [409, 422],
    obeysIfMatch: true,
    example: { body: { name: "Welcome", inside: "move" } },
    capability: WRITE,
    body: automationChangeBody,
    answer: automationAnswer,
    handle: async ({ c, ctx, project, body, param }) => {
      const { name, goal, inside, trigger, steps, reentry } = body;
      const change = (before: Definition) =>
        withGoal(
          {
            ...before,
            ...(trigger && { trigger }),
            ...(steps && { steps }),
            ...(reentry && { reentry }),
          },
          goal,
        );
      const id = param("automationId");
      const changed = { name, change, inside };
      return answerAutomation(
        c,
        await changeAutomation(ctx, project, id, changed, expectedVersions(c)),
      );
    },
  }),
  route({
    auth: "cookie_or_key",
    method: "DELETE",
    path: ITEM,
    operation: "projects.automations.delete",
    summary: "Deletes a draft or a stopped automation with its runs.",
    refusals: [409],
    obeysIfMatch: true,
    capability: WRITE,
    handle: ({ c, ctx, project, param }) =>
      deleteAutomation(ctx, project, param("automationId"), expectedVersions(c)),
  }),
];
