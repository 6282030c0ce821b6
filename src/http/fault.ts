import { z } from "zod";
import { faultOf, type FAULTS, type FaultCode } from "../messages/faults.ts";
import type { Message, ParamNames, ParamsFor } from "../messages/message.ts";

type TextOf<Code extends FaultCode> = (typeof FAULTS)[Code];

/**
 * Encodes a message as the text of a schema check: from a check to its issue, zod carries only
 * text.
 */
export const faultText = (message: Message): string => JSON.stringify(message);

/** Encodes a field fault from the catalog (messages/) as the text of a schema check. */
export const fault = <Code extends FaultCode>(
  code: Code,
  ...[params]: [ParamNames<TextOf<Code>>] extends [never] ? [] : [ParamsFor<TextOf<Code>>]
): string => faultText(faultOf(code, params));

/** Rejects a value in a transform, with the text from `fault`. */
export function refuse(context: z.core.$RefinementCtx, message: string) {
  context.addIssue({ code: "custom", message });
  return z.NEVER;
}

/** Decodes the text from `fault`; any other text becomes a fault without its own code. */
export function readFault(text: string): Message {
  if (!text.startsWith("{")) return { code: "invalid", message: text };
  return JSON.parse(text) as Message; // encoded by `faultText`
}
