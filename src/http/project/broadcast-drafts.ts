import { z } from "zod";
import {
  createDraft,
  deleteDraft,
  duplicateBroadcast,
  EMPTY_DRAFT,
  selectProjectBroadcast,
  startDraft,
  undoStart,
  updateDraft,
  type BroadcastRow,
} from "../../services/broadcasts/index.ts";
import { requireAccepted, requireAcceptedChange } from "../../services/preflight/index.ts";
import { selectStorage } from "../../services/storage/index.ts";
import { idAnswer, timeAnswer, timestamp } from "../answer-fields.ts";
import { expectedVersions, setVersion } from "../entity-tag.ts";
import { nameField } from "../fields.ts";
import type { HttpContext } from "../http-env.ts";
import { at, type EntryPoint } from "../route/entry-point.ts";
import { route } from "../route/route.ts";
import { EXAMPLE_IDS } from "../route/words.ts";
import { presentWhole, wholeAnswer } from "./broadcast-answer.ts";
import { acceptField, draftChange, draftChangeBody, newDraftBody } from "./draft-body.ts";

const LIST = "/broadcasts";
const ITEM = "/broadcasts/:broadcastId";

const startBody = z.object({ accept: acceptField });

const scheduledAnswer = z.strictObject({ broadcast_id: idAnswer, starts_at: timeAnswer });

/** Responds with a broadcast and its ETag. */
function answerDraft(c: HttpContext, draft: BroadcastRow) {
  setVersion(c, draft.updatedAt);
  return presentWhole(draft);
}

/** Routes of drafts (API reference §11.10). */
export const broadcastDraftRoutes = (entry: EntryPoint) => [
  route({
    ...at(entry, "POST", LIST, "broadcasts.create"),
    summary: "Saves a broadcast as a draft.",
    once: true,
    refusals: [404],
    example: { body: { name: "News of May", template_id: EXAMPLE_IDS.template } },
    capability: "send:broadcast",
    body: newDraftBody,
    answer: wholeAnswer,
    status: 201,
    handle: async ({ c, ctx, project, body }) =>
      answerDraft(c, await createDraft(ctx, project, { ...EMPTY_DRAFT, ...draftChange(body) })),
  }),
  route({
    ...at(entry, "PATCH", ITEM, "broadcasts.update"),
    summary: "Changes fields of a draft.",
    refusals: [409],
    obeysIfMatch: true,
    example: { body: { subject: "News for {{name}}" } },
    capability: "send:broadcast",
    body: draftChangeBody,
    answer: wholeAnswer,
    handle: async ({ c, ctx, project, body, param }) => {
      const id = param("broadcastId");
      const change = draftChange(body);
      const updated = await updateDraft(
        ctx,
        project,
        id,
        change,
        expectedVersions(c),
        (before, after) => requireAcceptedChange(ctx, project, { before, after }, body.accept),
      );
      return answerDraft(c, updated);
    },
  }),
  route({
    ...at(entry, "DELETE", ITEM, "broadcasts.delete"),
    summary: "Deletes a draft.",
    refusals: [409],
    obeysIfMatch: true,
    capability: "send:broadcast",
    handle: ({ c, ctx, project, param }) =>
      deleteDraft(ctx, project, param("broadcastId"), expectedVersions(c)),
  }),
  route({
    ...at(entry, "POST", `${ITEM}/duplicate`, "broadcasts.duplicate"),
    summary: "Copies a broadcast as a draft.",
    once: true,
    example: { body: { name: "News of June" } },
    capability: "send:broadcast",
    body: z.object({ name: nameField.optional() }),
    answer: wholeAnswer,
    status: 201,
    handle: async ({ c, ctx, project, body, param }) => {
      const id = param("broadcastId");
      return answerDraft(c, await duplicateBroadcast(ctx, project, id, body.name));
    },
  }),
  route({
    ...at(entry, "POST", `${ITEM}/start`, "broadcasts.startDraft"),
    summary: "Schedules a draft.",
    refusals: [409],
    obeysIfMatch: true,
    example: { body: { accept: ["empty_audience", "similar_broadcast"] } },
    capability: "send:broadcast",
    limit: "broadcast_start",
    body: startBody,
    answer: scheduledAnswer,
    status: 202,
    reads: ({ deps: { db }, projectId, param }) =>
      [selectProjectBroadcast(db, projectId, param("broadcastId")), selectStorage(db)] as const,
    handle: async ({ c, ctx, project, body, reads: [[draft], [storage]] }) => {
      const versions = expectedVersions(c);
      await requireAccepted(ctx, project, draft, { accepted: body.accept, versions });
      const started = await startDraft(ctx, project, draft, versions, storage);
      setVersion(c, started.updatedAt);
      return { broadcast_id: started.id, starts_at: timestamp(started.planDueAt) };
    },
  }),
  route({
    ...at(entry, "POST", `${ITEM}/undo`, "broadcasts.undoStart"),
    summary: "Turns a scheduled broadcast back into a draft.",
    refusals: [409],
    capability: "send:broadcast",
    answer: wholeAnswer,
    handle: async ({ c, ctx, project, param }) =>
      answerDraft(c, await undoStart(ctx, project, param("broadcastId"))),
  }),
];
