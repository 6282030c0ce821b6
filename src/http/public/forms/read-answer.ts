import type { FormAnswer, OpenForm } from "../../../services/forms/index.ts";
import type { FormWords } from "../../../mail/words/index.ts";
import type { FaultCode } from "../../../messages/faults.ts";
import { emailField, metadataField, personField, timestampField } from "../../fields.ts";

/** Names of the fields of a posted form. */
export const FIELDS = {
  email: "email",
  name: "name",
  topics: "topics",
  /** Invisible to people, so only a program fills it in. */
  trap: "homepage",
  /** Named by Turnstile's widget. */
  token: "cf-turnstile-response",
  of: (key: string) => `metadata.${key}`,
};

type ShownField = OpenForm["fields"][number];

/** Problems of a field, by their texts, with the codes that the API has for them. */
export const PROBLEMS = {
  required: "required",
  invalidEmail: "invalid_address",
  invalid: "invalid",
} as const satisfies Partial<Record<keyof FormWords, FaultCode>>;
export type Problem = keyof typeof PROBLEMS;

/** The problem of each faulty field, by its name in the form. */
export type Problems = ReadonlyMap<string, Problem>;

export type Read = { ok: true; answer: FormAnswer } | { ok: false; problems: Problems };

/** Reads the fields of a form, and no others. */
export function readAnswer(open: OpenForm, posted: URLSearchParams): Read {
  const problems = new Map<string, Problem>();
  const first = (name: string) => posted.get(name)?.trim() ?? "";

  const email = emailField.safeParse(first(FIELDS.email));
  if (!email.success)
    problems.set(FIELDS.email, first(FIELDS.email) === "" ? "required" : "invalidEmail");

  const { nameField } = open.form.content;
  const name = personField.safeParse(nameField === "none" ? "" : first(FIELDS.name));
  if (!name.success) problems.set(FIELDS.name, "invalid");
  else if (nameField === "required" && name.data === "") problems.set(FIELDS.name, "required");

  const values: [key: string, value: unknown][] = [];
  for (const { field, required } of open.fields) {
    const value = valueOf(field, posted.getAll(FIELDS.of(field.key)));
    if (value === INVALID) problems.set(FIELDS.of(field.key), "invalid");
    else if (value !== undefined) values.push([field.key, value]);
    else if (required) problems.set(FIELDS.of(field.key), "required");
  }
  const metadata = Object.fromEntries(values);
  const [last] = values.at(-1) ?? [];
  if (last !== undefined && !metadataField.safeParse(metadata).success)
    problems.set(FIELDS.of(last), "invalid");

  if (!email.success || !name.success || problems.size > 0) return { ok: false, problems };
  return {
    ok: true,
    answer: {
      email: email.data,
      name: name.data,
      metadata,
      topics: posted.getAll(FIELDS.topics),
      turnstileToken: posted.get(FIELDS.token)?.slice(0, MOST_TOKEN_CHARACTERS) || undefined,
    },
  };
}

/** Maximum length of a Turnstile token. */
const MOST_TOKEN_CHARACTERS = 2_048;

const INVALID = Symbol("invalid");

/** Returns the value of a field as its type stores it; undefined if nothing was entered. */
function valueOf({ type, choices }: ShownField["field"], posted: string[]): unknown {
  const texts = posted.map((text) => text.trim()).filter((text) => text !== "");
  const [text] = texts;
  if (text === undefined) return undefined;
  const isOffered = (one: string) => choices.length === 0 || choices.includes(one);
  switch (type) {
    case "number": {
      const number = Number(text);
      return Number.isFinite(number) ? number : INVALID;
    }
    case "date":
      return timestampField.safeParse(`${text}T00:00:00Z`).success ? text : INVALID;
    case "boolean":
      return true;
    case "list":
      return texts.every((one) => isOffered(one) && isText(one)) ? [...new Set(texts)] : INVALID;
    case "choice":
      return isOffered(text) && isText(text) ? text : INVALID;
    case "url":
      return isText(text) && /^https?:$/.test(URL.parse(text)?.protocol ?? "") ? text : INVALID;
    case "text":
      return isText(text) ? text : INVALID;
  }
}

const isText = (text: string) => personField.safeParse(text).success;
