/*
 * A service with mail of its own: its first account, its sending project and its mails. The test
 * drives the queue, so a mail leaves only when the test delivers it.
 */
import { createMessageBatch } from "cloudflare:test";
import type { PendingMailMessage, ServiceMailMessage } from "../../src/queues/messages.ts";
import { handleBatch } from "../../src/queues/handle-batch.ts";
import { testLicense } from "./license.ts";
import { receivedMessages, type ReceivedMessage } from "./mailbox.ts";
import { CAPTURING, createService, type Service } from "./service.ts";
import { newPerson, type Person } from "./workspaces.ts";

const team = await testLicense("team");

export interface MailingWorld {
  service: Service;
  /** First account, which owns the sending project. */
  operator: Person;
  project: { id: string; key: string };
  /** The messages of pending mails, of the service and to subscribers. */
  queued: (PendingMailMessage | ServiceMailMessage)[];
  /** Makes the queues deliver their messages. */
  deliver: () => Promise<void>;
  /** Makes the queue deliver its messages, and returns the last mail to an address. */
  mailTo: (email: string) => Promise<ReceivedMessage>;
  /** Token of the last mail to an address, after its delivery. */
  tokenFor: (email: string) => Promise<string>;
  choose: (projectId: string | null) => Promise<{ status: number; body: Record<string, unknown> }>;
}

/** Must create the first account of its file. */
export async function mailingWorld(
  now: () => number,
  settings: Parameters<typeof createService>[0] = {},
  runtime: Parameters<typeof createService>[1] = {},
): Promise<MailingWorld> {
  const queued: MailingWorld["queued"] = [];
  const queue = {
    sendBatch: async (messages: { body: MailingWorld["queued"][number] }[]) => {
      queued.push(...messages.map(({ body }) => body));
    },
  } as unknown as Queue;
  const queues = { MAIL_QUEUE: queue, SERVICE_QUEUE: queue };
  const service = createService({ ...team, ...queues, ...settings }, { now, ...runtime });
  const operator = await newPerson(service);
  const project = await operator.newProject(CAPTURING);
  const choose = (projectId: string | null) =>
    operator.put("/service/mail", { project_id: projectId });
  const chosen = await choose(project.id);
  if (chosen.status !== 200) throw new Error(JSON.stringify(chosen));
  const deliver = async () => {
    const bodies = queued.splice(0);
    const batch = createMessageBatch(
      "postrider-service",
      bodies.map((body, at) => ({ id: `m${at}`, timestamp: new Date(), attempts: 1, body })),
    );
    if (bodies.length > 0) await handleBatch(await service.deps(), batch);
  };
  const mailTo = async (email: string) => {
    await deliver();
    const last = (await receivedMessages(email)).at(-1);
    if (!last) throw new Error(`no mail came for ${email}`);
    return last;
  };
  const tokenFor = async (email: string) => tokenIn(await mailTo(email));
  return { service, operator, project, queued, deliver, mailTo, tokenFor, choose };
}

/** Text of a mail without the marks of quoted-printable. */
export const plain = ({ text }: ReceivedMessage) =>
  text.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "=");

export function tokenIn(message: ReceivedMessage): string {
  const token = /#token=([0-9A-Za-z]{43})/.exec(plain(message))?.[1];
  if (!token) throw new Error("the mail has no token");
  return token;
}
