import type { AppError } from "../errors.ts";
import { faultOf, type FAULTS, type FaultCode } from "../messages/faults.ts";
import type { Message, ParamNames, ParamsFor } from "../messages/message.ts";

type TextOf<Code extends FaultCode> = (typeof FAULTS)[Code];

/**
 * Returns a fault as the text of a schema's check: zod carries nothing but a text from a check to
 * its issue.
 */
export const fault = <Code extends FaultCode>(
  code: Code,
  ...[params]: [ParamNames<TextOf<Code>>] extends [never] ? [] : [ParamsFor<TextOf<Code>>]
): string => JSON.stringify(faultOf(code, params));

/** Returns the reason of a refusal as `fault` does. */
export function faultFrom({ code, params, message }: AppError): string {
  const fault: Message = { code, params, message };
  return JSON.stringify(fault);
}

/** Reads the text of `fault`; another text is a fault without a code of its own. */
export function readFault(text: string): Message {
  if (!text.startsWith("{")) return { code: "invalid", message: text };
  return JSON.parse(text) as Message; // of `fault`
}
