import { fillText, type Message } from "../../../src/messages/message.ts";

export type { Message } from "../../../src/messages/message.ts";

const numbers = new Intl.NumberFormat("de");

/** A date such as 2026-01-31. */
const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const times = new Intl.DateTimeFormat("de", { dateStyle: "medium", timeStyle: "short" });

/** Texts of messages by code, in one language. */
export type MessageTexts = Readonly<Partial<Record<string, string>>>;

/** Returns the key of a field's name in the texts. */
export const ofField = (field: string): string => `field ${field}`;

/** Loaded German texts, by message code. */
const german: Record<string, string> = {};

/** Adds texts, which are loaded only for German users, and some only with their pages. */
export const addGerman = (texts: MessageTexts): void => void Object.assign(german, texts);

/** Returns a message of the service in German, or in English if there is no German text. */
export const inGerman = (message: Answered): string => sayMessage(german, message);

/** A message in a response. */
export interface Answered {
  code: string;
  params?: Readonly<Record<string, unknown>> | undefined;
  message: string;
}

/** Looks up a message of the service in a table of texts; falls back to English. */
export function sayMessage(texts: MessageTexts, { code, params = {}, message }: Answered): string {
  const text = Object.hasOwn(texts, code) ? texts[code] : undefined;
  if (text === undefined) return message;
  const said = Object.entries(params).map(([name, value]) => [name, sayParam(texts, value)]);
  return fillText(text, Object.fromEntries(said));
}

function sayParam(texts: MessageTexts, value: unknown): string {
  if (typeof value === "number") return numbers.format(value);
  if (isMessage(value)) return sayMessage(texts, value);
  const text = String(value);
  if (TIME.test(text)) return times.format(new Date(text));
  return DAY.test(text) ? text.split("-").toReversed().join(".") : text;
}

/** Returns true if a value in a response is a message. */
export const isMessage = (value: unknown): value is Message =>
  typeof value === "object" &&
  value !== null &&
  "code" in value &&
  "message" in value &&
  typeof value.code === "string" &&
  typeof value.message === "string";
