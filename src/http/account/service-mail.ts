import { z } from "zod";
import {
  chooseSender,
  selectOperator,
  selectSender,
  type ServiceSender,
} from "../../services/service-mail/index.ts";
import { uuidField } from "../fields.ts";
import { userRoute } from "../routes.ts";
import { requireFirst } from "./require-first.ts";

/** The choice of a sender; a null, like a missing id, clears it. */
const senderBody = z.object({ project_id: uuidField.optional() });

/**
 * Presents the sender; `ready` is false once the server is another one, or the operator has lost
 * the project.
 */
const presentSender = (sender: ServiceSender | undefined) => ({
  project_id: sender?.projectId ?? null,
  ready: sender?.isReady === 1,
});

/** Routes of the sender of the service's own mail, for the owner of the first account alone. */
export const serviceMailRoutes = [
  userRoute({
    method: "GET",
    path: "/service/mail",
    reads: (_c, { db }) => [selectOperator(db), selectSender(db)],
    mayEnter: requireFirst,
    handler: async ({ c, reads: [, [sender]] }) => c.json(presentSender(sender)),
  }),
  userRoute({
    method: "PUT",
    path: "/service/mail",
    body: senderBody,
    reads: (_c, { db }) => [selectOperator(db)],
    mayEnter: requireFirst,
    handler: async ({ c, ctx, actor, body }) =>
      c.json(presentSender(await chooseSender(ctx, actor, body.project_id))),
  }),
];
