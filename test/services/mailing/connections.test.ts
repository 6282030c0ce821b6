/*
 * The connections of a project, which its single mails and its batches share, when the server takes
 * fewer than the project may have.
 */
import { describe, expect, it } from "vitest";
import { createService, unique } from "../../support/service.ts";
import { startRawServer } from "../../support/smtp/raw-client.ts";
import type { RawScript } from "../../support/smtp/raw-script.ts";
import { deliveries } from "../../support/smtp/shipping.ts";

const service = createService();
const owner = await service.newOwner();
const address = () => `${unique("to")}@any.test`;
const DATA = ["PIPELINING", "8BITMIME"];

/** A project whose server plays a script. */
async function newSender(script: RawScript) {
  const server = await startRawServer(script);
  const { id } = await owner.newProject({ smtpPort: server.port });
  const path = `/projects/${id}`;
  const send = (to: string) =>
    owner.post(`${path}/send`, { to, subject: "Hello", html_body: "<p>Hi</p>" });
  const sendBatch = async (count: number) => {
    const { body } = await owner.post(`${path}/templates`, {
      name: unique("t"),
      subject: "s",
      html_body: "<p>x</p>",
    });
    const recipients = Array.from({ length: count }, () => ({ to: address() }));
    return (await owner.post(`${path}/send/batch`, { template_id: body["id"], recipients })).body;
  };
  const mailed = async () => [...(await deliveries(server)).values()];
  return { path, server, send, sendBatch, mailed };
}

describe("the connections of a project", () => {
  it("are as many as the server takes; a batch and single mails share them", async () => {
    const slow = [{ send: "250 2.0.0 ok\r\n", chunkBytes: 2, everyMs: 2 }];
    const rules = [{ on: "body", steps: slow }];
    const { send, sendBatch, path, server, mailed } = await newSender({
      offers: DATA,
      rules,
      connectionsMax: 2,
    });
    const singles = async (count: number) => {
      const answers = Array.from({ length: count }, () => send(address()));
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(
        Array(count).fill(200),
      );
    };
    await singles(10);
    expect(await server.openConnections(0)).toBe(2);
    expect(await sendBatch(40)).toMatchObject({ sent: 40, failed: 0 });
    await Promise.all([sendBatch(40), singles(10)]);
    expect(await mailed()).toEqual(Array(100).fill(1));
    const { body } = await owner.get(`${path}/sending`);
    expect(body).toMatchObject({ learned: { connections: { limit: 2 } } });
  });

  it("are waited for by a batch while the server is away, which teaches nothing", async () => {
    const busy = [{ send: "421 4.7.0 too many connections\r\n" }, { close: true } as const];
    const rules = [1, 2, 3].map((connection) => ({ on: "connect", connection, steps: busy }));
    const { sendBatch, path } = await newSender({ offers: DATA, rules });
    expect(await sendBatch(5)).toMatchObject({ sent: 5, failed: 0 });
    const { body } = await owner.get(`${path}/sending`);
    expect(body).toMatchObject({ learned: { connections: null } });
  });

  it("become no fewer when the server ends a session after some mails", async () => {
    const over = [
      { send: "421 too many messages in this connection\r\n" },
      { close: true } as const,
    ];
    const { send, path } = await newSender({
      offers: DATA,
      rules: [{ on: "MAIL", skip: 2, steps: over }],
    });
    for (let nth = 0; nth < 5; nth++) expect((await send(address())).status).toBe(200);
    const { body } = await owner.get(`${path}/sending`);
    expect(body).toMatchObject({ learned: { connections: null, per_minute: null } });
  });
});
