import { z } from "zod";
import { optionalRead } from "../../db/client.ts";
import { readRecentMails, subscriberReads } from "../../services/broadcasts/index.ts";
import {
  changeMany,
  createSubscriber,
  deleteSubscriber,
  editSubscriber,
  importSubscribers,
  listSubscribers,
  listTags,
  selectSubscriber,
  setTopicsOfMany,
  subscriberState,
  tagMany,
} from "../../services/subscribers/index.ts";
import { callerProof } from "../../services/topics/index.ts";
import { eraseAddress } from "../../services/privacy/index.ts";
import { requireRoom, selectRoom } from "../../services/storage/index.ts";
import { countAnswer, timeAnswer, timestampOrNull } from "../answer-fields.ts";
import { uuidField } from "../fields.ts";
import { expectedState, expectedTags } from "../entity-tag.ts";
import { pageAnswer } from "../paging.ts";
import { route } from "../route/route.ts";
import { CSV_TYPE, wantsCsv } from "../stream-csv.ts";
import { bulkBody } from "./bulk-body.ts";
import { importBody } from "./import-body.ts";
import { IMPORT_TYPES } from "./import-rows.ts";
import { presentRecentMail, recentMailAnswer } from "./recent-mail.ts";
import {
  answerSubscriber,
  listedAnswer,
  presentListed,
  subscriberAnswer,
} from "./subscriber-answer.ts";
import { createBody, patchBody } from "./subscriber-input.ts";
import { pagesBy, subscriberListQuery } from "./subscriber-pages.ts";

/** Maximum body size of an import (API reference §4.2). */
const MAX_IMPORT_BYTES = 16 * 1_048_576;

const importAnswer = z.strictObject({
  imported: countAnswer,
  skipped: countAnswer,
  rejected: z.array(
    z.strictObject({
      row: countAnswer,
      line: countAnswer.optional(),
      email: z.string(),
      reason: z.enum(["invalid_row", "invalid_syntax", "invalid_status", "no_mx", "disposable"]),
      detail: z.string().optional(),
    }),
  ),
  metadata_columns: z
    .record(z.string(), z.string())
    .optional()
    .describe("The metadata keys of the other columns of a CSV file."),
});

const LIST = "/projects/:id/subscribers";
const ITEM = "/projects/:id/subscribers/:subscriberId";

export const subscriberRoutes = [
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: LIST,
    operation: "projects.subscribers.create",
    summary: "Adds a subscriber.",
    once: true,
    refusals: [409],
    example: { body: { email: "ann@example.com", name: "Ann", metadata: { plan: "pro" } } },
    capability: "subscribers:write",
    body: createBody,
    namesUnknownFields: true,
    answer: subscriberAnswer,
    status: 201,
    handle: async ({ c, ctx, project, body: { topics: names, ...subscriber } }) => {
      const isDefault = names === undefined;
      const topics = { names: names ?? [], isDefault, proof: callerProof(ctx) };
      return answerSubscriber(c, await createSubscriber(ctx, project, subscriber, { topics }));
    },
  }),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: LIST,
    operation: "projects.subscribers.list",
    summary: "Lists the subscribers of a project.",
    example: { query: { status: "active" } },
    capability: "read",
    query: subscriberListQuery,
    otherTypes: [CSV_TYPE],
    answer: z.strictObject({ subscribers: z.array(listedAnswer), ...pageAnswer }),
    handle: async ({ c, ctx, project, query }) => {
      const { status, search, tag, import: importId, sort, ...page } = query;
      const filter = { statuses: status && [status], search, tag, importId, sort };
      const pages = pagesBy(sort);
      if (wantsCsv(c))
        return pages.csv(c, page, {
          ctx,
          project,
          columns: Object.keys(listedAnswer.shape),
          read: async (part) => (await listSubscribers(ctx, project, filter, part)).subscribers,
          present: presentListed,
        });
      const { subscribers, total } = await listSubscribers(ctx, project, filter, page);
      const { shown, fields } = pages.cut(page, subscribers, total);
      return { subscribers: shown.map(presentListed), ...fields };
    },
  }),
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: `${LIST}/import`,
    operation: "projects.subscribers.import",
    summary: "Imports subscribers and checks their addresses.",
    example: { body: [{ email: "ann@example.com", name: "Ann" }] },
    capability: "subscribers:write",
    limit: "import",
    query: z.object({ import_id: uuidField.optional() }),
    body: importBody,
    namesUnknownFields: true,
    bodyTypes: IMPORT_TYPES,
    maxBodyBytes: MAX_IMPORT_BYTES,
    answer: importAnswer,
    reads: ({ deps, projectId }) => [selectRoom(deps, projectId)],
    handle: async ({ ctx, project, query: { import_id }, body, reads: [[storage]] }) => {
      requireRoom(ctx.deps, storage);
      const result = await importSubscribers(ctx, project, body, import_id);
      const { imported, skipped, rejected } = result;
      const { metadataColumns } = body;
      const isKept = Object.keys(metadataColumns).length > 0;
      const kept = isKept ? { metadata_columns: metadataColumns } : {};
      return { imported, skipped, rejected, ...kept };
    },
  }),
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: `${LIST}/bulk`,
    operation: "projects.subscribers.changeMany",
    summary: "Sets the status, the tags or the topics of many subscribers, or deletes them.",
    example: {
      body: { action: "set_status", status: "unsubscribed", filter: { search: "ann" } },
    },
    capability: "subscribers:write",
    body: bulkBody,
    answer: z.strictObject({ changed: countAnswer, more: z.boolean() }),
    handle: ({ ctx, project, body: { chosen, change, retag, consents } }) => {
      if (consents) return setTopicsOfMany(ctx, project, chosen, consents);
      return retag
        ? tagMany(ctx, project, chosen, retag)
        : changeMany(ctx, project, chosen, change);
    },
  }),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: "/projects/:id/tags",
    operation: "projects.tags.list",
    summary: "Lists the tags of a project with their subscriber counts.",
    capability: "read",
    answer: z.strictObject({
      tags: z.array(z.strictObject({ name: z.string(), count: countAnswer })),
    }),
    handle: async ({ ctx, project }) => {
      const tags = await listTags(ctx, project);
      return { tags: tags.map(({ name, count }) => ({ name, count })) };
    },
  }),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: ITEM,
    operation: "projects.subscribers.get",
    summary: "Returns a subscriber with the latest emails to it.",
    capability: "read",
    answer: listedAnswer.extend({
      last_opened_at: timeAnswer.nullable(),
      last_clicked_at: timeAnswer.nullable(),
      recent_mails: z.array(recentMailAnswer),
    }),
    reads: ({ deps, projectId, param }) =>
      subscriberReads(deps.db, projectId, param("subscriberId")),
    handle: async ({ c, ctx, project, reads }) => {
      const { subscriber, mails } = await readRecentMails(ctx, project, reads);
      return {
        ...answerSubscriber(c, subscriber),
        suppressed: subscriber.suppressed,
        last_opened_at: timestampOrNull(subscriber.lastOpenedAt),
        last_clicked_at: timestampOrNull(subscriber.lastClickedAt),
        recent_mails: mails.map(presentRecentMail),
      };
    },
  }),
  route({
    auth: "cookie",
    method: "PATCH",
    path: ITEM,
    operation: "projects.subscribers.update",
    summary: "Changes the email, name, status, tags or metadata of a subscriber.",
    refusals: [409],
    obeysIfMatch: true,
    example: { body: { status: "unsubscribed" } },
    capability: "subscribers:write",
    body: patchBody,
    namesUnknownFields: true,
    answer: subscriberAnswer,
    reads: ({ c, deps: { db }, projectId, param }) => [
      optionalRead(expectedTags(c), () => selectSubscriber(db, projectId, param("subscriberId"))),
    ],
    handle: async ({ c, ctx, project, body, param, reads: [[known]] }) => {
      const before = expectedState(c, "subscriber", known, subscriberState);
      return answerSubscriber(
        c,
        await editSubscriber(ctx, project, param("subscriberId"), body, before),
      );
    },
  }),
  route({
    auth: "cookie",
    method: "DELETE",
    path: ITEM,
    operation: "projects.subscribers.delete",
    summary: "Deletes a subscriber, or erases everything stored about the person.",
    capability: "subscribers:write",
    refusals: [409],
    query: z.object({ erase: z.enum(["true", "false"]).default("false") }),
    handle: ({ ctx, project, query, param }) => {
      const subscriberId = param("subscriberId");
      if (query.erase === "true") return eraseAddress(ctx, project, { subscriberId });
      return deleteSubscriber(ctx, project, subscriberId);
    },
  }),
];
