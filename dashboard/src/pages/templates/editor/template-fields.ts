import { ordered } from "../../../parts/tracking/switches.ts";
import type { Template } from "../queries.ts";

const NAMES = [
  "name",
  "subject",
  "preheader",
  "html_body",
  "text_body",
  "public",
  "tracking",
] as const;

/** Editable fields of a template. */
export type Fields = Pick<Template, (typeof NAMES)[number]>;

export const fieldsOf = ({
  name,
  subject,
  preheader,
  html_body,
  text_body,
  public: isPublic,
  tracking,
}: Fields): Fields => ({
  name,
  subject,
  preheader,
  html_body,
  text_body,
  public: isPublic,
  tracking: ordered(tracking),
});

const isSame = (name: keyof Fields, one: Fields, other: Fields) =>
  JSON.stringify(one[name]) === JSON.stringify(other[name]);

/** Returns the fields that differ. */
export const changesOf = (mine: Fields, theirs: Fields): Partial<Fields> =>
  Object.fromEntries(
    NAMES.filter((name) => !isSame(name, mine, theirs)).map((name) => [name, mine[name]]),
  );

export const areEqual = (one: Fields, other: Fields): boolean =>
  NAMES.every((name) => isSame(name, one, other));
