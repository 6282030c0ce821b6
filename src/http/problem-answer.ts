import { z } from "zod";
import { GRADES, PLACES, PREFLIGHT_CODES, type Problem } from "../services/preflight/index.ts";
import { idAnswer, namedAnswer } from "./answer-fields.ts";

/**
 * A problem of a draft: in its pre-flight, and in the refusal of its start (API reference §11.11).
 */
export const problemAnswer = namedAnswer("BroadcastProblem", {
  code: z.enum(PREFLIGHT_CODES),
  grade: z.enum(GRADES),
  message: z.string(),
  fix_in: z.enum(PLACES),
  broadcast_id: idAnswer.exactOptional(),
});

export const presentProblem = ({
  code,
  grade,
  message,
  fixIn,
  broadcastId,
}: Problem): z.input<typeof problemAnswer> => ({
  code,
  grade,
  message,
  fix_in: fixIn,
  ...(broadcastId === undefined ? {} : { broadcast_id: broadcastId }),
});
