import { sayMessage, type Answered, type MessageTexts } from "../../../text/messages.ts";

/**
 * Returns the code under which the texts have what is said about a problem of this code: reasons
 * have codes of their own, some the same as problems.
 */
export const ofProblem = (code: string): string => `problem ${code}`;

/** Says what the service says about a problem, with the variant of a trial. */
export function sayDetail(texts: MessageTexts, { code, params = {}, message }: Answered): string {
  const said = sayMessage(texts, { code: ofProblem(code), params, message });
  const { variant } = params;
  if (variant === undefined || said === message) return said;
  return sayMessage(texts, { code: "of_variant", params: { variant, problem: said }, message });
}
