import { z } from "zod";
import {
  chooseSender,
  selectSender,
  type ServiceSender,
} from "../../services/service-mail/index.ts";
import { idAnswer } from "../answer-fields.ts";
import { uuidField } from "../fields.ts";
import { EXAMPLE_IDS } from "../route/words.ts";
import { route } from "../route/route.ts";

/** Selects the sender; null or a missing id clears it. */
const senderBody = z.object({ project_id: uuidField.optional() });

const senderAnswer = z.strictObject({ project_id: idAnswer.nullable(), ready: z.boolean() });

/**
 * Presents the sender. `ready` is false if its SMTP server changed since the operator's choice, or
 * if the operator lost access to the project.
 */
const presentSender = (sender: ServiceSender | undefined): z.input<typeof senderAnswer> => ({
  project_id: sender?.projectId ?? null,
  ready: sender?.isReady === 1,
});

/** Routes for the sender of service email. */
export const serviceMailRoutes = [
  route({
    auth: "operator",
    method: "GET",
    path: "/service/mail",
    operation: "service.mail.get",
    summary: "Returns the project that sends the service's own emails.",
    answer: senderAnswer,
    reads: ({ deps: { db } }) => [selectSender(db)],
    handle: async ({ reads: [[sender]] }) => presentSender(sender),
  }),
  route({
    auth: "operator",
    method: "PUT",
    path: "/service/mail",
    operation: "service.mail.choose",
    summary: "Chooses the project that sends the service's own emails.",
    refusals: [404, 409],
    example: { body: { project_id: EXAMPLE_IDS.project } },
    body: senderBody,
    answer: senderAnswer,
    handle: async ({ ctx, actor, body }) =>
      presentSender(await chooseSender(ctx, actor, body.project_id)),
  }),
];
