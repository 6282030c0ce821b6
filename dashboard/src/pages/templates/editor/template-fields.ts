import type { Template } from "../queries.ts";

/** Editable fields of a template. */
export type Fields = Pick<Template, "name" | "subject" | "html_body" | "text_body" | "public">;

const NAMES = ["name", "subject", "html_body", "text_body", "public"] as const;

export const fieldsOf = ({ name, subject, html_body, text_body, public: isPublic }: Fields) => ({
  name,
  subject,
  html_body,
  text_body,
  public: isPublic,
});

/** Returns the fields that differ. */
export const changesOf = (mine: Fields, theirs: Fields): Partial<Fields> =>
  Object.fromEntries(
    NAMES.filter((name) => mine[name] !== theirs[name]).map((name) => [name, mine[name]]),
  );

export const areEqual = (one: Fields, other: Fields): boolean =>
  NAMES.every((name) => one[name] === other[name]);
