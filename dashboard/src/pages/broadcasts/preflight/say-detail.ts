import { sayMessage, type Answered, type MessageTexts } from "../../../text/messages.ts";

/**
 * Returns the key of a problem's details in the texts: reasons have their own codes, some of them
 * the same as problem codes.
 */
export const ofProblem = (code: string): string => `problem ${code}`;

/** Formats the details of a problem, with the variant of an A/B test. */
export function sayDetail(texts: MessageTexts, { code, params = {}, message }: Answered): string {
  const said = sayMessage(texts, { code: ofProblem(code), params, message });
  const { variant } = params;
  if (variant === undefined || said === message) return said;
  return sayMessage(texts, { code: "of_variant", params: { variant, problem: said }, message });
}
