import { formatDayTime } from "../../../lib/format.ts";
import { sayMessage, type Answered, type MessageTexts } from "../../../text/messages.ts";

/**
 * Returns the key of a problem's details in the texts: reasons have their own codes, some of them
 * the same as problem codes.
 */
export const ofProblem = (code: string): string => `problem ${code}`;

const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** Returns a message of the service as a sentence, with times as the reader writes them. */
export function asSentence(said: string): string {
  const text = said.replaceAll(TIME, formatDayTime);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?:]$/.test(text) ? "" : "."}`;
}

/** Formats the details of a problem, with the variant of an A/B test. */
export function sayDetail(texts: MessageTexts, { code, params = {}, message }: Answered): string {
  const said = sayMessage(texts, { code: ofProblem(code), params, message });
  const { variant } = params;
  if (variant === undefined || said === message) return said;
  return sayMessage(texts, { code: "of_variant", params: { variant, problem: said }, message });
}
