import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import PostalMime from "postal-mime";
import { createServer } from "../../../src/http/server.ts";
import { receivedMessages, waitForMessage } from "../../support/mailbox.ts";
import { ports } from "../../support/ports.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";
import { FAULTS } from "../../support/smtp/faults.ts";
import { startRawServer } from "../../support/smtp/raw-client.ts";

interface LogEntry {
  id: string;
  to_email: string;
  status: string;
  error: string | null;
  [field: string]: unknown;
}

const service = createService();
const owner = await service.newOwner();
const project = await owner.newProject(CAPTURING);
const key = service.withKey(project.key);
const SEND = `/projects/${project.id}/send`;
const send = (body: unknown, headers?: Record<string, string>) =>
  key.post<{ id: string; error: string }>(SEND, body, headers);
const address = (word = "to") => `${unique(word)}@any.test`;
const raw = (to: string, more: object = {}) => ({
  to,
  subject: "Hello",
  html_body: "<p>Hi</p>",
  ...more,
});

async function logOf(to: string, projectId = project.id): Promise<LogEntry[]> {
  const { body } = await owner.get<{ logs: LogEntry[] }>(`/projects/${projectId}/logs?limit=200`);
  return body.logs.filter(({ to_email: email }) => email === to);
}

async function newTemplate(fields: object, projectId = project.id): Promise<string> {
  const { body } = await owner.post<{ id: string }>(`/projects/${projectId}/templates`, {
    name: unique("template"),
    ...fields,
  });
  return body.id;
}

async function suppress(email: string) {
  await service.env.DB.prepare(
    "insert into suppressions (id, project_id, email, reason, source, created_at, last_seen_at) values (?, ?, ?, 'manual', '', 1, 1)",
  )
    .bind(unique("suppression"), project.id, email)
    .run();
}

async function suppressionOf(email: string) {
  return service.env.DB.prepare("select * from suppressions where project_id = ? and email = ?")
    .bind(project.id, email)
    .first();
}

async function newSubscriber(status = "active") {
  const id = crypto.randomUUID();
  const email = address("subscriber");
  await service.env.DB.prepare(
    `insert into subscribers (id, project_id, email, name, status, metadata, source, subscribed_at, created_at, updated_at)
     values (?, ?, ?, 'Sue', ?, '{"plan":"gold"}', '', 1, 1, 1)`,
  )
    .bind(id, project.id, email, status)
    .run();
  return { id, email };
}

const parse = async (to: string) => PostalMime.parse((await waitForMessage(to)).raw);

describe("a send of raw HTML to one address", () => {
  it("reaches the SMTP server over TLS, answers 200 and is logged as sent", async () => {
    const to = address();
    const answer = await send(raw(to, { html_body: "<p>Hi <b>you</b></p>" }));
    expect(answer.body).toEqual({ message: "sent", id: expect.any(String) });
    expect(answer.status).toBe(200);
    const received = await waitForMessage(to);
    expect(received).toMatchObject({ secure: true, user: "user", from: "sender@postrider.test" });
    const mail = await PostalMime.parse(received.raw);
    expect(mail).toMatchObject({
      subject: "Hello",
      messageId: `<${answer.body.id}@postrider.test>`,
    });
    expect(mail.from).toEqual({ name: "Sender", address: "sender@postrider.test" });
    expect(mail.html).toContain("<p>Hi <b>you</b></p>");
    expect(mail.text?.trim()).toBe("Hi you");
    expect(await logOf(to)).toEqual([
      expect.objectContaining({
        id: answer.body.id,
        subject: "Hello",
        status: "sent",
        error: null,
      }),
    ]);
  });

  it("costs two D1 round trips: one read, one write of three log rows and its counters", async () => {
    await send(raw(address()));
    const statements: number[] = [];
    service.d1.before = (sql) => void statements.push(sql.length);
    service.d1.reset();
    await send(raw(address()));
    service.d1.before = undefined;
    // The key and its last use, the project, the guard, the suppressions, how full D1 is; no
    // template, no subscriber and no Idempotency-Key are looked up, as the call names none.
    expect(statements).toEqual([6, 4]);
    expect(service.d1.roundTrips).toBe(2);
    expect(service.d1.rowsWritten).toBe(5); // 3 for the entry, 2 for hour and day
  });

  it("rewrites web links to signed ones and adds no open pixel", async () => {
    const to = address();
    const html = '<a href="https://shop.test/?a=1&amp;b=2">x</a><a href="mailto:a@b.test">y</a>';
    const { body } = await send(raw(to, { html_body: html }));
    const mail = await parse(to);
    const url =
      /href="(https:\/\/mail\.postrider\.test\/c\/[^"]+)"/.exec(mail.html ?? "")?.[1] ?? "";
    expect(url).toContain(`/c/${body.id}/`);
    const encoded = url.split("/").at(-1)?.split(".")[0] ?? "";
    expect(atob(encoded.replaceAll("-", "+").replaceAll("_", "/"))).toBe(
      "https://shop.test/?a=1&b=2",
    );
    expect(mail.html).toContain('href="mailto:a@b.test"');
    expect(mail.html).not.toContain("/t/");
    expect(mail.text).toContain("https://shop.test/?a=1&b=2");
  });

  it("carries cc, bcc, reply_to, headers, attachments and tags; the message never shows bcc", async () => {
    const [to, cc, bcc] = [address("to"), address("cc"), address("bcc")];
    const { body } = await send(
      raw(to, {
        cc: [`Carl <${cc}>`],
        bcc,
        reply_to: "help@postrider.test",
        headers: { "X-Order": "42" },
        attachments: [{ filename: "a.txt", content: btoa("attached"), content_type: "text/plain" }],
        tags: { order: "42" },
      }),
    );
    const received = await waitForMessage(bcc);
    expect(received.to.toSorted()).toEqual([to, cc, bcc].toSorted());
    expect(received.text).not.toContain(bcc);
    const mail = await PostalMime.parse(received.raw);
    expect(mail.cc).toEqual([{ name: "Carl", address: cc }]);
    expect(mail.replyTo).toEqual([{ name: "", address: "help@postrider.test" }]);
    expect(mail.headers).toContainEqual(expect.objectContaining({ key: "x-order", value: "42" }));
    expect(new TextDecoder().decode(mail.attachments[0]?.content as ArrayBuffer)).toContain(
      "attached",
    );
    expect(await logOf(to)).toMatchObject([{ id: body.id, tags: { order: "42" } }]);
  });

  it("reaches its recipient, 50 addresses in cc and 50 in bcc with one message", async () => {
    const fifty = (word: string) => Array.from({ length: 50 }, (_, n) => address(`${word}${n}`));
    const [to, cc, bcc] = [address("to"), fifty("cc"), fifty("bcc")];
    expect((await send(raw(to, { cc, bcc }))).status).toBe(200);
    expect((await waitForMessage(to)).to.toSorted()).toEqual([to, ...cc, ...bcc].toSorted());
  });
});

describe("a send of a template to any address", () => {
  it("replaces variables from data, escaped in HTML and plain in subject and text", async () => {
    const template_id = await newTemplate({
      subject: "For {{name}}",
      html_body: "<p>{{name}}{{#if vip}}!{{/if}}{{missing}}</p>",
      text_body: "Dear {{name}}",
    });
    const to = address();
    const answer = await send({ to, template_id, data: { name: "A & <B>", vip: true } });
    expect(answer.status).toBe(200);
    const mail = await parse(to);
    expect(mail.subject).toBe("For A & <B>");
    expect(mail.html).toContain("<p>A &amp; &lt;B&gt;!</p>");
    expect(mail.text).toContain("Dear A & <B>");
  });

  it("uses the subject of the call when there is one", async () => {
    const template_id = await newTemplate({ subject: "Stored", html_body: "<p>x</p>" });
    const to = address();
    await send({ to, template_id, subject: "Given {{name}}", data: { name: "A & B" } });
    expect((await parse(to)).subject).toBe("Given A & B");
    const { id, email } = await newSubscriber();
    await send({ subscriber_id: id, template_id, subject: "For {{name}}, {{metadata.plan}}" });
    expect((await parse(email)).subject).toBe("For Sue, gold");
    const other = address();
    await send({ to: other, template_id, subject: " " }); // equal to none
    expect((await parse(other)).subject).toBe("Stored");
  });

  it("answers 400 and sends nothing when the subject does not parse or breaks its budget", async () => {
    const template_id = await newTemplate({ subject: "Stored", html_body: "<p>x</p>" });
    const to = address();
    const answer = await send({ to, template_id, subject: "{{#if" });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^subject: /) },
    });
    const each = "{{#each a}}{{#each ../a}}{{#each ../../a}}x{{/each}}{{/each}}{{/each}}";
    const data = { a: Array.from({ length: 400 }, () => 1) };
    expect((await send({ to, template_id, subject: each, data })).status).toBe(400);
    expect(await receivedMessages(to)).toEqual([]);
    expect(await logOf(to)).toEqual([]);
  });

  it("keeps the first 998 characters of a subject that variables make longer in the log", async () => {
    const to = address();
    const template_id = await newTemplate({ subject: "{{word}}", html_body: "<p>Hi</p>" });
    const word = "a".repeat(997) + "bc";
    expect((await send({ to, template_id, data: { word } })).status).toBe(200);
    expect(await logOf(to)).toMatchObject([{ status: "sent", subject: `${"a".repeat(997)}b` }]);
    expect((await parse(to)).subject).toBe(word);
  });

  it("uses the new content right after the template changes", async () => {
    const template_id = await newTemplate({ subject: "One", html_body: "<p>one</p>" });
    await send({ to: address(), template_id });
    await owner.put(`/projects/${project.id}/templates/${template_id}`, { subject: "Two" });
    const to = address();
    await send({ to, template_id });
    expect((await parse(to)).subject).toBe("Two");
  });

  it("answers 404 to an unknown template and to another project's", async () => {
    const other = await owner.newProject();
    const foreign = await newTemplate({ subject: "x", html_body: "y" }, other.id);
    for (const template_id of [foreign, crypto.randomUUID()]) {
      const answer = await send({ to: address(), template_id });
      expect(answer).toMatchObject({ status: 404, body: { error: "template not found" } });
    }
  });

  it("answers 400 and sends nothing when the template breaks its budget", async () => {
    const template_id = await newTemplate({
      subject: "x",
      html_body: "{{#each a}}{{#each ../a}}{{#each ../../a}}x{{/each}}{{/each}}{{/each}}",
    });
    const to = address();
    const data = { a: Array.from({ length: 400 }, (_, index) => index) };
    expect((await send({ to, template_id, data })).status).toBe(400);
    expect(await receivedMessages(to)).toEqual([]);
  });
});

describe("a send of a template to a subscriber", () => {
  it("fills in the subscriber's fields and adds unsubscribe link, headers and pixel", async () => {
    const template_id = await newTemplate({
      subject: "Hi {{name}}",
      html_body: "<body><p>{{email}} {{metadata.plan}}</p></body>",
    });
    const { id, email } = await newSubscriber();
    const answer = await send({ subscriber_id: id, template_id });
    expect(answer).toMatchObject({ status: 200, body: { sent: 1, failed: 0 } });
    const mail = await parse(email);
    const link = `https://mail.postrider.test/unsubscribe/${project.id}/${id}`;
    expect(mail.subject).toBe("Hi Sue");
    expect(mail.html).toContain(`<p>${email} gold</p>`);
    expect(mail.html).toContain(`href="${link}"`);
    expect(mail.html).toContain(`/t/${answer.body.id}.gif`);
    expect(mail.text).toContain(link);
    const header = (name: string) => mail.headers.find(({ key: word }) => word === name)?.value;
    expect(header("list-unsubscribe")).toBe(`<${link}>`);
    expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  });

  it("adds no footer when the template names the link itself, and data cannot replace the link", async () => {
    const template_id = await newTemplate({
      subject: "x",
      html_body: '<a href="{{unsubscribe_link}}">leave</a>',
    });
    const { id, email } = await newSubscriber();
    await send({ subscriber_id: id, template_id, data: { unsubscribe_link: "https://evil.test" } });
    const mail = await parse(email);
    expect(mail.html?.match(/\/unsubscribe\//g)).toHaveLength(1);
    expect(mail.html).not.toContain("evil.test");
  });

  it.each(["pending", "unsubscribed"])("also mails a subscriber who is %s", async (status) => {
    const template_id = await newTemplate({ subject: "x", html_body: "y" });
    const { id, email } = await newSubscriber(status);
    expect(await send({ subscriber_id: id, template_id })).toMatchObject({ body: { sent: 1 } });
    expect(await receivedMessages(email)).toHaveLength(1);
  });

  it("answers 200 with failed: 1 and the reason in the log when the server refuses", async () => {
    const template_id = await newTemplate({ subject: "x", html_body: "y" });
    const { id } = await newSubscriber();
    const dead = await owner.newProject({
      smtpPort: (await startRawServer(FAULTS.closesAtMail)).port,
    });
    await service.env.DB.prepare("update subscribers set project_id = ? where id = ?")
      .bind(dead.id, id)
      .run();
    await service.env.DB.prepare("update templates set project_id = ? where id = ?")
      .bind(dead.id, template_id)
      .run();
    const answer = await owner.post(`/projects/${dead.id}/send`, {
      subscriber_id: id,
      template_id,
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { sent: 0, failed: 1, error: expect.stringMatching(/\w+ \w+/) },
    });
    const [entry] = await service.env.DB.prepare("select error from logged_mails where id = ?")
      .bind(answer.body["id"])
      .all()
      .then(({ results }) => results);
    expect(answer.body["error"]).toBe(entry?.["error"]);
  });
});

describe("a suppressed recipient", () => {
  it("gets 422, a log entry, a new last_seen_at and no SMTP attempt", async () => {
    const to = address();
    await suppress(to);
    const answer = await send(raw(to.toUpperCase()));
    expect(answer).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining("suppression list") },
    });
    expect(await logOf(to)).toMatchObject([{ id: answer.body.id, status: "suppressed" }]);
    expect(await receivedMessages(to)).toEqual([]);
    expect((await suppressionOf(to))?.["last_seen_at"]).toBeGreaterThan(1);
  });

  it("is removed from cc and bcc, envelope and header, and the others get the mail", async () => {
    const [to, cc, bcc] = [address("to"), address("cc"), address("bcc")];
    await suppress(cc);
    await suppress(bcc);
    expect((await send(raw(to, { cc, bcc }))).status).toBe(200);
    const received = await waitForMessage(to);
    expect(received.to).toEqual([to]);
    expect(received.text).not.toContain(cc);
    expect(await logOf(to)).toMatchObject([
      {
        copies: [
          { email: cc, status: "suppressed" },
          { email: bcc, status: "suppressed" },
        ],
      },
    ]);
  });

  it("in `to` keeps the mail from cc and bcc, who are in `copies`", async () => {
    const [to, cc, bcc] = [address("to"), address("cc"), address("bcc")];
    await suppress(to);
    await suppress(bcc);
    expect((await send(raw(to, { cc, bcc }))).status).toBe(422);
    const error = "the mail was not sent: in `to`, the address is on the suppression list";
    expect((await logOf(to))[0]?.["copies"]).toMatchObject([
      { email: cc, status: "failed", error },
      { email: bcc, status: "suppressed" },
    ]);
    expect(await receivedMessages(cc)).toEqual([]);
  });

  it("gets no mail when the suppression list is unreadable", async () => {
    const to = address();
    service.d1.before = (sql) => {
      if (sql.some((text) => text.includes("suppressions"))) throw new Error("D1 is down");
    };
    try {
      expect((await send(raw(to))).status).toBe(500);
    } finally {
      service.d1.before = undefined;
    }
    expect(await receivedMessages(to)).toEqual([]);
  });
});

describe("a send that fails at the SMTP server", () => {
  it.each([
    ["rcpt.550.5.1.1", "bounced", true],
    ["rcpt.550.5.7.1", "failed", false],
    ["rcpt.552.5.2.2", "failed", false],
    ["rcpt.451.4.7.1", "failed", false],
    ["rcpt.550.4.2.1", "failed", false], // permanent by its code, temporary by its enhanced code
    ["data.550.4.1.1", "failed", false],
    ["data.554.5.6.0", "failed", false],
    ["data.550.5.1.1", "bounced", true],
  ])(
    "by %s is answered 502 with the reply and logged as %s",
    async (script, status, suppressed) => {
      const to = `${script}.${unique("x")}@any.test`;
      const answer = await send(raw(to));
      const code = script.split(".")[1] ?? "";
      expect(answer).toMatchObject({ status: 502, body: { error: expect.stringContaining(code) } });
      expect(await logOf(to)).toMatchObject([
        { id: answer.body.id, status, error: answer.body.error },
      ]);
      expect((await suppressionOf(to)) !== null).toBe(suppressed);
      if (suppressed) expect((await send(raw(to))).status).toBe(422);
    },
  );

  it("because of a copy suppresses the copy and reaches the other recipients", async () => {
    const [to, cc] = [address(), `rcpt.550.5.1.1.${unique("cc")}@any.test`];
    expect((await send(raw(to, { cc }))).status).toBe(200);
    expect(await logOf(to)).toMatchObject([
      { status: "sent", copies: [{ email: cc, status: "bounced" }] },
    ]);
    expect(await suppressionOf(cc)).toMatchObject({ reason: "hard_bounce" });
  });

  it("because no session opens is logged for the copies, too", async () => {
    const { port } = await startRawServer(FAULTS.refusesLogin);
    const other = await owner.newProject({ smtpPort: port });
    const [to, cc] = [address(), address("cc")];
    expect((await owner.post(`/projects/${other.id}/send`, raw(to, { cc }))).status).toBe(502);
    expect(await logOf(to, other.id)).toMatchObject([
      { status: "failed", copies: [{ email: cc, status: "failed" }] },
    ]);
  });

  it("is logged as an unknown outcome when the connection is lost after the final dot", async () => {
    const { port } = await startRawServer(FAULTS.closesAfterFinalDot);
    const other = await owner.newProject({ smtpPort: port });
    const to = address();
    const answer = await owner.post(`/projects/${other.id}/send`, raw(to));
    expect(answer).toMatchObject({
      status: 502,
      body: { error: expect.stringContaining("outcome unknown") },
    });
    expect(await logOf(to, other.id)).toMatchObject([{ status: "failed" }]);
  });

  it.each(["closesAtConnect", "answersNonsense", "closes421AtMail", "neverEndsReply"] as const)(
    "is answered 502 with an explanation and logged as a failure when the server %s",
    async (fault) => {
      const { port } = await startRawServer(FAULTS[fault]);
      const other = await owner.newProject({ smtpPort: port });
      const to = address();
      const answer = await owner.post(`/projects/${other.id}/send`, raw(to));
      expect(answer.status).toBe(502);
      expect(answer.body.error).not.toMatch(/undefined|\[object|proxy request/);
      expect(await logOf(to, other.id)).toMatchObject([{ status: "failed" }]);
    },
  );

  it("is answered 502 for a wrong password, which the answer never shows", async () => {
    const other = await owner.newProject({ smtpPort: ports.smtp, smtpPassword: "wrong-secret" });
    const answer = await owner.post(`/projects/${other.id}/send`, raw(address()));
    expect(answer.status).toBe(502);
    expect(JSON.stringify(answer.body)).not.toContain("wrong-secret");
  });
});

describe("an SMTP server that never answers QUIT", () => {
  it("delays no answer of /smtp/test and closes in the background", async () => {
    const server = await startRawServer({ rules: [{ on: "QUIT", steps: [] }] });
    const { id } = await owner.newProject({ smtpPort: server.port });
    const context = createExecutionContext();
    const request = new Request(`${service.env.BASE_URL}/api/v1/projects/${id}/smtp/test`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Cookie: owner.cookie },
    });
    const answer = await createServer(service.runtime).fetch(request, service.env, context);
    expect(await answer.json()).toMatchObject({ message: expect.any(String) });
    expect(answer.status).toBe(200);
    expect(await server.openConnections(0)).toBe(1); // during the 500 ms of a farewell
    const { body } = await owner.get(`/projects/${id}/logs`);
    expect(body).toMatchObject({ total: 1, logs: [{ status: "sent" }] });
    await waitOnExecutionContext(context);
    expect(await server.openConnections()).toBe(0);
  });
});

describe("settings that do not allow a send", () => {
  it("answer 400 when no SMTP settings are saved", async () => {
    const other = await owner.newProject();
    const answer = await owner.post(`/projects/${other.id}/send`, raw(address()));
    expect(answer).toMatchObject({
      status: 400,
      body: { code: "smtp_not_configured" },
    });
  });

  it("answer 400 when there is no from_email and smtp_user is not an address", async () => {
    const other = await owner.newProject(CAPTURING);
    await service.env.DB.prepare("update projects set from_email = null where id = ?")
      .bind(other.id)
      .run();
    const answer = await owner.post(`/projects/${other.id}/send`, raw(address()));
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("from_email") },
    });
  });

  it("refuse a private SMTP host unless private targets are allowed, even one saved earlier", async () => {
    const strict = createService({ ALLOW_PRIVATE_TARGETS: "false" });
    const answer = await strict.withKey(project.key).post(SEND, raw(address()));
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("smtp_host") },
    });
  });
});

describe("a body of none of the three shapes", async () => {
  const { id } = await owner.newProject(CAPTURING); // a project with a rate limit of its own
  const path = `/projects/${id}/send`;
  const template_id = crypto.randomUUID();
  it.each([
    ["nothing", {}],
    ["a list", []],
    ["only an address", { to: "a@b.test" }],
    ["raw without a subject", { to: "a@b.test", html_body: "x" }],
    ["raw with a blank subject", { to: "a@b.test", html_body: "x", subject: " \t" }],
    ["template and HTML at once", { to: "a@b.test", template_id, html_body: "x", subject: "y" }],
    ["subscriber and address at once", { to: "a@b.test", subscriber_id: template_id, template_id }],
    ["a template id that is no id", { to: "a@b.test", template_id: "1' or 1=1" }],
    ["a number for an address", { to: 7, subject: "x", html_body: "y" }],
    ["no address", raw("not an address")],
    ["a line break in the address", raw("a@b.test\r\nRCPT TO:<c@d.test>")],
    ["a line break in the subject", raw("a@b.test", { subject: "x\r\nBcc: c@d.test" })],
    ["a line break in a header", raw("a@b.test", { headers: { "X-A": "1\r\nBcc: c@d.test" } })],
    ["a line break in a header's name", raw("a@b.test", { headers: { "X\r\nBcc": "c@d.test" } })],
    ["a header we set", raw("a@b.test", { headers: { "message-id": "<a@b>" } })],
    ["a line break in a name", raw('"A\r\nBcc: x" <a@b.test>')],
    ["51 copies", raw("a@b.test", { cc: Array.from({ length: 51 }, (_, n) => `c${n}@b.test`) })],
    [
      "21 attachments",
      raw("a@b.test", {
        attachments: Array.from({ length: 21 }, () => ({ filename: "a", content: "" })),
      }),
    ],
    [
      "an attachment that is not base64",
      raw("a@b.test", { attachments: [{ filename: "a", content: "*" }] }),
    ],
    [
      "an attachment name with a line break",
      raw("a@b.test", { attachments: [{ filename: "a\r\nb", content: "" }] }),
    ],
  ])("is answered 400 with an explanation: %s", async (_name, body) => {
    const answer = await owner.post(path, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toEqual(expect.stringMatching(/\w{3}/));
  });

  it("is answered 413 above 15 MiB, and 400 when attachments exceed 10 MiB", async () => {
    const content = (mib: number) => "QUJD".repeat((mib * 1_048_576) / 3);
    const attached = (mib: number) =>
      raw(address(), { attachments: [{ filename: "a", content: content(mib) }] });
    expect((await owner.post(path, attached(12))).status).toBe(413);
    expect((await owner.post(path, attached(10.5))).status).toBe(400);
  });
});

describe("POST /projects/{id}/smtp/test", () => {
  it("sends a test mail to the caller", async () => {
    const answer = await owner.post(`/projects/${project.id}/smtp/test`);
    expect(answer).toMatchObject({ status: 200, body: { message: "sent", to: owner.email } });
    expect((await parse(owner.email)).subject).toBe("Postrider test mail");
  });

  it("mails no user on the project's suppression list", async () => {
    const asker = await service.newOwner();
    const { id } = await asker.newProject(CAPTURING);
    await asker.post(`/projects/${id}/suppressions`, { emails: [asker.email] });
    expect((await asker.post(`/projects/${id}/smtp/test`)).status).toBe(422);
    const { body } = await asker.get(`/projects/${id}/logs`);
    expect(body).toMatchObject({ logs: [{ to_email: asker.email, status: "suppressed" }] });
    expect(await receivedMessages(asker.email)).toEqual([]);
  });

  it("answers with an error message when the connection fails", async () => {
    const { port } = await startRawServer(FAULTS.closesAtConnect);
    const other = await owner.newProject({ smtpPort: port });
    const answer = await owner.post(`/projects/${other.id}/smtp/test`);
    expect(answer).toMatchObject({
      status: 502,
      body: { error: expect.stringMatching(/\w+ \w+/) },
    });
    const at = `/projects/${other.id}`;
    expect((await owner.get(`${at}/logs`)).body).toMatchObject({
      logs: [{ status: "failed", tags: { smtp_test: "first" } }],
    });
    expect((await owner.get(`${at}/stats`)).body).toMatchObject({ total: 0, failed: 0 });
  });

  it("allows 10 calls a minute, apart from the limit of sends", async () => {
    const { id } = await owner.newProject({
      smtpPort: (await startRawServer(FAULTS.closesAtConnect)).port,
    });
    const test = () => owner.post(`/projects/${id}/smtp/test`);
    const statuses = (await Promise.all(Array.from({ length: 12 }, test))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    const sent = await owner.post(`/projects/${id}/send`, raw(address()));
    expect(sent.headers.get("RateLimit-Remaining")).toBe("59");
  });
});
