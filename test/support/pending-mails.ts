/*
 * Pending mails to subscribers of a service whose wakes, clock and crashes the test drives.
 */
import { env } from "cloudflare:test";
import { connect } from "cloudflare:sockets";
import { expect } from "vitest";
import { runScheduled } from "../../src/cron/run-scheduled.ts";
import type { WakeMessage } from "../../src/queues/messages.ts";
import { runSender } from "./project-objects.ts";
import { CAPTURING, createService, unique, type Service } from "./service.ts";
import { EVERY_MINUTE, MINUTE } from "./times.ts";

/** No server of a test run has a port below 1024. */
const NOBODY = { hostname: "127.0.0.1", port: 1 };

export const clock = { aheadMs: 0 };
/** The projects whose senders were woken. */
export const woken: string[] = [];
let refusal: Error | undefined;
/** Lets the queue refuse all messages with an error, or take them again. */
export function refuseMessages(error: Error | undefined): void {
  refusal = error;
}
/** A queue without outcomes: a sender that dies when it records one queues none, either. */
const WAKE_QUEUE = {
  sendBatch: async (messages: { body: WakeMessage }[]) => {
    if (refusal) throw refusal;
    woken.push(...messages.map(({ body }) => body.projectId));
  },
  send: async () => {
    throw new Error("the sender died");
  },
} as unknown as Service["env"]["WAKE_QUEUE"];
export const now = () => Date.now() + clock.aheadMs;
export const newService = () => createService({ WAKE_QUEUE }, { now });
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
    /** Adds a new subscriber, who gets a welcome, and returns their address. */
    join: async (email = address()) => {
      const { status } = await key.post("/join", { email, sendWelcomeEmail: true });
      expect(status).toBe(201);
      return email;
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
    /** Runs the sender of the project, as a wake of it does, and waits for its mails. */
    run: (world?: Service) => runOnce(project.id, world),
    /** Advances the clock and runs the minute's jobs. Returns whether they woke the sender. */
    sweepAfter: async (ms: number) => {
      clock.aheadMs += ms;
      woken.length = 0;
      await runScheduled(await service.deps(), EVERY_MINUTE);
      return woken.includes(project.id);
    },
    logs: async () => {
      const { body } = await owner.get<{ logs: Record<string, string>[] }>(`${path}/logs`);
      return body.logs;
    },
  };
}

async function runOnce(projectId: string, world: Service = service): Promise<void> {
  const running = runSender(env.PROJECT_SENDER, projectId, await world.deps());
  await (world === service ? running : running.catch(() => undefined)); // another world may fail
}

type Project = Pick<Awaited<ReturnType<typeof newProject>>, "pendingMails" | "sweepAfter" | "run">;

/** Runs sweep and sender until nothing is pending, for ten minutes at most. */
export async function workOff({ pendingMails, sweepAfter, run }: Project): Promise<void> {
  for (let minute = 0; minute < 10 && (await pendingMails()).length > 0; minute++)
    if (await sweepAfter(MINUTE)) await run();
  expect(await pendingMails()).toEqual([]);
}

/** A service whose SMTP server is gone: nothing listens on this real port. */
export const unconnected = () =>
  createService({ WAKE_QUEUE }, { now, sockets: (_to, how) => connect(NOBODY, how) });

/** A service whose database fails at statements that contain this text. */
export function failingAt(words: string): Service {
  const failing = newService();
  failing.d1.before = (sql) => {
    if (sql.some((text) => text.includes(words))) throw new Error("the sender died");
  };
  return failing;
}
