import { z } from "zod";
import { invalidField } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { nameField } from "../fields.ts";
import type { Asked } from "./door-route.ts";
import { routesOf } from "./kind.ts";
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

/** Reads a segment. Throws not_found. */
export const findSegment = ({ call }: Asked, id: string) =>
  call<OwnSegment>("GET", `/segments/${encodeURIComponent(id)}`);

/** The audience that has all subscribers of the project. */
async function wholeAudience({ call }: Asked): Promise<OwnSegment> {
  const { id, name, created_at } = await call<OwnSegment>("GET", "");
  return { id, name, created_at, condition: null };
}

export const presentSegment = ({ id, name, created_at }: OwnSegment) => ({ id, name, created_at });

const nameBody = z.strictObject({ name: nameField });

const segments = {
  path: "/segments",
  own: "/segments",
  object: "segment",
  list: listSegments,
  creation: ({ c, body }: Asked) => {
    const { name } = parsed(nameBody, body);
    const tag = newTag(name, c.var.ctx.deps.newId());
    return { name, where: { field: "tag", op: "is", values: [tag] } };
  },
  change: nameBody,
  present: presentSegment,
};

/** Older clients call segments audiences. */
const audiences = {
  ...segments,
  path: "/audiences",
  object: "audience",
  list: async (asked: Asked) => [await wholeAudience(asked), ...(await listSegments(asked))],
  find: async (asked: Asked) => {
    const id = asked.c.req.param("id") ?? "";
    return id === asked.project ? wholeAudience(asked) : findSegment(asked, id);
  },
};

export const segmentRoutes = [...routesOf(segments), ...routesOf(audiences)];
