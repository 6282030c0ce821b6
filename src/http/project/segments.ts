import { z } from "zod";
import { AppError } from "../../errors.ts";
import {
  changeSegment,
  countSegments,
  createSegment,
  deleteSegment,
  getSegment,
  listSegments,
  MOST_COUNTED_SEGMENTS,
  parseCondition,
  previewSegment,
  type SegmentRow,
} from "../../services/segments/index.ts";
import { countAnswer, idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { expectedVersions } from "../entity-tag.ts";
import { nameField, uuidField } from "../fields.ts";
import { listField } from "../given.ts";
import { messageAnswer } from "../message-answer.ts";
import { at, type EntryPoint } from "../route/entry-point.ts";
import { route } from "../route/route.ts";
import { presentSubscriber, statusField, subscriberAnswer } from "./subscriber-answer.ts";
import { whereField } from "./where-field.ts";
import { changeOf } from "../in-code.ts";
import { presenterOf, versioned } from "../presenter.ts";

const createBody = z.object({ name: nameField, where: whereField });
const updateBody = changeOf(createBody);

const segmentAnswer = namedAnswer("Segment", {
  id: idAnswer,
  project_id: idAnswer,
  name: z.string(),
  where: z.string().describe("The condition as text."),
  condition: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe("The condition as JSON; null if this version cannot read the text."),
  created_at: timeAnswer,
  updated_at: timeAnswer,
});

const present = presenterOf(segmentAnswer);

/** Presents a segment with its condition as text and as JSON. */
const presentSegment = (segment: SegmentRow) =>
  present({ ...segment, where: segment.condition, condition: conditionOf(segment.condition) });

/**
 * Returns the JSON form of a stored condition; null if another version wrote one that this version
 * cannot parse.
 */
function conditionOf(where: string): Record<string, unknown> | null {
  try {
    return { ...parseCondition(where) };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

const answerSegment = versioned(presentSegment);

const LIST = "/segments";
const ITEM = "/segments/:segmentId";

const WHERE = "tag:vip and opened:90d and not country:DE";

/** Routes of a project's segments (API reference §12.10). */
export const segmentRoutes = (entry: EntryPoint) => [
  route({
    ...at(entry, "POST", LIST, "segments.create"),
    summary: "Creates a segment: a named condition on subscribers.",
    once: true,
    refusals: [409],
    example: { body: { name: "Readers abroad", where: WHERE } },
    capability: "subscribers:write",
    body: createBody,
    answer: segmentAnswer,
    status: 201,
    handle: async ({ c, ctx, project, body }) =>
      answerSegment(c, await createSegment(ctx, project, body)),
  }),
  route({
    ...at(entry, "GET", LIST, "segments.list"),
    summary: "Lists the segments of a project.",
    capability: "read",
    answer: z.strictObject({ segments: z.array(segmentAnswer) }),
    handle: async ({ ctx, project }) => {
      const segments = await listSegments(ctx, project);
      return { segments: segments.map(presentSegment) };
    },
  }),
  route({
    ...at(entry, "POST", `${LIST}/preview`, "segments.preview"),
    summary: "Counts the subscribers that match a condition, up to 10,000, and shows ten of them.",
    example: { body: { where: "status:active and not mailed:7d" } },
    capability: "read",
    body: z.object({
      where: whereField,
      status: statusField.optional(),
      topic_id: uuidField.optional(),
    }),
    answer: z.strictObject({
      count: countAnswer,
      more: z.boolean(),
      sample: z.array(subscriberAnswer),
      warnings: z
        .array(messageAnswer)
        .describe("Keys of the metadata that none of the newest subscribers has."),
    }),
    handle: async ({ ctx, project, body: { where, status, topic_id: topicId } }) => {
      const { sample, ...preview } = await previewSegment(ctx, project, where, {
        status,
        topicId,
      });
      return { ...preview, sample: sample.map(presentSubscriber) };
    },
  }),
  route({
    ...at(entry, "POST", `${LIST}/counts`, "segments.count"),
    summary: "Counts the subscribers of up to 20 segments, checking 6,000 for each.",
    example: { body: { segment_ids: ["0199b1de-0000-7000-8000-000000000011"] } },
    capability: "read",
    body: z.object({ segment_ids: listField(uuidField, MOST_COUNTED_SEGMENTS) }),
    answer: z.strictObject({
      counts: z.array(
        z.strictObject({
          segment_id: idAnswer,
          count: countAnswer,
          more: z.boolean().describe("True if subscribers who were not checked may match."),
        }),
      ),
    }),
    handle: async ({ ctx, project, body }) => {
      const counts = await countSegments(ctx, project, body.segment_ids);
      return {
        counts: counts.map(({ segmentId, ...count }) => ({ segment_id: segmentId, ...count })),
      };
    },
  }),
  route({
    ...at(entry, "GET", ITEM, "segments.get"),
    summary: "Returns a segment.",
    capability: "read",
    answer: segmentAnswer,
    handle: async ({ c, ctx, project, param }) =>
      answerSegment(c, await getSegment(ctx, project, param("segmentId"))),
  }),
  route({
    ...at(entry, "PATCH", ITEM, "segments.update"),
    summary: "Changes the name or the condition of a segment.",
    refusals: [409],
    obeysIfMatch: true,
    example: { body: { where: "tag:vip and opened:30d" } },
    capability: "subscribers:write",
    body: updateBody,
    answer: segmentAnswer,
    handle: async ({ c, ctx, project, body, param }) => {
      const expected = expectedVersions(c);
      const id = param("segmentId");
      return answerSegment(c, await changeSegment(ctx, project, id, body, expected));
    },
  }),
  route({
    ...at(entry, "DELETE", ITEM, "segments.delete"),
    summary: "Deletes a segment; its subscribers are kept.",
    refusals: [409],
    capability: "subscribers:write",
    handle: ({ ctx, project, param }) => deleteSegment(ctx, project, param("segmentId")),
  }),
];
