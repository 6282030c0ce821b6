import { z } from "zod";
import { PREFLIGHT_CODES } from "../messages/preflight.ts";
import { GRADES, PLACES } from "../services/preflight/index.ts";
import { idAnswer, namedAnswer } from "./answer-fields.ts";
import { paramsAnswer } from "./message-answer.ts";

/**
 * A problem of a draft, in its pre-flight check and in the error of a refused start (API reference
 * §11.11).
 */
export const problemAnswer = namedAnswer("BroadcastProblem", {
  code: z.enum(PREFLIGHT_CODES),
  params: paramsAnswer.optional(),
  grade: z.enum(GRADES),
  message: z.string(),
  fix_in: z.enum(PLACES),
  broadcast_id: idAnswer.exactOptional(),
});
