import { fillText, type Message, type Param } from "../../../src/messages/message.ts";
import { GERMAN_FAULTS } from "./faults.de.ts";

export type { Message } from "../../../src/messages/message.ts";

const numbers = new Intl.NumberFormat("de");

/** Returns a message of the service in German; one without a German text stays in English. */
export function inGerman(message: Message): string {
  const texts: Partial<Record<string, string>> = GERMAN_FAULTS;
  const text = Object.hasOwn(texts, message.code) ? texts[message.code] : undefined;
  if (text === undefined) return message.message;
  const params = Object.entries(message.params ?? {}).map(([name, value]) => [
    name,
    sayParam(value),
  ]);
  return fillText(text, Object.fromEntries(params));
}

function sayParam(value: Param): string {
  if (typeof value === "number") return numbers.format(value);
  return typeof value === "string" ? value : inGerman(value);
}

/** Tells whether a value of an answer is a message. */
export const isMessage = (value: unknown): value is Message =>
  typeof value === "object" &&
  value !== null &&
  "code" in value &&
  "message" in value &&
  typeof value.code === "string" &&
  typeof value.message === "string";
