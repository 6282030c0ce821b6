import { z } from "zod";
import { namedField, withoutNulls } from "../given.ts";

/** A subscriber in the fields of our API that their API also has. */
export interface OwnContact {
  id: string;
  email: string;
  name: string;
  status: string;
  metadata: Record<string, unknown>;
  tags: string[];
  created_at: string;
}

const NAMES = ["first_name", "last_name"] as const;

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const fields = {
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  unsubscribed: z.boolean().nullish(),
  properties: namedField(z.record(z.string(), scalar)).nullish(),
  /** Clients in Python and Ruby repeat the parameters of the path. */
  audience_id: z.string().nullish(),
};

const segmentField = z.union([z.string(), z.strictObject({ id: z.string() })]);

/** Choices for topics. */
export const topicsField = z.array(
  z.strictObject({ id: z.string(), subscription: z.enum(["opt_in", "opt_out"]) }),
);

export const createBody = z.strictObject({
  ...fields,
  email: z.string(),
  segments: z.array(segmentField).nullish(),
  topics: topicsField.nullish(),
});

export const updateBody = z.strictObject({
  ...fields,
  id: z.unknown().optional(),
  email: z.string().nullish(),
});

type Given = Pick<
  z.output<typeof updateBody>,
  "first_name" | "last_name" | "unsubscribed" | "properties"
>;

/** Our name of a contact is both of theirs; the metadata has them apart if they came through here. */
function namesOf({ name, metadata }: Pick<OwnContact, "name" | "metadata">) {
  const [first, last] = NAMES.map((key) => metadata[key]);
  if (typeof first !== "string" && typeof last !== "string")
    return { first_name: name === "" ? null : name, last_name: null };
  return {
    first_name: typeof first === "string" ? first : null,
    last_name: typeof last === "string" ? last : null,
  };
}

/** Returns the fields of our API for those of theirs; the others of a contact stay. */
export function ownFields(given: Given, before: Pick<OwnContact, "name" | "metadata">) {
  const { unsubscribed, properties } = given;
  const status = unsubscribed ? "unsubscribed" : "active";
  const named = NAMES.filter((key) => given[key] !== undefined);
  const shown = namesOf(before);
  const names = {
    first_name: given.first_name === undefined ? shown.first_name : given.first_name,
    last_name: given.last_name === undefined ? shown.last_name : given.last_name,
  };
  const metadata = { ...before.metadata, ...properties, ...(named.length > 0 && names) };
  return {
    ...(typeof unsubscribed === "boolean" && { status }),
    ...(named.length > 0 && {
      name: NAMES.map((key) => names[key] ?? "")
        .join(" ")
        .trim(),
    }),
    ...((named.length > 0 || properties) && { metadata: withoutNulls(metadata) }),
  };
}

/** Presents a contact of a list. */
export const listedContact = (contact: OwnContact) => ({
  id: contact.id,
  email: contact.email,
  ...namesOf(contact),
  created_at: contact.created_at,
  unsubscribed: contact.status !== "active",
});

const isName = (key: string) => NAMES.some((name) => name === key);

/** Presents a property; only numbers are not text. */
function shownProperty(value: unknown) {
  if (typeof value === "number") return { type: "number", value };
  return { type: "string", value: typeof value === "string" ? value : JSON.stringify(value) };
}

/** Presents a contact with its properties. */
export const shownContact = (contact: OwnContact) => ({
  object: "contact",
  ...listedContact(contact),
  properties: Object.fromEntries(
    Object.entries(contact.metadata)
      .filter(([key]) => !isName(key))
      .map(([key, value]) => [key, shownProperty(value)]),
  ),
});
