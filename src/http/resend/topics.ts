import { z } from "zod";
import type { Asked, DoorRoute } from "./door-route.ts";
import { listAll } from "./pages.ts";
import { parsed } from "./parsed.ts";

/** A topic in the fields of our API that their API also has. */
interface OwnTopic {
  id: string;
  name: string;
  description: string;
  is_default: boolean;
  created_at: string;
}

export const listTopics = async ({ call }: Asked) =>
  (await call<{ topics: OwnTopic[] }>("GET", "/topics")).topics;

const present = ({ is_default, id, name, description, created_at }: OwnTopic) => ({
  id,
  name,
  description,
  default_subscription: is_default ? "opt_in" : "opt_out",
  created_at,
});

const parts = { name: z.unknown(), description: z.unknown().optional() };

const createBody = z
  .strictObject({ ...parts, default_subscription: z.enum(["opt_in", "opt_out"]) })
  .transform(({ default_subscription: choice, ...topic }) => ({
    ...topic,
    is_default: choice === "opt_in",
  }));

/** The package for Node repeats the ID of the path. */
const updateBody = z
  .strictObject({ ...parts, id: z.unknown() })
  .partial()
  .transform(({ id: _id, ...topic }) => topic);

const pathOf = ({ c }: Asked, list: string) =>
  `${list}/${encodeURIComponent(c.req.param("id") ?? "")}`;

const removal = (path: string, own: string, object: string): DoorRoute => ({
  method: "DELETE",
  path: `${path}/:id`,
  answer: async (asked) => {
    await asked.call("DELETE", pathOf(asked, own));
    return { object, id: asked.c.req.param("id"), deleted: true };
  },
});

/** A field of the metadata in the fields of our API that their API also has. */
interface OwnField {
  id: string;
  key: string;
  type: string;
  created_at: string;
}

const presentField = ({ id, key, type, created_at }: OwnField) => ({
  id,
  key,
  type: type === "number" ? type : "string",
  fallback_value: null,
  created_at,
});

const fieldBody = z
  .strictObject({
    key: z.unknown(),
    type: z.enum(["string", "number"]),
    fallback_value: z.null().optional(),
  })
  .transform(({ key, type }) => ({ key, type: type === "number" ? type : "text" }));

const PROPERTIES = "/contact-properties";

/** Routes of topics, and of contact properties, which are our fields. */
export const topicRoutes: DoorRoute[] = [
  {
    method: "POST",
    path: "/topics",
    answer: async ({ body, call }) => {
      const { id } = await call<OwnTopic>("POST", "/topics", parsed(createBody, body));
      return { object: "topic", id };
    },
  },
  {
    method: "GET",
    path: "/topics",
    answer: async (asked) => listAll(asked, await listTopics(asked), present),
  },
  {
    method: "GET",
    path: "/topics/:id",
    answer: async (asked) => ({
      object: "topic",
      ...present(await asked.call<OwnTopic>("GET", pathOf(asked, "/topics"))),
    }),
  },
  {
    method: "PATCH",
    path: "/topics/:id",
    answer: async (asked) => {
      const topic = parsed(updateBody, asked.body);
      const { id } = await asked.call<OwnTopic>("PATCH", pathOf(asked, "/topics"), topic);
      return { object: "topic", id };
    },
  },
  removal("/topics", "/topics", "topic"),
  {
    method: "POST",
    path: PROPERTIES,
    answer: async ({ body, call }) => {
      const { id } = await call<OwnField>("POST", "/fields", parsed(fieldBody, body));
      return { object: "contact_property", id };
    },
  },
  {
    method: "GET",
    path: PROPERTIES,
    answer: async (asked) => {
      const { fields } = await asked.call<{ fields: OwnField[] }>("GET", "/fields");
      return listAll(asked, fields, presentField);
    },
  },
  {
    method: "GET",
    path: `${PROPERTIES}/:id`,
    answer: async (asked) => ({
      object: "contact_property",
      ...presentField(await asked.call<OwnField>("GET", pathOf(asked, "/fields"))),
    }),
  },
  removal(PROPERTIES, "/fields", "contact_property"),
];
