import { z } from "zod";
import { AUTOMATION_PROBLEMS } from "../../messages/automation-problems.ts";
import {
  AUTOMATION_GRADES,
  LEAVES,
  rehearse,
  selectAutomation,
  type Rehearsal,
} from "../../services/automations/index.ts";
import { notFound } from "../../errors.ts";
import { countAnswer, namedAnswer, timeAnswer, timestamp } from "../answer-fields.ts";
import { uuidField } from "../fields.ts";
import { codeAnswer, paramsAnswer } from "../message-answer.ts";
import { route } from "../route/route.ts";

const leavesAnswer = z.enum(LEAVES);

const personAnswer = z.strictObject({
  enters: z.boolean().describe("False if the condition of the trigger keeps the person out."),
  steps: z.array(
    z.strictObject({
      id: z.string(),
      at: timeAnswer,
      way: countAnswer.nullable().describe("Of a branch, the way taken; null for `else`."),
      where: z.string().nullable().describe("The condition of that way."),
      mailed: z.boolean().nullable().describe("Of a mail, whether the person gets it."),
      subject: z.string().nullable(),
    }),
  ),
  leaves: leavesAnswer,
  at: timeAnswer,
});

const rehearsalAnswer = namedAnswer("AutomationRehearsal", {
  people: countAnswer.describe("How many people would enter."),
  looked_at: countAnswer.describe("Fewer than all if the figures come from a sample."),
  steps: z.array(z.strictObject({ id: z.string(), people: countAnswer, mails: countAnswer })),
  leaves: z.strictObject(
    Object.fromEntries(LEAVES.map((name) => [name, countAnswer])) as Record<
      (typeof LEAVES)[number],
      typeof countAnswer
    >,
  ),
  mails: countAnswer,
  mails_by_day: z.array(
    z.strictObject({ day: countAnswer.describe("0 is the first 24 hours."), mails: countAnswer }),
  ),
  most_mails: countAnswer.describe("The most mails that one person gets."),
  cost_usd: z.number().nonnegative(),
  problems: z.array(
    z.strictObject({
      code: codeAnswer("AutomationProblemCode", AUTOMATION_PROBLEMS),
      params: paramsAnswer.optional(),
      grade: z.enum(AUTOMATION_GRADES),
      message: z.string(),
      path: z.string(),
    }),
  ),
  person: personAnswer.nullable().describe("The way of the subscriber, if one is named."),
});

function presentRehearsal(rehearsal: Rehearsal): z.input<typeof rehearsalAnswer> {
  const { lookedAt, mailsByDay, mostMails, costUsd, person, ...same } = rehearsal;
  return {
    ...same,
    looked_at: lookedAt,
    mails_by_day: mailsByDay,
    most_mails: mostMails,
    cost_usd: costUsd,
    person: person && {
      ...person,
      steps: person.steps.map(({ at, way, isMailed, ...step }) => ({
        ...step,
        at: timestamp(at),
        way: way === "else" ? null : way,
        mailed: isMailed,
      })),
      at: timestamp(person.at),
    },
  };
}

/** Route of the rehearsal of an automation (API reference §12.18). */
export const automationRehearsalRoutes = [
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: "/projects/:id/automations/:automationId/rehearse",
    operation: "projects.automations.rehearse",
    summary: "Tells what an automation would do now, to everybody or to one subscriber.",
    capability: "read",
    limit: "preflight",
    example: { body: {} },
    body: z.object({ subscriber_id: uuidField.optional() }),
    answer: rehearsalAnswer,
    reads: ({ deps: { db }, projectId, param }) =>
      [selectAutomation(db, projectId, param("automationId"))] as const,
    handle: async ({ ctx, project, body, reads: [[automation]] }) => {
      if (!automation) throw notFound("automation");
      return presentRehearsal(await rehearse(ctx, project, automation, body.subscriber_id));
    },
  }),
];
