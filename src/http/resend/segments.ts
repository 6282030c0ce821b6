import { z } from "zod";
import { invalidField } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { nameField } from "../fields.ts";
import type { Asked, DoorRoute } from "./door-route.ts";
import { listAll } from "./pages.ts";
import { parsed } from "./parsed.ts";

/** A segment in the fields of our API that their API also has. */
export interface OwnSegment {
  id: string;
  name: string;
  condition: Record<string, unknown> | null;
  created_at: string;
}

const tagCondition = z.strictObject({
  field: z.literal("tag"),
  op: z.literal("is"),
  values: z.tuple([z.string()]),
});

/** Returns the tag whose subscribers are the segment; undefined for any other condition. */
export const tagOf = ({ condition }: OwnSegment) =>
  tagCondition.safeParse(condition).data?.values[0];

/** Returns the tag of a segment to which people can be added. Throws invalid_request for others. */
export function requireTag(segment: OwnSegment): string {
  const tag = tagOf(segment);
  if (tag !== undefined) return tag;
  throw invalidField("segment_id", faultOf("not_a_tag_segment"));
}

const MOST_TAG_NAME_CHARACTERS = 40;

/** Makes a tag that nobody has, and that people recognize as that of a segment. */
function newTag(name: string, id: string): string {
  const words =
    name
      .toLowerCase()
      .normalize("NFC")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const text = Array.from(words.join("-")).slice(0, MOST_TAG_NAME_CHARACTERS).join("");
  return [text, id.slice(-8)].filter(Boolean).join("-");
}

export const listSegments = async ({ call }: Asked) =>
  (await call<{ segments: OwnSegment[] }>("GET", "/segments")).segments;

const pathOf = ({ c }: Asked) => `/segments/${encodeURIComponent(c.req.param("segmentId") ?? "")}`;

/** Reads the segment of a path. Throws not_found. */
export const findSegment = (asked: Asked) => asked.call<OwnSegment>("GET", pathOf(asked));

/** The audience that has all subscribers of the project. */
async function wholeAudience({ call }: Asked): Promise<OwnSegment> {
  const { id, name, created_at } = await call<OwnSegment>("GET", "");
  return { id, name, created_at, condition: null };
}

export const presentSegment = ({ id, name, created_at }: OwnSegment) => ({ id, name, created_at });

const nameBody = z.strictObject({ name: nameField });

/** Returns the routes of segments, or of audiences, which older clients call them. */
const routesOf = (path: string, object: string): DoorRoute[] => [
  {
    method: "POST",
    path,
    answer: async ({ c, body, call }) => {
      const { name } = parsed(nameBody, body);
      const where = { field: "tag", op: "is", values: [newTag(name, c.var.ctx.deps.newId())] };
      const { id } = await call<OwnSegment>("POST", "/segments", { name, where });
      return { object, id, name };
    },
  },
  {
    method: "GET",
    path,
    answer: async (asked) => {
      const all = object === "audience" ? [await wholeAudience(asked)] : [];
      return listAll(asked, [...all, ...(await listSegments(asked))], presentSegment);
    },
  },
  {
    method: "GET",
    path: `${path}/:segmentId`,
    answer: async (asked) => {
      const isWhole = object === "audience" && asked.c.req.param("segmentId") === asked.project;
      const segment = await (isWhole ? wholeAudience(asked) : findSegment(asked));
      return { object, ...presentSegment(segment) };
    },
  },
  {
    method: "PATCH",
    path: `${path}/:segmentId`,
    answer: async (asked) => {
      const { id } = await asked.call<OwnSegment>(
        "PATCH",
        pathOf(asked),
        parsed(nameBody, asked.body),
      );
      return { object, id };
    },
  },
  {
    method: "DELETE",
    path: `${path}/:segmentId`,
    answer: async (asked) => {
      await asked.call("DELETE", pathOf(asked));
      return { object, id: asked.c.req.param("segmentId"), deleted: true };
    },
  },
];

export const segmentRoutes = [
  ...routesOf("/segments", "segment"),
  ...routesOf("/audiences", "audience"),
];
