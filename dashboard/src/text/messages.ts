import { fillText, type Message } from "../../../src/messages/message.ts";

export type { Message } from "../../../src/messages/message.ts";

/** A date such as 2026-01-31. */
const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

type Language = "en" | "de";

/** Texts of messages by code, in one language. */
export type MessageTexts = Readonly<Partial<Record<string, string>>>;

/** Returns the key of a field's name in the texts. */
export const ofField = (field: string): string => `field ${field}`;

/** Loaded texts, by message code. */
const loaded: Record<Language, Record<string, string>> = { en: {}, de: {} };

/** Adds texts, which are loaded only for German users, and some only with their pages. */
export const addGerman = (texts: MessageTexts): void => void Object.assign(loaded.de, texts);

/** Adds texts that replace the service's own, which are loaded with the first page of a form. */
export const addEnglish = (texts: MessageTexts): void => void Object.assign(loaded.en, texts);

/** Returns a message of the service in a language, or in the service's own words. */
export const inLanguage = (language: Language, message: Answered): string =>
  sayMessage(loaded[language], message, language);

/** Returns a message of the service in German, or in English if there is no German text. */
export const inGerman = (message: Answered): string => inLanguage("de", message);

/** A message in a response. */
export interface Answered {
  code: string;
  params?: Readonly<Record<string, unknown>> | undefined;
  message: string;
}

/** Looks up a message of the service in a table of texts; falls back to the service's own. */
export function sayMessage(
  texts: MessageTexts,
  { code, params = {}, message }: Answered,
  language: Language = "de",
): string {
  const text = Object.hasOwn(texts, code) ? texts[code] : undefined;
  if (text === undefined) return message;
  const sayParam = (value: unknown): string => {
    if (typeof value === "number") return new Intl.NumberFormat(language).format(value);
    if (isMessage(value)) return sayMessage(texts, value, language);
    const said = String(value);
    if (TIME.test(said)) return new Intl.DateTimeFormat(language, MINUTE).format(new Date(said));
    return DAY.test(said) && language === "de" ? said.split("-").toReversed().join(".") : said;
  };
  const said = Object.entries(params).map(([name, value]) => [name, sayParam(value)]);
  return fillText(text, Object.fromEntries(said));
}

const MINUTE = { dateStyle: "medium", timeStyle: "short" } as const;

/** Returns true if a value in a response is a message. */
export const isMessage = (value: unknown): value is Message =>
  typeof value === "object" &&
  value !== null &&
  "code" in value &&
  "message" in value &&
  typeof value.code === "string" &&
  typeof value.message === "string";
