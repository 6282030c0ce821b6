import { z } from "zod";
import { AUTOMATION_STATES } from "../../db/schema/index.ts";
import type { Automation } from "../../services/automations/index.ts";
import {
  countAnswer,
  idAnswer,
  namedAnswer,
  timeAnswer,
  timestamp,
  timestampOrNull,
} from "../answer-fields.ts";
import { setVersion } from "../entity-tag.ts";
import type { HttpContext } from "../http-env.ts";
import { messageAnswer } from "../message-answer.ts";
import { definitionAnswer } from "./automation-body.ts";

export const automationAnswer = namedAnswer("Automation", {
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

export const readyMadeAnswer = namedAnswer("ReadyMadeAutomation", {
  key: z.string(),
  name: z.string(),
  description: z.string(),
  ...definitionAnswer,
  goal: definitionAnswer.goal.unwrap().optional(),
});

/** Presents an automation; its definition is stored as the API shows it. */
export function presentAutomation(row: Automation): z.input<typeof automationAnswer> {
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

/** Responds with an automation and its ETag. */
export function answerAutomation(c: HttpContext, row: Automation) {
  setVersion(c, row.updatedAt);
  return presentAutomation(row);
}
