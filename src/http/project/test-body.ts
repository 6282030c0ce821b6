import { z } from "zod";
import type { TestOutcome } from "../../services/mailing/index.ts";
import { idAnswer } from "../answer-fields.ts";
import { mailboxField, uuidField } from "../fields.ts";
import { listField } from "../given.ts";
import { fault } from "../fault.ts";

/** Maximum addresses per test send (API reference §4.2). */
const TEST_ADDRESSES_MAX = 5;

/** The recipients of a test send, and whose variables it uses (API reference §10.6). */
export const testFields = {
  to: listField(mailboxField, TEST_ADDRESSES_MAX).refine((list) => list.length > 0, fault("empty")),
  subscriber_id: uuidField.optional(),
};

export const testAnswer = z.strictObject({
  results: z.array(
    z.strictObject({
      to: z.string(),
      status: z.enum(["sent", "failed", "suppressed"]),
      error: z.string().nullable(),
      id: idAnswer.nullable(),
    }),
  ),
});

/** Presents the outcomes of a test send (API reference §10.6). */
export const presentTest = (outcomes: TestOutcome[]): z.input<typeof testAnswer> => ({
  results: outcomes.map(presentOutcome),
});

function presentOutcome(outcome: TestOutcome): z.input<typeof testAnswer>["results"][number] {
  const { to } = outcome;
  if ("refused" in outcome) return { to, status: "failed", error: outcome.refused, id: null };
  const { answer } = outcome;
  if (answer.kind === "refused")
    return { to, status: "failed", error: answer.error, id: answer.id };
  return { to, status: answer.kind, error: null, id: answer.id };
}
