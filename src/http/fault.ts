import { z } from "zod";
import { faultOf, type FAULTS, type FaultCode } from "../messages/faults.ts";
import type { Message, ParamNames, ParamsFor } from "../messages/message.ts";

type TextOf<Code extends FaultCode> = (typeof FAULTS)[Code];

/**
 * Returns a message as the text of a schema's check: zod carries nothing but a text from a check to
 * its issue.
 */
export const faultText = (message: Message): string => JSON.stringify(message);

/** Returns a fault of the catalogue as the text of a schema's check. */
export const fault = <Code extends FaultCode>(
  code: Code,
  ...[params]: [ParamNames<TextOf<Code>>] extends [never] ? [] : [ParamsFor<TextOf<Code>>]
): string => faultText(faultOf(code, params));

/** Refuses a value in a transformation, with the text of `fault`. */
export function refuse(context: z.core.$RefinementCtx, message: string) {
  context.addIssue({ code: "custom", message });
  return z.NEVER;
}

/** Reads the text of `fault`; another text is a fault without a code of its own. */
export function readFault(text: string): Message {
  if (!text.startsWith("{")) return { code: "invalid", message: text };
  return JSON.parse(text) as Message; // of `faultText`
}
