/* Calls of routes that write, each with the audit entries that it promises. */
import type { Client } from "./service.ts";

interface Outcome {
  status: number;
  actions?: string[];
}

/** What the test of the audit trail gives to a walk. */
interface Walk<Answer> {
  step: (
    client: Client,
    route: string,
    ids: unknown[],
    body: unknown,
    outcome: Outcome,
  ) => Promise<Answer>;
  did: (status: number, ...actions: string[]) => Outcome;
  idOf: (answer: Answer) => string;
  /** Returns a text that no audit entry may contain. */
  content: (name: string) => string;
}

export async function walkDrafts<Answer>(
  { step, did, idOf, content }: Walk<Answer>,
  sk: Client,
  id: string,
  template: string,
): Promise<void> {
  const DRAFTS = "/projects/:x/broadcasts";
  const given = { name: "Draft", template_id: template };
  const draft = idOf(await step(sk, `POST ${DRAFTS}`, [id], given, did(201, "broadcast.create")));
  const subject = { subject: content("draft-subject") };
  await step(sk, `PATCH ${DRAFTS}/:x`, [id, draft], subject, did(200, "broadcast.update"));
  await step(sk, `PATCH ${DRAFTS}/:x`, [id, id], subject, did(404));
  const COPY = `POST ${DRAFTS}/:x/duplicate`;
  const copy = idOf(await step(sk, COPY, [id, draft], {}, did(201, "broadcast.create")));
  await step(sk, `DELETE ${DRAFTS}/:x`, [id, copy], undefined, did(204, "broadcast.delete"));
  await step(sk, `DELETE ${DRAFTS}/:x`, [id, copy], undefined, did(404));
  await step(sk, `POST ${DRAFTS}/:x/audience`, [id, draft], {}, did(200));
  await step(sk, `PUT ${DRAFTS}/:x/archive`, [id, draft], {}, did(200, "broadcast.archive"));
  await step(sk, `POST ${DRAFTS}/:x/preflight`, [id, draft], undefined, did(200));
  await step(sk, `POST ${DRAFTS}/:x/test`, [id, draft], { to: ["t@any.test"] }, did(200));
  await step(sk, `POST ${DRAFTS}/:x/start`, [id, draft], {}, did(202, "broadcast.send"));
  await step(sk, `POST ${DRAFTS}/:x/start`, [id, draft], {}, did(409));
  await step(sk, `POST ${DRAFTS}/:x/winner`, [id, draft], { variant: "A" }, did(409));
  await step(sk, `POST ${DRAFTS}/:x/resend`, [id, draft], { to: "joined" }, did(409));
  await step(sk, `POST ${DRAFTS}/:x/undo`, [id, draft], undefined, did(200, "broadcast.undo"));
}

export async function walkAutomations<Answer>(
  { step, did, idOf, content }: Walk<Answer>,
  owner: Client,
  id: string,
): Promise<void> {
  const ALL = "/projects/:x/automations";
  const steps = [{ id: "mark", type: "set", metadata: { note: content("step") } }];
  const given = { name: "Welcome", trigger: { type: "manual" }, steps };
  await step(owner, `POST ${ALL}`, [id], { name: "Welcome" }, did(400));
  const made = idOf(await step(owner, `POST ${ALL}`, [id], given, did(201, "automation.created")));
  const ids = [id, made];
  await step(owner, `POST ${ALL}/:x/enter`, ids, { where: "status:active" }, did(409));
  await step(owner, `POST ${ALL}/:x/rehearse`, ids, {}, did(200));
  const name = { name: "Welcome series" };
  await step(owner, `PATCH ${ALL}/:x`, ids, name, did(200, "automation.changed"));
  await step(owner, `PATCH ${ALL}/:x`, [id, id], name, did(404));
  await step(owner, `POST ${ALL}/:x/start`, ids, {}, did(200, "automation.started"));
  await step(owner, `POST ${ALL}/:x/start`, ids, {}, did(409));
  const person = { email: "entering@people.test" };
  const people = "POST /projects/:x/subscribers";
  const entering = idOf(await step(owner, people, [id], person, did(201)));
  const enter = { subscriber_ids: [entering] };
  await step(owner, `POST ${ALL}/:x/enter`, ids, enter, did(200, "automation.entered"));
  await step(owner, `POST ${ALL}/:x/enter`, ids, enter, did(200));
  await step(owner, `POST ${ALL}/:x/pause`, ids, {}, did(200, "automation.paused"));
  await step(owner, `DELETE ${ALL}/:x`, ids, undefined, did(409));
  await step(owner, `POST ${ALL}/:x/stop`, ids, {}, did(200, "automation.stopped"));
  await step(owner, `DELETE ${ALL}/:x`, ids, undefined, did(204, "automation.deleted"));
  await step(owner, `DELETE ${ALL}/:x`, ids, undefined, did(404));
  const event = { name: "bought", ...person, data: { item: content("event") } };
  await step(owner, "POST /projects/:x/events", [id], event, did(202));
}
