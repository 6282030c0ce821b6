/*
 * A service with mail of its own: its first account, its sending project and its mails. The test
 * wakes the senders, so a mail leaves only when the test delivers it.
 */
import { env } from "cloudflare:test";
import type { WakeMessage } from "../../src/queues/messages.ts";
import { testLicense } from "./license.ts";
import { receivedMessages, type ReceivedMessage } from "./mailbox.ts";
import { runSender } from "./project-objects.ts";
import { CAPTURING, createService, type Service } from "./service.ts";
import { newPerson, type Person } from "./workspaces.ts";

const team = await testLicense("team");

export interface MailingWorld {
  service: Service;
  /** First account, which owns the sending project. */
  operator: Person;
  project: { id: string; key: string };
  /** The projects whose senders were woken. */
  woken: string[];
  /** Runs the senders that were woken, and waits for their mails. */
  deliver: () => Promise<void>;
  /** Runs the senders that were woken, and returns the last mail to an address. */
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
  const woken: string[] = [];
  const WAKE_QUEUE = {
    sendBatch: async (messages: { body: WakeMessage }[]) =>
      void woken.push(...messages.map(({ body }) => body.projectId)),
  } as unknown as Queue;
  const service = createService({ ...team, WAKE_QUEUE, ...settings }, { now, ...runtime });
  const operator = await newPerson(service);
  const project = await operator.newProject(CAPTURING);
  const choose = (projectId: string | null) =>
    operator.put("/service/mail", { project_id: projectId });
  const chosen = await choose(project.id);
  if (chosen.status !== 200) throw new Error(JSON.stringify(chosen));
  const deliver = async () => {
    while (woken.length > 0)
      for (const projectId of new Set(woken.splice(0)))
        await runSender(env.PROJECT_SENDER, projectId, await service.deps());
  };
  const mailTo = async (email: string) => {
    await deliver();
    const last = (await receivedMessages(email)).at(-1);
    if (!last) throw new Error(`no mail came for ${email}`);
    return last;
  };
  const tokenFor = async (email: string) => tokenIn(await mailTo(email));
  return { service, operator, project, woken, deliver, mailTo, tokenFor, choose };
}

/** Text of a mail without the marks of quoted-printable. */
export const plain = ({ text }: ReceivedMessage) =>
  text.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "=");

export function tokenIn(message: ReceivedMessage): string {
  const token = /#token=([0-9A-Za-z]{43})/.exec(plain(message))?.[1];
  if (!token) throw new Error("the mail has no token");
  return token;
}
