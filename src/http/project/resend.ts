import { z } from "zod";
import { sha256Hex } from "../../lib/hash.ts";
import { requireEntry, selectEntry } from "../../services/email-log/index.ts";
import { resendMail } from "../../services/mailing/index.ts";
import { dataField, otherSubjectField } from "../fields.ts";
import { idempotencyOf } from "../idempotency-key.ts";
import { route } from "../route/route.ts";
import { trackingField } from "./tracking-fields.ts";
import { finishAnyway, requireSent, sentAnswer } from "./send.ts";

const resendBody = z.object({
  subject: otherSubjectField,
  data: dataField.default({}),
  tracking: trackingField.optional(),
  may_arrive_twice: z.boolean().default(false),
});

export const resendRoutes = [
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: "/projects/:id/logs/:logId/resend",
    operation: "projects.logs.resend",
    summary: "Resends an email that was not sent.",
    refusals: [409, 422, 502],
    takesIdempotencyKey: true,
    example: { body: { data: { name: "Ann" } } },
    capability: "send:transactional",
    limit: "send",
    body: resendBody,
    answer: sentAnswer,
    reads: ({ deps: { db }, projectId, param }) => [selectEntry(db, projectId, param("logId"))],
    handle: async ({ c, ctx, project, body, bytes, reads: [entries] }) => {
      const entry = requireEntry(ctx.deps, entries);
      const { subject, data, tracking, may_arrive_twice: mayArriveTwice } = body;
      const input = { subject, data, tracking, mayArriveTwice };
      // Without an Idempotency-Key, a mail is resent at most once a day.
      const own = { key: `resend:${entry.id}`, requestHash: sha256Hex(`resend ${entry.id}`) };
      const idempotency = idempotencyOf(c, ctx, bytes) ?? own;
      const sending = resendMail(ctx, project, entry, input, idempotency);
      const { id } = requireSent(await finishAnyway(ctx, sending));
      return { message: "sent" as const, id };
    },
  }),
];
