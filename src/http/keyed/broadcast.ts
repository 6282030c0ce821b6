import { z } from "zod";
import { optionalRead } from "../../db/client.ts";
import { startNamedBroadcast, type NamedBroadcast } from "../../services/broadcasts/index.ts";
import { selectStorage } from "../../services/storage/index.ts";
import { mailTemplate, selectTemplateByName } from "../../services/templates/index.ts";
import { idAnswer } from "../answer-fields.ts";
import { templateNameField, subjectField } from "../fields.ts";
import { withoutNulls } from "../given.ts";
import { trackingField } from "../project/tracking-fields.ts";
import { route } from "../route/route.ts";
import { requiring } from "./required.ts";
import { fault, refuse } from "../fault.ts";

/** Values of the status filter; `confirmed` is an alias of `active` (API reference §17). */
const STATUS_OF_FILTER = {
  confirmed: "active",
  active: "active",
  pending: "pending",
  unsubscribed: "unsubscribed",
} as const;

const filterField = z
  .preprocess(
    withoutNulls,
    z.strictObject({
      status: z.enum(["confirmed", "active", "pending", "unsubscribed"]).default("active"),
      source: z.string().min(1, fault("empty")).optional(),
    }),
  )
  .prefault({})
  .transform(({ status, source = null }) => ({ status: STATUS_OF_FILTER[status], source }));

const fields = z
  .object({
    subject: subjectField,
    template: templateNameField.optional(),
    html: z.string().optional(),
    filter: filterField,
    tracking: trackingField.optional(),
  })
  .transform(({ subject, template, html, filter, tracking }, context): NamedBroadcast => {
    if (template !== undefined && html !== undefined) {
      return refuse(context, fault("either", { one: "template", other: "html" }));
    }
    const content = template === undefined ? { html: html ?? "" } : { template };
    return { subject, content, tracking, ...filter };
  });

const startedAnswer = z.strictObject({
  message: z.literal("broadcast started"),
  broadcastId: idAnswer,
});

export const broadcastRoute = route({
  auth: "secret",
  method: "POST",
  path: "/broadcast",
  operation: "keyed.broadcasts.start",
  summary: "Starts a broadcast to the subscribers of the key's project.",
  once: true,
  refusals: [404],
  example: {
    body: {
      subject: "News",
      html: '<p>Hello {{name}}</p><a href="{{unsubscribe_link}}">Leave</a>',
      tracking: { clicks: false },
    },
  },
  capability: "send:broadcast",
  limit: "keyed_broadcast",
  body: requiring(["subject", "template or html"], fields),
  answer: startedAnswer,
  status: 202,
  reads: ({ deps: { db }, projectId, body: { content } }) =>
    [
      selectStorage(db),
      optionalRead("template" in content ? content.template : undefined, (name) =>
        selectTemplateByName(db, projectId, name),
      ),
    ] as const,
  handle: async ({ ctx, project, reads: [[storage], [own]], body }) => {
    const facts = { own: own && mailTemplate(own), storage };
    const { id } = await startNamedBroadcast(ctx, project, body, facts);
    return { message: "broadcast started" as const, broadcastId: id };
  },
});
