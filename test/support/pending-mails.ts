/*
 * Pending mails to subscribers of a service whose queue, clock and crashes the test drives.
 */
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { connect } from "cloudflare:sockets";
import { expect } from "vitest";
import { runScheduled } from "../../src/cron/run-scheduled.ts";
import type { PendingMailMessage } from "../../src/queues/messages.ts";
import { handleBatch } from "../../src/queues/handle-batch.ts";
import { CAPTURING, createService, unique, type Service } from "./service.ts";
import { EVERY_MINUTE, MINUTE } from "./times.ts";

/** No server of a test run has a port below 1024. */
const NOBODY = { hostname: "127.0.0.1", port: 1 };

export const clock = { aheadMs: 0 };
export const queued: PendingMailMessage[] = [];
let refusal: Error | undefined;
/** Lets the queue refuse all messages with an error, or take them again. */
export function refuseMessages(error: Error | undefined): void {
  refusal = error;
}
const MAIL_QUEUE = {
  sendBatch: async (messages: { body: PendingMailMessage }[]) => {
    if (refusal) throw refusal;
    queued.push(...messages.map(({ body }) => body));
  },
} as unknown as Service["env"]["MAIL_QUEUE"];
/** A queue that takes nothing: a worker that dies at its settle queues no outcome, either. */
const SERVICE_QUEUE = {
  send: async () => {
    throw new Error("the worker died");
  },
} as unknown as Service["env"]["SERVICE_QUEUE"];
export const now = () => Date.now() + clock.aheadMs;
export const newService = () => createService({ MAIL_QUEUE, SERVICE_QUEUE }, { now });
export const service = newService();
/** The owner of the project of `newProject`. */
export let owner = await service.newOwner();
export const address = () => `${unique("pending")}@any.test`;

interface PendingRow {
  id: string;
  attempts: number;
  due_at: number;
  subscriber_id: string;
}

/** Project with keys, its waitlist and its pending mails. */
export async function newProject() {
  owner = await service.newOwner(); // a session expires during these tests
  const project = await owner.newProject(CAPTURING);
  const path = `/projects/${project.id}`;
  const made = await owner.post<{ key: string }>(`${path}/api-keys`, { name: "p", type: "pk" });
  const template = await owner.post<{ id: string }>(`${path}/templates`, {
    name: "Confirm",
    subject: "Confirm {{email}}",
    html_body: '<p>Hello {{email}} <a href="{{unsubscribe_url}}">leave</a></p>',
  });
  const key = service.withKey(made.body.key);
  return {
    ...project,
    path,
    key,
    publicKey: made.body.key,
    template: (fields: object) => owner.post(`${path}/templates`, fields),
    /** Adds a new subscriber, who gets a welcome, and returns the queued message. */
    join: async (email = address()) => {
      queued.length = 0;
      const { status } = await key.post("/join", { email, sendWelcomeEmail: true });
      expect(status).toBe(201);
      return { email, message: queued.at(-1) };
    },
    wait: (email: string) =>
      service.anonymous.post(`${path}/waitlist`, { email, template_id: template.body.id }),
    pendingMails: async () => {
      const { results } = await service.env.DB.prepare(
        "select id, attempts, due_at, subscriber_id from pending_mails where project_id = ?",
      )
        .bind(project.id)
        .all<PendingRow>();
      return results;
    },
    logs: async () => {
      const { body } = await owner.get<{ logs: Record<string, string>[] }>(`${path}/logs`);
      return body.logs;
    },
  };
}

/** Makes the queue deliver a message and returns its verdict. */
export async function deliver(body: PendingMailMessage | undefined, world: Service = service) {
  if (!body) throw new Error("nothing was queued");
  const context = createExecutionContext();
  const message = { id: "message", timestamp: new Date(), attempts: 1, body };
  const batch = createMessageBatch("postrider-mail", [message]);
  await handleBatch(await world.deps(), batch);
  const { explicitAcks } = await getQueueResult(batch, context);
  return explicitAcks.length === 1;
}

type PendingRows = () => Promise<PendingRow[]>;

/**
 * The queued messages of these pending mails; other projects of the run may have pending mails as
 * well.
 */
export async function queuedOf(pendingMails: PendingRows): Promise<PendingMailMessage[]> {
  const own = new Set((await pendingMails()).map(({ id }) => id));
  return queued.filter(({ pendingMailId }) => own.has(pendingMailId));
}

/**
 * Advances the clock, runs the minute's jobs and returns the queue messages of these pending mails.
 */
export async function sweepAfter(
  ms: number,
  pendingMails: PendingRows,
): Promise<PendingMailMessage[]> {
  clock.aheadMs += ms;
  queued.length = 0;
  await runScheduled(await service.deps(), EVERY_MINUTE);
  return queuedOf(pendingMails);
}

/** Runs queue and sweep until nothing is pending, for ten minutes at most. */
export async function workOff(pendingMails: PendingRows): Promise<void> {
  for (let minute = 0; minute < 10 && (await pendingMails()).length > 0; minute++)
    for (const woken of await sweepAfter(MINUTE, pendingMails)) await deliver(woken);
  expect(await pendingMails()).toEqual([]);
}

/** A service whose SMTP server is gone: nothing listens on this real port. */
export const unconnected = () =>
  createService({ MAIL_QUEUE }, { now, sockets: (_to, how) => connect(NOBODY, how) });

/** A service whose database always fails at statements that contain this text. */
export function failingAt(words: string): Service {
  const failing = newService();
  failing.d1.before = (sql) => {
    if (sql.some((text) => text.includes(words))) throw new Error("the worker died");
  };
  return failing;
}
