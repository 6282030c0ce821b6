import { z } from "zod";
import {
  mailboxOf,
  readIngestUrl,
  rotateIngestToken,
  saveMailbox,
  selectMailbox,
  selectToken,
  testMailbox,
  type IngestUrl,
} from "../../services/bounces/index.ts";
import { commandField, storedPasswordField } from "../fields.ts";
import { presentBounceMailbox, timestamp } from "../present.ts";
import { projectRoute } from "../routes.ts";

const mailboxBody = z.object({
  enabled: z.boolean(),
  host: z.string().trim().max(253).optional(),
  port: z.number().int().min(1).max(65_535).optional(),
  user: commandField(320).optional(),
  password: storedPasswordField,
  folder: commandField(255).trim().min(1, "must not be empty").optional(),
});

const MAILBOX = "/projects/:id/bounce-imap";
const INGEST = "/projects/:id/bounce-webhook";

const presentIngestUrl = ({ url, rotatedAt }: IngestUrl) => ({
  url,
  rotated_at: timestamp(rotatedAt),
});

/** Routes of API reference §14.1, and the connection test, which is ours. */
export const bounceRoutes = [
  projectRoute({
    method: "GET",
    path: MAILBOX,
    auth: "cookie_or_key",
    capability: "read",
    reads: (_c, { db }, projectId) => [selectMailbox(db, projectId)],
    handler: async ({ c, reads }) => c.json(presentBounceMailbox(mailboxOf(reads[0]))),
  }),
  projectRoute({
    method: "PUT",
    path: MAILBOX,
    auth: "cookie_or_key",
    capability: "projects:write",
    body: mailboxBody,
    reads: (_c, { db }, projectId) => [selectMailbox(db, projectId)],
    handler: async ({ c, ctx, project, reads, body }) => {
      const { enabled, host, port, user, password, folder } = body;
      const input = { enabled, host, port, user, password, folder };
      return c.json(presentBounceMailbox(await saveMailbox(ctx, project, reads[0], input)));
    },
  }),
  projectRoute({
    method: "POST",
    path: `${MAILBOX}/test`,
    auth: "cookie",
    capability: "projects:write",
    limit: "imap_test",
    reads: (_c, { db }, projectId) => [selectMailbox(db, projectId)],
    handler: async ({ c, ctx, reads }) =>
      c.json({ message: "connected", ...(await testMailbox(ctx, reads[0])) }),
  }),
  projectRoute({
    method: "GET",
    path: INGEST,
    auth: "cookie_or_key",
    capability: "projects:write", // a reader of the URL has the token
    reads: (_c, { db }, projectId) => [selectToken(db, projectId)],
    handler: async ({ c, ctx, project, reads }) =>
      c.json(presentIngestUrl(await readIngestUrl(ctx, project, reads[0]))),
  }),
  projectRoute({
    method: "POST",
    path: `${INGEST}/rotate`,
    auth: "cookie_or_key",
    capability: "projects:write",
    handler: async ({ c, ctx, project }) =>
      c.json(presentIngestUrl(await rotateIngestToken(ctx, project))),
  }),
];
