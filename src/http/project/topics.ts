import { z } from "zod";
import {
  changeTopic,
  createTopic,
  deleteTopic,
  getTopic,
  listTopics,
  type TopicRow,
} from "../../services/topics/index.ts";
import { idAnswer, timeAnswer, timestamp } from "../answer-fields.ts";
import { descriptionField, nameField } from "../fields.ts";
import { isUuid } from "../../lib/ids.ts";
import { route } from "../route/route.ts";

/** The name of a topic: calls name topics by id or by name, so no name may look like an id. */
const topicNameField = nameField.refine((name) => !isUuid(name), "must not be a UUID");

const createBody = z.object({ name: topicNameField, description: descriptionField.default("") });

const updateBody = z
  .object({ name: topicNameField.optional(), description: descriptionField.optional() })
  .refine(({ name, description }) => name !== undefined || description !== undefined, {
    message: "name or description is required",
  });

const topicAnswer = z.strictObject({
  id: idAnswer,
  project_id: idAnswer,
  name: z.string(),
  description: z.string(),
  created_at: timeAnswer,
  updated_at: timeAnswer,
});

/** Presents a topic (API reference §5.18). */
const presentTopic = (topic: TopicRow): z.input<typeof topicAnswer> => ({
  id: topic.id,
  project_id: topic.projectId,
  name: topic.name,
  description: topic.description,
  created_at: timestamp(topic.createdAt),
  updated_at: timestamp(topic.updatedAt),
});

const LIST = "/projects/:id/topics";
const ITEM = "/projects/:id/topics/:topicId";

/** Routes of the topics of a project (API reference §12.5). */
export const topicRoutes = [
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: LIST,
    operation: "projects.topics.create",
    summary: "Adds a topic to which subscribers can consent.",
    once: true,
    refusals: [409],
    example: { body: { name: "Product news", description: "What is new, once a month" } },
    capability: "subscribers:write",
    body: createBody,
    answer: topicAnswer,
    status: 201,
    handle: async ({ ctx, project, body }) => presentTopic(await createTopic(ctx, project, body)),
  }),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: LIST,
    operation: "projects.topics.list",
    summary: "Lists the topics of a project.",
    capability: "read",
    answer: z.strictObject({ topics: z.array(topicAnswer) }),
    handle: async ({ ctx, project }) => {
      const topics = await listTopics(ctx, project);
      return { topics: topics.map(presentTopic) };
    },
  }),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: ITEM,
    operation: "projects.topics.get",
    summary: "Returns a topic.",
    capability: "read",
    answer: topicAnswer,
    handle: async ({ ctx, project, param }) =>
      presentTopic(await getTopic(ctx, project, param("topicId"))),
  }),
  route({
    auth: "cookie_or_key",
    method: "PATCH",
    path: ITEM,
    operation: "projects.topics.update",
    summary: "Changes the name or the description of a topic.",
    refusals: [409],
    example: { body: { description: "What is new, twice a month" } },
    capability: "subscribers:write",
    body: updateBody,
    answer: topicAnswer,
    handle: async ({ ctx, project, body: { name, description }, param }) => {
      const change = {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
      };
      return presentTopic(await changeTopic(ctx, project, param("topicId"), change));
    },
  }),
  route({
    auth: "cookie_or_key",
    method: "DELETE",
    path: ITEM,
    operation: "projects.topics.delete",
    summary: "Deletes a topic with the consents to it.",
    capability: "subscribers:write",
    handle: ({ ctx, project, param }) => deleteTopic(ctx, project, param("topicId")),
  }),
];
