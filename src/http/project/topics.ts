import { z } from "zod";
import { TOPIC_VISIBILITIES } from "../../db/schema/index.ts";
import {
  changeTopic,
  createTopic,
  deleteTopic,
  getTopic,
  listTopics,
} from "../../services/topics/index.ts";
import { countAnswer, idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { expectedVersions } from "../entity-tag.ts";
import { descriptionField, nameField } from "../fields.ts";
import { isUuid } from "../../lib/ids.ts";
import { at, type EntryPoint } from "../route/entry-point.ts";
import { route } from "../route/route.ts";
import { fault } from "../fault.ts";
import { presenterOf, versioned } from "../presenter.ts";
import { changeOf, inCode } from "../in-code.ts";

/** Name of a topic. Calls refer to topics by id or name, so a name must not look like an id. */
export const topicNameField = nameField.refine(
  (name) => !isUuid(name.toLowerCase()), // ids in requests may be uppercase
  fault("is_uuid"),
);

const createBody = z
  .object({
    name: topicNameField,
    description: descriptionField.default(""),
    is_default: z.boolean().default(false),
    public_archive: z.boolean().default(false),
    visibility: z.enum(TOPIC_VISIBILITIES).default("public"),
  })
  .transform(inCode);

const updateBody = changeOf(
  z.object({
    name: topicNameField,
    description: descriptionField,
    is_default: z.boolean(),
    public_archive: z.boolean(),
    visibility: z.enum(TOPIC_VISIBILITIES),
  }),
);

const topicAnswer = namedAnswer("Topic", {
  id: idAnswer,
  project_id: idAnswer,
  name: z.string(),
  description: z.string(),
  is_default: z
    .boolean()
    .describe("True if new subscribers get the topic unless their call names topics."),
  public_archive: z
    .boolean()
    .describe("True if anybody may read its broadcasts in the archive of the project."),
  visibility: z
    .enum(TOPIC_VISIBILITIES)
    .describe("Public if people may join the topic themselves."),
  created_at: timeAnswer,
  updated_at: timeAnswer,
});

const listedAnswer = namedAnswer("ListedTopic", {
  ...topicAnswer.shape,
  subscribers: z
    .strictObject({
      count: countAnswer,
      more: z.boolean().describe("True if others, whose consents were not read, may have one."),
    })
    .describe("Subscribers with a consent, whatever their status."),
});

const presentTopic = presenterOf(topicAnswer);

const presentListed = presenterOf(listedAnswer);

const answerTopic = versioned(presentTopic);

const LIST = "/topics";
const ITEM = "/topics/:topicId";

/** Routes of a project's topics (API reference §12.5). */
export const topicRoutes = (entry: EntryPoint) => [
  route({
    ...at(entry, "POST", LIST, "topics.create"),
    summary: "Adds a topic to which subscribers can consent.",
    once: true,
    refusals: [409],
    example: { body: { name: "Product news", description: "What is new, once a month" } },
    capability: "subscribers:write",
    body: createBody,
    answer: topicAnswer,
    status: 201,
    handle: async ({ c, ctx, project, body }) =>
      answerTopic(c, await createTopic(ctx, project, body)),
  }),
  route({
    ...at(entry, "GET", LIST, "topics.list"),
    summary: "Lists the topics of a project with the numbers of their subscribers.",
    capability: "read",
    answer: z.strictObject({ topics: z.array(listedAnswer) }),
    handle: async ({ ctx, project }) => {
      const topics = await listTopics(ctx, project);
      return { topics: topics.map(presentListed) };
    },
  }),
  route({
    ...at(entry, "GET", ITEM, "topics.get"),
    summary: "Returns a topic.",
    capability: "read",
    answer: topicAnswer,
    handle: async ({ c, ctx, project, param }) =>
      answerTopic(c, await getTopic(ctx, project, param("topicId"))),
  }),
  route({
    ...at(entry, "PATCH", ITEM, "topics.update"),
    summary: "Changes a topic.",
    refusals: [409],
    obeysIfMatch: true,
    example: { body: { description: "What is new, twice a month" } },
    capability: "subscribers:write",
    body: updateBody,
    answer: topicAnswer,
    handle: async ({ c, ctx, project, body, param }) => {
      const expected = expectedVersions(c);
      const id = param("topicId");
      return answerTopic(c, await changeTopic(ctx, project, id, body, expected));
    },
  }),
  route({
    ...at(entry, "DELETE", ITEM, "topics.delete"),
    summary: "Deletes a topic and the consents to it.",
    refusals: [409],
    capability: "subscribers:write",
    handle: ({ ctx, project, param }) => deleteTopic(ctx, project, param("topicId")),
  }),
];
