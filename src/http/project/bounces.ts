import { z } from "zod";
import {
  lastFaultOf,
  mailboxOf,
  readIngestUrl,
  rotateIngestToken,
  saveMailbox,
  selectMailbox,
  selectToken,
  testMailbox,
  type BounceMailbox,
} from "../../services/bounces/index.ts";
import type { ProjectRow } from "../../services/access/index.ts";
import { countAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { expectedVersions, setVersion } from "../entity-tag.ts";
import { commandField, storedPasswordField } from "../fields.ts";
import type { HttpContext } from "../http-env.ts";
import { paramsAnswer } from "../message-answer.ts";
import { route } from "../route/route.ts";
import { stepsAnswer } from "../steps.ts";
import { fault } from "../fault.ts";
import { presenterOf } from "../presenter.ts";

const mailboxBody = z.object({
  enabled: z.boolean(),
  host: z.string().trim().max(253).optional(),
  port: z.number().int().min(1).max(65_535).optional(),
  user: commandField(320).optional(),
  password: storedPasswordField,
  folder: commandField(255).trim().min(1, fault("empty")).optional(),
});

const MAILBOX = "/projects/:id/bounce-imap";
const INGEST = "/projects/:id/bounce-webhook";

const mailboxAnswer = namedAnswer("BounceMailbox", {
  enabled: z.boolean(),
  host: z.string().describe("Empty until set."),
  port: countAnswer,
  user: z.string(),
  folder: z.string(),
  last_polled_at: timeAnswer.nullable().describe("The last poll."),
  last_error: z.string().describe("Empty if the last poll succeeded."),
  last_error_code: z
    .string()
    .optional()
    .describe("The code of a connection message or of an error."),
  last_error_params: paramsAnswer.optional(),
});

const present = presenterOf(mailboxAnswer);

/** Presents a bounce mailbox, without its password. */
function presentMailbox(mailbox: BounceMailbox) {
  const { message = "", code, params } = lastFaultOf(mailbox) ?? {};
  const fault = { lastError: message, lastErrorCode: code, lastErrorParams: params };
  return present({ ...mailbox, ...fault });
}

/** Presents the mailbox; its ETag is the project's. */
function answerMailbox(c: HttpContext, mailbox: BounceMailbox, project: ProjectRow) {
  setVersion(c, project.updatedAt);
  return presentMailbox(mailbox);
}

const testedAnswer = z.strictObject({
  message: z.literal("connected"),
  unseen: countAnswer,
  steps: stepsAnswer,
});

const ingestUrlAnswer = z.strictObject({
  url: z.string().describe("Contains the current token."),
  rotated_at: timeAnswer.describe("When the token was created."),
});

const presentIngestUrl = presenterOf(ingestUrlAnswer);

/** Routes of API reference §14.1, and the connection test. */
export const bounceRoutes = [
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: MAILBOX,
    operation: "projects.bounceMailbox.get",
    summary: "Returns the bounce mailbox of a project.",
    capability: "read",
    answer: mailboxAnswer,
    reads: ({ deps: { db }, projectId }) => [selectMailbox(db, projectId)],
    handle: async ({ c, project, reads }) => answerMailbox(c, mailboxOf(reads[0]), project),
  }),
  route({
    auth: "cookie_or_key",
    method: "PUT",
    path: MAILBOX,
    operation: "projects.bounceMailbox.save",
    summary: "Saves the bounce mailbox of a project.",
    obeysIfMatch: true,
    example: {
      body: {
        enabled: true,
        host: "imap.example.com",
        port: 993,
        user: "bounces",
        password: "secret",
      },
    },
    capability: "projects:write",
    body: mailboxBody,
    answer: mailboxAnswer,
    reads: ({ deps: { db }, projectId }) => [selectMailbox(db, projectId)],
    handle: async ({ c, ctx, project, reads, body }) => {
      const saved = await saveMailbox(ctx, project, reads[0], body, expectedVersions(c));
      return answerMailbox(c, saved.mailbox, saved.project);
    },
  }),
  route({
    auth: "cookie",
    method: "POST",
    path: `${MAILBOX}/test`,
    operation: "projects.bounceMailbox.test",
    summary: "Logs in to the bounce mailbox and counts its unread messages.",
    refusals: [400, 502],
    capability: "projects:write",
    limit: "imap_test",
    answer: testedAnswer,
    reads: ({ deps: { db }, projectId }) => [selectMailbox(db, projectId)],
    handle: async ({ ctx, reads }) => {
      const { unseen, steps } = await testMailbox(ctx, reads[0]);
      return { message: "connected" as const, unseen, steps };
    },
  }),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: INGEST,
    operation: "projects.bounceUrl.get",
    summary: "Returns the URL that receives bounce reports.",
    capability: "projects:write", // a reader of the URL has the token
    answer: ingestUrlAnswer,
    reads: ({ deps: { db }, projectId }) => [selectToken(db, projectId)],
    handle: async ({ ctx, project, reads }) =>
      presentIngestUrl(await readIngestUrl(ctx, project, reads[0])),
  }),
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: `${INGEST}/rotate`,
    operation: "projects.bounceUrl.rotate",
    summary: "Replaces the token of the URL that receives bounce reports.",
    once: true,
    capability: "projects:write",
    answer: ingestUrlAnswer,
    handle: async ({ ctx, project }) => presentIngestUrl(await rotateIngestToken(ctx, project)),
  }),
];
