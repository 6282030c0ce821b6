import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import {
  address,
  newProject as newOutbox,
  now,
  owner,
  service,
} from "../../support/pending-mails.ts";
import { receivedMessages } from "../../support/mailbox.ts";
import { unique } from "../../support/service.ts";
import { HOUR, iso, MINUTE } from "../../support/times.ts";

async function newProject() {
  const project = await newOutbox();
  const made = await owner.post<{ key: string }>(`${project.path}/api-keys`, {
    name: "s",
    type: "sdk",
  });
  const sdk = service.withKey(made.body.key);
  await owner.put(`${project.path}/mail-settings`, { senders: ["@acme.example"] });
  const mail = () => ({ to: address(), html: "<p>Hi {{name}}</p>", subject: "Hello" });
  return {
    ...project,
    mail,
    send: (body: object, headers?: Record<string, string>) =>
      sdk.post<{ data: Record<string, string> }>("/send", body, headers),
  };
}

describe("POST /send with `from`", () => {
  it("uses an allowed sender, and is 422 for any other", async () => {
    const { mail, send } = await newProject();
    const [allowed, refused] = [mail(), mail()];
    expect((await send({ ...allowed, from: "Ann <ann@acme.example>" })).status).toBe(200);
    const [message] = await receivedMessages(allowed.to);
    const { from } = await PostalMime.parse(message?.raw ?? "");
    expect(from).toEqual({ name: "Ann", address: "ann@acme.example" });
    expect(await send({ ...refused, from: "ann@other.example" })).toMatchObject({
      status: 422,
      body: { success: false, code: "sender_not_allowed" },
    });
    expect(await receivedMessages(refused.to)).toEqual([]);
  });
});

describe("POST /send with `scheduled_at`", () => {
  it("answers 202, waits, and goes out once with the variables of its subscriber", async () => {
    const { path, mail, send, run, sweepAfter, logs } = await newProject();
    const scheduled_at = iso(now() + HOUR);
    const body = { ...mail(), from: "Ann <ann@acme.example>", scheduled_at };
    const headers = { "Idempotency-Key": unique("key") };
    const answer = await send(body, headers);
    const { to } = body;
    const data = { message: "scheduled", template: null, to, id: expect.any(String), scheduled_at };
    expect(answer).toMatchObject({ status: 202, body: { success: true, data } });
    expect((await send(body, headers)).body).toEqual(answer.body);
    await owner.post(`${path}/subscribers`, { email: to, name: "Sue" });
    await run();
    expect(await receivedMessages(to)).toEqual([]);
    await sweepAfter(61 * MINUTE);
    await run();
    const [message, ...others] = await receivedMessages(to);
    const parsed = await PostalMime.parse(message?.raw ?? "");
    expect(parsed.from?.address).toBe("ann@acme.example");
    expect(parsed.html).toContain("Hi Sue");
    expect(others).toEqual([]);
    expect(await logs()).toMatchObject([{ id: answer.body.data["id"], to_email: to }]);
  });

  it("is moved and cancelled by the project-scoped API, and refuses a time that has passed", async () => {
    const { path, mail, send } = await newProject();
    const { body } = await send({ ...mail(), scheduled_at: iso(now() + HOUR) });
    const place = `${path}/logs/${body.data["id"]}`;
    const later = { scheduled_at: iso(now() + 2 * HOUR) };
    expect((await owner.request("PATCH", place, later)).status).toBe(200);
    expect((await owner.post(`${place}/cancel`)).status).toBe(204);
    expect(await send({ ...mail(), scheduled_at: iso(now() - HOUR) })).toMatchObject({
      status: 400,
      body: { details: [{ path: "scheduled_at", code: "has_passed" }] },
    });
  });
});
