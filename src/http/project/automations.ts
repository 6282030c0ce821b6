import { z } from "zod";
import { AUTOMATION_STATES } from "../../db/schema/index.ts";
import type { Definition } from "../../lib/automation-definition.ts";
import {
  changeAutomation,
  createAutomation,
  deleteAutomation,
  enterAutomation,
  getAutomation,
  listAutomations,
  MOST_ENTERED,
  pauseAutomation,
  READY_MADE_LANGUAGES,
  readyMade,
  startAutomation,
  stopAutomation,
  type Automation,
} from "../../services/automations/index.ts";
import { selectStorage } from "../../services/storage/index.ts";
import {
  countAnswer,
  idAnswer,
  namedAnswer,
  timeAnswer,
  timestamp,
  timestampOrNull,
} from "../answer-fields.ts";
import { expectedVersions, setVersion } from "../entity-tag.ts";
import { fault } from "../fault.ts";
import { uuidField } from "../fields.ts";
import { listField } from "../given.ts";
import type { HttpContext } from "../http-env.ts";
import { messageAnswer } from "../message-answer.ts";
import { pageAnswer, pagesOf } from "../paging.ts";
import { route } from "../route/route.ts";
import {
  automationChangeBody,
  definitionAnswer,
  newAutomationBody,
  withGoal,
} from "./automation-body.ts";
import { whereField } from "./where-field.ts";

const automationAnswer = namedAnswer("Automation", {
  id: idAnswer,
  name: z.string(),
  state: z.enum(AUTOMATION_STATES),
  version: z.int().describe("The version that people enter."),
  ...definitionAnswer,
  reasons: z.array(messageAnswer).nullable().describe("Why the service paused it, if it did."),
  created_at: timeAnswer,
  updated_at: timeAnswer,
  started_at: timeAnswer.nullable(),
  people: z.strictObject({
    inside: countAnswer,
    entered: countAnswer,
    ended: countAnswer,
  }),
});

const readyMadeAnswer = namedAnswer("ReadyMadeAutomation", {
  key: z.string(),
  name: z.string(),
  description: z.string(),
  ...definitionAnswer,
  goal: definitionAnswer.goal.unwrap().optional(),
});

/** Presents an automation; its definition is stored as the API shows it. */
function presentAutomation(row: Automation): z.input<typeof automationAnswer> {
  const { id, name, state, version, definition, reasons, inside, entered, ended } = row;
  const { trigger, steps, goal = null, reentry } = definition;
  const whole = { id, name, state, version, trigger, steps, goal, reentry, reasons };
  return {
    ...whole,
    created_at: timestamp(row.createdAt),
    updated_at: timestamp(row.updatedAt),
    started_at: timestampOrNull(row.startedAt),
    people: { inside, entered, ended },
  };
}

function answer(c: HttpContext, row: Automation) {
  setVersion(c, row.updatedAt);
  return presentAutomation(row);
}

const pages = pagesOf("automations", uuidField, ({ id }: Automation) => id);

const LIST = "/projects/:id/automations";
const ITEM = `${LIST}/:automationId`;
const WRITE = "automations:write";

const enterBody = z
  .object({ subscriber_ids: listField(uuidField, MOST_ENTERED), where: whereField })
  .partial()
  .transform(({ subscriber_ids: ids, where }, context) => {
    if (ids !== undefined && where === undefined) return { ids };
    if (ids === undefined && where !== undefined) return { where };
    const message = fault("either", { one: "subscriber_ids", other: "where" });
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });

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
      answer(c, await createAutomation(ctx, project, body)),
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
      answer(c, await getAutomation(ctx, project, param("automationId"))),
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
      return answer(c, await changeAutomation(ctx, project, id, changed, expectedVersions(c)));
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
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: `${ITEM}/start`,
    operation: "projects.automations.start",
    summary: "Starts an automation, or resumes a paused one.",
    refusals: [409, 422],
    obeysIfMatch: true,
    capability: WRITE,
    answer: automationAnswer,
    reads: ({ deps: { db } }) => [selectStorage(db)] as const,
    handle: async ({ c, ctx, project, param, reads: [[storage]] }) => {
      const id = param("automationId");
      return answer(c, await startAutomation(ctx, project, id, storage, expectedVersions(c)));
    },
  }),
  ...(
    [
      ["pause", "Pauses an automation: nobody enters it or moves in it.", pauseAutomation],
      ["stop", "Stops an automation for good, and ends its runs.", stopAutomation],
    ] as const
  ).map(([action, summary, control]) =>
    route({
      auth: "cookie_or_key",
      method: "POST",
      path: `${ITEM}/${action}`,
      operation: `projects.automations.${action}`,
      summary,
      refusals: [409],
      capability: WRITE,
      answer: automationAnswer,
      handle: async ({ c, ctx, project, param }) =>
        answer(c, await control(ctx, project, param("automationId"))),
    }),
  ),
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: `${ITEM}/enter`,
    operation: "projects.automations.enter",
    summary: "Lets up to 1,000 subscribers into an active automation with the trigger `manual`.",
    refusals: [409],
    example: { body: { where: "tag:vip" } },
    capability: WRITE,
    body: enterBody,
    answer: z.strictObject({
      entered: countAnswer,
      more: z.boolean().describe("True if others match: call again to let them in."),
    }),
    handle: ({ ctx, project, body, param }) =>
      enterAutomation(ctx, project, param("automationId"), body),
  }),
];
