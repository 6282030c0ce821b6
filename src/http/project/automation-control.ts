import { z } from "zod";
import {
  enterAutomation,
  MOST_ENTERED,
  pauseAutomation,
  startAutomation,
  stopAutomation,
} from "../../services/automations/index.ts";
import { selectStorage } from "../../services/storage/index.ts";
import { countAnswer } from "../answer-fields.ts";
import { expectedVersions } from "../entity-tag.ts";
import { fault } from "../fault.ts";
import { uuidField } from "../fields.ts";
import { listField } from "../given.ts";
import { route } from "../route/route.ts";
import { answerAutomation, automationAnswer } from "./automation-answer.ts";
import { whereField } from "./where-field.ts";

const ITEM = "/projects/:id/automations/:automationId";
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

/** Routes that start, pause and stop automations, and let people in (API reference §12.18). */
export const automationControlRoutes = [
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
      return answerAutomation(
        c,
        await startAutomation(ctx, project, id, storage, expectedVersions(c)),
      );
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
        answerAutomation(c, await control(ctx, project, param("automationId"))),
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
