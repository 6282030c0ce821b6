import { z } from "zod";
import {
  changeImage,
  deleteImage,
  getImage,
  imageKey,
  listImages,
  uploadImage,
  type ImageRow,
} from "../../services/images/index.ts";
import { IMAGE_TYPES } from "../../lib/read-image.ts";
import type { Ctx } from "../../context.ts";
import { countAnswer, idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { searchField, templateNameField } from "../fields.ts";
import { changeOf } from "../in-code.ts";
import { pageAnswer, pagesOf } from "../paging.ts";
import { presenterOf } from "../presenter.ts";
import { withBytes } from "../read-body.ts";
import { route } from "../route/route.ts";

/** Maximum size of an image (API reference §4.2). */
const MAX_IMAGE_BYTES = 10 * 1_048_576;

/** Maximum length of an alternative text, in characters; our own choice. */
const MAX_ALT_CHARACTERS = 500;

const altField = z.string().trim().max(MAX_ALT_CHARACTERS);

const imageAnswer = namedAnswer("Image", {
  id: idAnswer,
  project_id: idAnswer,
  url: z.url().describe("The address of the bytes, for the HTML of emails."),
  name: z.string(),
  alt: z.string().describe("Text for readers who do not see the image."),
  type: z.enum(IMAGE_TYPES).describe("The format of the bytes."),
  width: countAnswer.describe("In pixels."),
  height: countAnswer.describe("In pixels."),
  bytes: countAnswer,
  created_at: timeAnswer,
});

const useAnswer = z.strictObject({
  kind: z.enum(["template", "draft", "broadcast"]),
  id: idAnswer,
  name: z.string(),
});

const wholeAnswer = imageAnswer.extend({
  used_in: z
    .array(useAnswer)
    .describe("The newest 100 templates, drafts and broadcasts whose HTML holds the address."),
});

const presentRow = presenterOf(imageAnswer);

const presentImage = ({ deps }: Ctx, image: ImageRow) =>
  presentRow({ ...image, url: `${deps.config.baseUrl}/images/${imageKey(image)}` });

const pages = pagesOf("images", idAnswer, ({ id }: ImageRow) => id);

const LIST = "/projects/:id/images";
const ITEM = "/projects/:id/images/:imageId";

/** Routes of the image library (API reference §10.8). */
export const imageRoutes = [
  route({
    auth: "cookie",
    method: "POST",
    path: LIST,
    operation: "projects.images.upload",
    summary: "Adds an image to the library; the same bytes again are the same image.",
    refusals: [400, 409],
    freeBody: "The bytes of a PNG, JPEG, GIF or WebP image.",
    freeBodyType: "application/octet-stream",
    example: { query: { name: "logo.png", alt: "Example Inc." } },
    capability: "templates:write",
    limit: "image_upload",
    maxBodyBytes: MAX_IMAGE_BYTES,
    query: z.object({ name: templateNameField.optional(), alt: altField.default("") }),
    answer: imageAnswer,
    otherAnswers: { 201: imageAnswer },
    handle: ({ c, ctx, project, query: { name, alt } }) =>
      withBytes(c, MAX_IMAGE_BYTES, async (bytes) => {
        const { image, isNew } = await uploadImage(ctx, project, { bytes, name, alt });
        return c.json(presentImage(ctx, image), isNew ? 201 : 200);
      }),
  }),
  route({
    auth: "cookie",
    method: "GET",
    path: LIST,
    operation: "projects.images.list",
    summary: "Lists the images of the library, newest first.",
    example: { query: { search: "logo" } },
    capability: "read",
    query: pages.query({ search: searchField.optional() }),
    answer: z.strictObject({ images: z.array(imageAnswer), ...pageAnswer }),
    handle: async ({ ctx, project, query: { search, ...page } }) => {
      const { images, total } = await listImages(ctx, project, search, page);
      const { shown, fields } = pages.cut(page, images, total);
      return { images: shown.map((image) => presentImage(ctx, image)), ...fields };
    },
  }),
  route({
    auth: "cookie",
    method: "GET",
    path: ITEM,
    operation: "projects.images.get",
    summary: "Returns an image, and the emails that show it.",
    capability: "read",
    answer: wholeAnswer,
    handle: async ({ ctx, project, param }) => {
      const { image, uses } = await getImage(ctx, project, param("imageId"));
      return { ...presentImage(ctx, image), used_in: uses };
    },
  }),
  route({
    auth: "cookie",
    method: "PATCH",
    path: ITEM,
    operation: "projects.images.update",
    summary: "Changes the name or the alternative text of an image; its address stays.",
    example: { body: { alt: "Our shop at night" } },
    capability: "templates:write",
    body: changeOf(z.object({ name: templateNameField, alt: altField })),
    answer: imageAnswer,
    handle: async ({ ctx, project, body, param }) =>
      presentImage(ctx, await changeImage(ctx, project, param("imageId"), body)),
  }),
  route({
    auth: "cookie",
    method: "DELETE",
    path: ITEM,
    operation: "projects.images.delete",
    summary: "Removes an image from the library; emails show it until its bytes are removed.",
    capability: "templates:write",
    handle: ({ ctx, project, param }) => deleteImage(ctx, project, param("imageId")),
  }),
];
