/*
 * Mails beside a project whose mail server hangs, with the queue and the objects as the platform
 * runs them.
 */
import { env } from "cloudflare:test";
import { describe, expect, it, onTestFinished } from "vitest";
import { ASYNC, newNewsletter } from "../../support/broadcasting.ts";
import { receivedMessages, waitForMessage } from "../../support/mailbox.ts";
import { allRows } from "../../support/rows.ts";
import { mailingWorld } from "../../support/service-mail.ts";
import { CAPTURING, unique } from "../../support/service.ts";
import { startRawServer } from "../../support/smtp/raw-client.ts";
import { deliveries } from "../../support/smtp/shipping.ts";
import { eventually } from "../../support/times.ts";

const { WAKE_QUEUE, PROJECT_SENDER } = env;
const world = await mailingWorld(Date.now, { WAKE_QUEUE, PROJECT_SENDER });
const { service } = world;
const owner = await service.newOwner();
const address = (word = "to") => `${unique(word)}@any.test`;

/** The most pending mails that a project has on their way. */
const AT_ONCE = 4;

/** A server that answers RCPT for some recipients after seconds. */
const slowFor = (word: string, reply: string, everyMs: number) =>
  startRawServer({
    offers: ["PIPELINING", "8BITMIME"],
    rules: [{ on: `RCPT TO:<${word}`, steps: [{ send: reply, chunkBytes: 1, everyMs }] }],
  });

/** A project with a server, and the joins of new subscribers, who get a welcome. */
async function projectAt(smtpPort = CAPTURING.smtpPort) {
  const news = await newNewsletter(service, owner, { smtpPort });
  const made = await owner.post<{ key: string }>(`${news.path}/api-keys`, {
    name: "p",
    type: "pk",
  });
  const key = service.withKey(made.body.key);
  const join = async (word?: string) => {
    const email = address(word);
    expect((await key.post("/join", { email, sendWelcomeEmail: true })).status).toBe(201);
    return email;
  };
  /** The attempts at each mail that is pending. */
  const pending = async () =>
    (await allRows("select attempts from pending_mails where project_id = ?", news.id))
      .map(({ attempts }) => Number(attempts))
      .toSorted((a, b) => b - a);
  return { ...news, join, pending };
}

/** A project whose server hangs with as many pending mails as it may have on their way. */
async function hangingProject() {
  const server = await slowFor("hang", "451 4.7.1 try again later\r\n", 1_000);
  const project = await projectAt(server.port);
  onTestFinished(async () => void (await owner.delete(project.path)));
  await Promise.all(Array.from({ length: 6 }, () => project.join("hang")));
  const isHanging = () =>
    eventually(async () => expect(await project.pending()).toEqual([1, 1, 1, 1, 0, 0]));
  await isHanging();
  return { ...project, server, isHanging };
}

describe("while the mail server of a project hangs", () => {
  it("mails of other projects and of the service go, and nothing of it is lost", async () => {
    const { isHanging } = await hangingProject();
    const healthy = await projectAt();
    const emails = await Promise.all(Array.from({ length: 6 }, () => healthy.join()));
    await service.anonymous.post("/auth/forgot", { email: world.operator.email });
    for (const email of [...emails, world.operator.email]) await waitForMessage(email, 10_000);
    await eventually(async () => expect(await healthy.pending()).toEqual([]));
    for (const email of emails) expect(await receivedMessages(email)).toHaveLength(1);
    await isHanging();
  });

  it("its single mails and broadcasts go beside the four pending mails that it holds", async () => {
    const { path, subscribe, start, progress, server, isHanging } = await hangingProject();
    const single = { to: address(), subject: "s", html_body: "<p>x</p>" };
    expect((await owner.post(`${path}/send`, single)).status).toBe(200);
    await allRows("update subscribers set status = 'pending' where email like 'hang%'");
    await subscribe(20);
    const { body } = await start(ASYNC);
    await eventually(async () =>
      expect(await progress(String(body["broadcast_id"]))).toMatchObject({
        state: "done",
        sent: 20,
      }),
    );
    expect([...(await deliveries(server)).values()]).toEqual(Array(21).fill(1));
    await isHanging();
  });
});

describe("a slow mail server", () => {
  it("gets four pending mails at once, and the next when one of them ends", async () => {
    const server = await slowFor("slow", "250 2.1.5 recipient ok\r\n", 50);
    const { join, pending } = await projectAt(server.port);
    await Promise.all(Array.from({ length: 11 }, () => join("slow")));
    await eventually(async () => expect(await pending()).toEqual([]));
    expect([...(await deliveries(server)).values()]).toEqual(Array(11).fill(1));
    expect((await server.log()).openMax).toBe(AT_ONCE);
  });
});
