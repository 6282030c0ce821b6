/* The Resend door, called by Resend's own package with nothing but another base URL. */
import PostalMime from "postal-mime";
import { describe, expect, it, vi } from "vitest";
import { waitForMessage } from "../support/mailbox.ts";
import { address, dataOf, mail, openDoor, refused } from "../support/resend-door.ts";
import { CAPTURING, createService, unique } from "../support/service.ts";
import { HOUR } from "../support/times.ts";

const service = createService();
const owner = await service.newOwner();
const project = await owner.newProject(CAPTURING);
const FROM = "sender@postrider.test";
const { callWith, clientWith, newToken } = openDoor(service, owner);
const resend = clientWith(project.key);
const call = callWith(project.key);

/** Sends an email that must be accepted, and returns its ID. */
async function sent(payload: ReturnType<typeof mail>): Promise<string> {
  return dataOf(await resend.emails.send(payload)).id;
}

describe("a send", () => {
  it("arrives with its copies, headers, text and attachments, and is logged with its tags", async () => {
    const [to, other, cc, bcc] = [address(), address(), address(), address()];
    const { data, error } = await resend.emails.send({
      ...mail(),
      to: [to, other],
      text: "Hi in text",
      cc,
      bcc: [bcc],
      replyTo: "help@postrider.test",
      headers: { "X-Order": "1042" },
      tags: [{ name: "order", value: "1042" }],
      attachments: [
        { filename: "a.txt", content: Buffer.from("file"), contentType: "text/plain" },
        { filename: "b.txt", content: btoa("base64"), contentId: "pic@shop" },
      ],
    });
    expect(error).toBeNull();
    const message = await PostalMime.parse((await waitForMessage(bcc)).raw);
    expect(message).toMatchObject({
      from: { name: "Shop", address: FROM },
      to: [{ address: to }, { address: other }],
      cc: [{ address: cc }],
      replyTo: [{ address: "help@postrider.test" }],
      text: expect.stringContaining("Hi in text"),
      html: expect.stringMatching(/<p>Hi <a .*>there<\/a><\/p>/),
      attachments: expect.arrayContaining([
        expect.objectContaining({ filename: "a.txt", mimeType: "text/plain" }),
        expect.objectContaining({ filename: "b.txt", contentId: "<pic@shop>" }),
      ]),
    });
    const texts = message.attachments.map(({ content }) =>
      typeof content === "string" ? content : new TextDecoder().decode(content),
    );
    expect(texts.toSorted()).toEqual(["base64", "file"]);
    expect(message.headers).toContainEqual(
      expect.objectContaining({ key: "x-order", value: "1042" }),
    );
    const found = await resend.emails.get(data?.id ?? "");
    expect(found.data).toEqual({
      object: "email",
      id: data?.id,
      message_id: "",
      to: [to],
      from: "",
      created_at: expect.any(String),
      subject: "Hello",
      html: null,
      text: null,
      bcc: null,
      cc: null,
      reply_to: null,
      last_event: "sent",
      scheduled_at: null,
      tags: [{ name: "order", value: "1042" }],
    });
  });

  it("takes attachments as lists of bytes, as the clients in Python and older ones in Node", async () => {
    const to = address();
    const data = [...new TextEncoder().encode("file")];
    const attachments = [
      { filename: "list.txt", content: data },
      { filename: "buffer.txt", content: { type: "Buffer", data } },
    ];
    const answer = await call("POST", "/emails", { ...mail(to), cc: null, attachments });
    expect(answer).toEqual({ status: 200, body: { id: expect.any(String) } });
    const message = await PostalMime.parse((await waitForMessage(to)).raw);
    const texts = message.attachments.map(({ content }) =>
      new TextDecoder().decode(content as ArrayBuffer),
    );
    expect(texts).toEqual(["file", "file"]);
  });

  it("sends a template with its variables", async () => {
    const { body } = await owner.post(`/projects/${project.id}/templates`, {
      name: unique("template"),
      subject: "Hi {{name}}",
      html_body: "<p>{{name}}</p>",
    });
    const to = address();
    const template = { id: String(body["id"]), variables: { name: "Ann" } };
    const { error } = await resend.emails.send({ to, template });
    expect(error).toBeNull();
    expect((await PostalMime.parse((await waitForMessage(to)).raw)).subject).toBe("Hi Ann");
  });

  it("is repeated by its Idempotency-Key, and refuses another email with the same key", async () => {
    const payload = mail();
    const idempotencyKey = unique("key");
    const first = await resend.emails.send(payload, { idempotencyKey });
    const again = await resend.emails.send(payload, { idempotencyKey });
    expect(again.data).toEqual(first.data);
    const other = await resend.emails.send({ ...payload, subject: "Other" }, { idempotencyKey });
    expect(other).toEqual(refused(409, "invalid_idempotent_request"));
    const wrong = await resend.emails
      .send(payload, { idempotencyKey: "ä".repeat(3) })
      .catch(() => 0);
    if (wrong !== 0) expect(wrong).toEqual(refused(400, "invalid_idempotency_key"));
  });

  it("to a suppressed address is accepted and logged as suppressed", async () => {
    const to = address();
    await owner.post(`/projects/${project.id}/suppressions`, { emails: [to] });
    const id = await sent(mail(to));
    expect((await resend.emails.get(id)).data?.last_event).toBe("suppressed");
  });

  it("that the server rejects is an application_error", async () => {
    const answer = await resend.emails.send(mail(`${unique("rcpt.550.5.1.1.to")}@any.test`));
    expect(answer).toEqual(refused(502, "application_error"));
  });

  it("for later is moved and cancelled until it is due", async () => {
    const hour = 3_600_000;
    const at = (hours: number) => new Date(Date.now() + hours * hour).toISOString();
    const { data } = await resend.emails.send({ ...mail(), scheduledAt: at(1) });
    const id = data?.id ?? "";
    const later = at(2);
    const moved = await resend.emails.update({ id, scheduledAt: later });
    expect(moved.data).toEqual({ object: "email", id });
    const waiting = await resend.emails.get(id);
    expect(waiting.data).toMatchObject({ id, last_event: "scheduled", scheduled_at: later });
    expect((await resend.emails.cancel(id)).data).toEqual({ object: "email", id });
    expect(await resend.emails.get(id)).toEqual(refused(404, "not_found"));
    expect(await resend.emails.cancel(id)).toEqual(refused(404, "not_found"));
    const inWords = await resend.emails.send({ ...mail(), scheduledAt: "at some time" });
    const message = expect.stringMatching(/^scheduled_at: .*RFC 3339/);
    expect(inWords).toEqual(refused(422, "validation_error", message));
    const done = await resend.emails.update({ id: await sent(mail()), scheduledAt: at(1) });
    expect(done).toEqual(refused(409, "validation_error"));
  });

  it("with words as its time is repeated by its Idempotency-Key, alone and in a batch", async () => {
    const later = (scheduledAt: string) => ({ ...payload, scheduledAt });
    const payload = mail();
    const key = { idempotencyKey: unique("key") };
    const send = (words: string) => resend.emails.send(later(words), key);
    const first = dataOf(await send("in 1 hour"));
    const { scheduled_at: at } = dataOf(await resend.emails.get(first.id));
    await vi.waitUntil(() => Date.now() > Date.parse(at ?? "") - HOUR); // another millisecond
    expect(dataOf(await send("in 1 hour"))).toEqual(first);
    expect(await send("in 2 hours")).toEqual(refused(409, "invalid_idempotent_request"));
    const mails = [later("in 1 hour"), later("tomorrow at 9am")];
    const both = { idempotencyKey: unique("key") };
    const batch = async () => dataOf(await resend.batch.send(mails as never, both)).data;
    expect(await batch()).toEqual(await batch());
  });

  it("names what is wrong by the names of Resend", async () => {
    const { html: _html, ...empty } = mail();
    const { from: _from, ...anonymous } = mail();
    const wrong: [object, number, string, string][] = [
      [empty, 422, "missing_required_field", "html: at least one of html, text, template"],
      [anonymous, 422, "missing_required_field", "from: is required"],
      [mail("nobody"), 422, "validation_error", "to: is not an email address"],
      [{ ...mail(), from: "ann@other.test" }, 403, "validation_error", "ann@other.test"],
      [{ ...mail(), topicId: "news" }, 422, "validation_error", "topic_id: must be a UUID"],
      [
        { ...mail(), attachments: [{ filename: "a", content: "?" }] },
        422,
        "validation_error",
        "attachments.0.content: is not base64",
      ],
    ];
    for (const [payload, status, name, message] of wrong)
      expect(await resend.emails.send(payload as never)).toEqual(
        refused(status, name, expect.stringContaining(message)),
      );
  });

  it("costs one D1 round trip more than our own, once a key", async () => {
    const roundTrips = async (work: () => Promise<unknown>) => {
      service.d1.reset();
      await work();
      return service.d1.roundTrips;
    };
    const other = await owner.newProject(CAPTURING);
    const own = service.withKey(other.key);
    const path = `/projects/${other.id}/send`;
    const { html, ...fields } = mail();
    const ours = await roundTrips(() => own.post(path, { ...fields, html_body: html }));
    const through = clientWith(other.key);
    expect(await roundTrips(() => through.emails.send(mail()))).toBeLessThanOrEqual(ours + 1);
    expect(await roundTrips(() => through.emails.send(mail()))).toBe(ours);
  });
});

describe("a batch", () => {
  it("sends different emails, once for an Idempotency-Key", async () => {
    const mails = [mail(), { ...mail(), subject: "Second" }, mail()];
    const idempotencyKey = unique("batch");
    const first = await resend.batch.send(mails, { idempotencyKey });
    expect(first.data?.data).toHaveLength(3);
    for (const { to, subject } of mails)
      expect((await waitForMessage(to)).text).toContain(`Subject: ${subject}`);
    expect((await resend.batch.send(mails, { idempotencyKey })).data).toEqual(first.data);
  });

  it("that is strict sends nothing if one email is wrong", async () => {
    const good = mail();
    const answer = await resend.batch.send([good, mail("nobody")]);
    const message = expect.stringMatching(/^email 1 of the batch: to: .*; nothing was sent$/);
    expect(answer).toEqual(refused(422, "validation_error", message));
    const { body } = await owner.get(`/projects/${project.id}/logs?to_email=${good.to}`);
    expect(body["logs"]).toEqual([]);
  });

  it("that is permissive sends the others and names the wrong ones", async () => {
    const good = mail();
    const foreign = { ...mail(), from: "ann@other.test" };
    const { data } = await resend.batch.send([mail("nobody"), good, foreign], {
      batchValidation: "permissive",
    });
    expect(data).toEqual({
      data: [{ id: expect.any(String) }],
      errors: [
        { index: 0, message: expect.stringContaining("to: is not an email address") },
        { index: 2, message: expect.stringContaining("ann@other.test") },
      ],
    });
    expect((await waitForMessage(good.to)).text).toContain("Subject: Hello");
  });

  it("that the rate limit has no room for sends nothing", async () => {
    const { body } = await owner.post(`/projects/${project.id}/api-keys`, {
      name: "slow",
      rate_limit_per_minute: 2,
    });
    const first = mail();
    const answer = await clientWith(String(body["key"])).batch.send([first, mail()]);
    expect(answer).toEqual(refused(429, "rate_limit_exceeded"));
    expect(Number(answer.headers?.["retry-after"])).toBeGreaterThan(0);
    const { body: log } = await owner.get(`/projects/${project.id}/logs?to_email=${first.to}`);
    expect(log["logs"]).toEqual([]);
  });
});

describe("what was sent and from where", () => {
  it("is listed in pages for an access token of one project", async () => {
    const place = await owner.newProject(CAPTURING);
    const through = clientWith(await newToken(place.id));
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const { data } = await through.emails.send(mail());
      ids.unshift(data?.id ?? "");
    }
    const first = (await through.emails.list({ limit: 2 })).data;
    expect(first).toMatchObject({ object: "list", has_more: true });
    expect(first?.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const rest = (await through.emails.list({ limit: 2, after: ids[1] ?? "" })).data;
    expect(rest).toMatchObject({ has_more: false, data: [{ id: ids[2], last_event: "sent" }] });
    const back = (await through.emails.list({ limit: 1, before: ids[2] ?? "" })).data;
    expect(back).toMatchObject({ has_more: true, data: [{ id: ids[1] }] });
    const start = (await through.emails.list({ before: ids[1] ?? "" })).data;
    expect(start).toMatchObject({ has_more: false, data: [{ id: ids[0] }] });
  });

  it("is not listed for a page that cannot be", async () => {
    const through = clientWith(await newToken(project.id));
    const id = await sent(mail());
    const unknown = crypto.randomUUID();
    const wrong: [object, number, string, string][] = [
      [{ limit: 0 }, 422, "validation_error", "limit"],
      [{ limit: 101 }, 422, "validation_error", "limit"],
      [{ after: id, before: id }, 422, "validation_error", "before"],
      [{ before: unknown }, 422, "validation_error", "before"],
      [{ after: unknown }, 404, "not_found", ""],
    ];
    for (const [page, status, name, message] of wrong)
      expect(await through.emails.list(page as never)).toEqual(
        refused(status, name, expect.stringContaining(message)),
      );
  });

  it("is not listed for a key, which is restricted", async () => {
    expect(await resend.emails.list()).toEqual(refused(401, "restricted_api_key"));
  });

  it("asks for an access token of one project", async () => {
    const all = clientWith(await newToken(project.id, (await owner.newProject()).id));
    const message = expect.stringContaining("access token for one project");
    expect(await all.emails.list()).toEqual(refused(422, "validation_error", message));
  });

  it("is the domain of the sender", async () => {
    const through = clientWith(await newToken(project.id));
    const { data } = await through.domains.list();
    expect(data?.data).toMatchObject([{ id: project.id, name: "postrider.test" }]);
    expect((await through.domains.get(project.id)).data).toMatchObject({
      object: "domain",
      open_tracking: true,
      click_tracking: true,
    });
    expect(await through.domains.get(crypto.randomUUID())).toEqual(refused(404, "not_found"));
  });
});

describe("the door", () => {
  it("refuses a missing and an unknown key as Resend does", async () => {
    const none = await service.fetch("/resend/emails", { method: "POST", body: "{}" });
    expect(await none.json()).toMatchObject({ statusCode: 401, name: "missing_api_key" });
    const unknown = await clientWith("re_unknown").emails.send(mail());
    expect(unknown).toEqual(refused(401, "validation_error"));
  });

  it("takes a key that begins with re_", async () => {
    const path = `/projects/${project.id}/api-keys`;
    const { body } = await owner.post(path, { name: "door", resend: true });
    expect(body).toMatchObject({ type: "sk", prefix: expect.stringMatching(/^re_\w{6}$/) });
    const { data } = await clientWith(String(body["key"])).emails.send(mail());
    expect(data).toEqual({ id: expect.any(String) });
    const refusals = [{ type: "sdk" }, { test: true }].map((more) =>
      owner.post(path, { name: "door", resend: true, ...more }),
    );
    for (const { status } of await Promise.all(refusals)) expect(status).toBe(400);
  });

  it("never takes a session", async () => {
    const init = { headers: { Cookie: owner.cookie } };
    const response = await service.fetch("/resend/emails", init);
    expect(await response.json()).toMatchObject({ name: "missing_api_key" });
  });

  it("answers 501 to what it does not have, and 404 to what Resend does not have", async () => {
    const message = "Postrider does not have POST /api-keys.";
    expect(await resend.apiKeys.create({ name: "x" })).toEqual(
      refused(501, "not_implemented", message),
    );
    expect(await call("GET", "/nothing")).toMatchObject({
      status: 404,
      body: { name: "not_found" },
    });
    expect(await resend.emails.get(crypto.randomUUID())).toEqual(refused(404, "not_found"));
  });

  it("is also at the root of the host that is set for it, and of no other", async () => {
    const RESEND_HOST = "resend.postrider.test";
    const hosted = createService({ RESEND_HOST });
    const init = {
      method: "POST",
      headers: { Authorization: `Bearer ${project.key}` },
      body: JSON.stringify(mail()),
    };
    const answer = await hosted.fetch(`https://${RESEND_HOST}/emails`, init);
    expect(await answer.json()).toEqual({ id: expect.any(String) });
    expect((await hosted.fetch("/emails", init)).status).toBe(404);
    const same = createService({ RESEND_HOST: new URL(service.env.BASE_URL ?? "").host });
    expect((await same.fetch("/health")).status).toBe(503);
  });

  it("says where a body is not JSON", async () => {
    const answer = await call("POST", "/emails", '{"to": ');
    expect(answer).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining("line 1") },
    });
  });
});
