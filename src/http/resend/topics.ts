import { z } from "zod";
import type { Asked } from "./door-route.ts";
import { routesOf } from "./kind.ts";
import { parsed } from "./parsed.ts";

/** A topic in the fields of our API that their API also has. */
interface OwnTopic {
  id: string;
  name: string;
  description: string;
  is_default: boolean;
  visibility: string;
  created_at: string;
}

export const listTopics = async ({ call }: Asked) =>
  (await call<{ topics: OwnTopic[] }>("GET", "/topics")).topics;

const parts = {
  name: z.unknown(),
  description: z.unknown().optional(),
  visibility: z.unknown().optional(),
};

const topicBody = z
  .strictObject({
    ...parts,
    visibility: z.unknown().default("private"), // theirs; ours is public
    default_subscription: z.enum(["opt_in", "opt_out"]),
  })
  .transform(({ default_subscription: choice, ...topic }) => ({
    ...topic,
    is_default: choice === "opt_in",
  }));

const topicRoutes = routesOf<OwnTopic>({
  path: "/topics",
  own: "/topics",
  object: "topic",
  list: listTopics,
  creation: ({ body }) => parsed(topicBody, body),
  // The package for Node repeats the ID of the path.
  change: z
    .strictObject({ ...parts, id: z.unknown() })
    .partial()
    .transform(({ id: _id, ...topic }) => topic),
  present: ({ is_default, id, name, description, visibility, created_at }) => ({
    id,
    name,
    description,
    default_subscription: is_default ? "opt_in" : "opt_out",
    visibility,
    created_at,
  }),
});

/** A field of the metadata in the fields of our API that their API also has. */
interface OwnField {
  id: string;
  key: string;
  type: string;
  created_at: string;
}

const fieldBody = z
  .strictObject({
    key: z.unknown(),
    type: z.enum(["string", "number"]),
    fallback_value: z.null().optional(),
  })
  .transform(({ key, type }) => ({ key, type: type === "number" ? type : "text" }));

const propertyRoutes = routesOf<OwnField>({
  path: "/contact-properties",
  own: "/fields",
  object: "contact_property",
  list: async ({ call }) => (await call<{ fields: OwnField[] }>("GET", "/fields")).fields,
  creation: ({ body }) => parsed(fieldBody, body),
  present: ({ id, key, type, created_at }) => ({
    id,
    key,
    type: type === "number" ? type : "string",
    fallback_value: null,
    created_at,
  }),
});

/** What describes contacts: topics, and their properties, which are our fields. */
export const topicAndPropertyRoutes = [...topicRoutes, ...propertyRoutes];
