import { optionalRead } from "../../db/client.ts";
import { selectSubscriberByEmail } from "../../services/subscribers/index.ts";
import { readConsents, setConsents } from "../../services/topics/index.ts";
import type { Deps } from "../../deps.ts";
import type { SQL } from "drizzle-orm";
import { emailField } from "../fields.ts";
import { consentsAnswer, presentConsents, topicsBody } from "../project/subscriber-topics.ts";
import { route } from "../route/route.ts";

/** A subscriber by id or email: callers of this API know their subscribers by email. */
const PATH = "/subscribers/:subscriber/topics";

interface Asked {
  deps: Deps;
  projectId: SQL;
  param: (name: "subscriber") => string;
}

/** Returns the read of a subscriber by email. */
function readByEmail({ deps: { db }, projectId, param }: Asked) {
  const { data: email } = emailField.safeParse(param("subscriber"));
  return [optionalRead(email, (known) => selectSubscriberByEmail(db, projectId, known))] as const;
}

export const consentRoutes = [
  route({
    auth: "secret",
    method: "GET",
    path: PATH,
    operation: "keyed.subscribers.topics.get",
    summary: "Returns the consents of a subscriber with their history.",
    capability: "read",
    limit: "keyed_read",
    answer: consentsAnswer,
    reads: readByEmail,
    handle: async ({ ctx, project, param, reads: [[found]] }) =>
      presentConsents(await readConsents(ctx, project, found?.id ?? param("subscriber"))),
  }),
  route({
    auth: "secret",
    method: "PUT",
    path: PATH,
    operation: "keyed.subscribers.topics.save",
    summary: "Sets the consent of a subscriber to some topics.",
    example: { body: { "Weekly digest": "subscribed" } },
    capability: "subscribers:write",
    limit: "keyed_write",
    body: topicsBody,
    answer: consentsAnswer,
    reads: readByEmail,
    handle: async ({ ctx, project, param, body, reads: [[found]] }) =>
      presentConsents(await setConsents(ctx, project, found?.id ?? param("subscriber"), body)),
  }),
];
