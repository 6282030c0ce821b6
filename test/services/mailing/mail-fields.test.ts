import { describe, expect, it } from "vitest";
import PostalMime from "postal-mime";
import { receivedMessages, waitForMessage } from "../../support/mailbox.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();

const address = (word = "to") => `${unique(word)}@any.test`;
const parse = async (to: string) => PostalMime.parse((await waitForMessage(to)).raw);

async function newProject() {
  const project = await owner.newProject(CAPTURING);
  const path = `/projects/${project.id}`;
  const key = service.withKey(project.key);
  const send = (body: object) =>
    key.post<{ id: string; error: string }>(`${path}/send`, {
      subject: "Hello",
      html_body: "<p>Hi</p>",
      ...body,
    });
  const save = (settings: object) => owner.put(`${path}/mail-settings`, settings);
  return { ...project, path, key, send, save };
}

describe("`from` of a mail", () => {
  it("names an allowed sender in the header, and the envelope keeps that of the project", async () => {
    const project = await newProject();
    const saved = await project.save({ senders: [" Ann@Acme.Example", "@Büro.example"] });
    expect(saved.body).toMatchObject({ senders: ["ann@acme.example", "@xn--bro-hoa.example"] });
    for (const from of [
      "Ann <ann@ACME.example>",
      "bob@büro.example",
      "Sue <sender@postrider.test>",
    ]) {
      const to = address();
      const { status, body } = await project.send({ to, from });
      expect(status).toBe(200);
      const mail = await parse(to);
      const [name, sender = name] = from.split(" <").map((part) => part.replace(">", ""));
      expect(mail.from).toEqual({
        name: name === sender ? "" : name,
        address: sender?.toLowerCase().replace("büro", "xn--bro-hoa"),
      });
      expect(mail.messageId).toBe(`<${body.id}@postrider.test>`);
      expect((await waitForMessage(to)).from).toBe("sender@postrider.test");
    }
  });

  it("is 422 for any other address, which names those that are allowed", async () => {
    const project = await newProject();
    await project.save({ senders: ["@acme.example"] });
    for (const from of ["ann@sub.acme.example", "ann@postrider.test"]) {
      const to = address();
      expect(await project.send({ to, from })).toMatchObject({
        status: 422,
        body: {
          code: "sender_not_allowed",
          params: { address: from, allowed: "sender@postrider.test, @acme.example" },
        },
      });
      expect(await receivedMessages(to)).toEqual([]);
    }
  });

  it("cannot be allowed by what is neither an address nor a domain", async () => {
    const { save } = await newProject();
    for (const sender of ["acme.example", "@", "@acme", "a@b@c.example"])
      expect(await save({ senders: [sender] })).toMatchObject({
        status: 400,
        body: { details: [{ path: "senders.0", code: "invalid_address" }] },
      });
  });
});

describe("several addresses in `to`", () => {
  const suppress = (path: string, ...emails: string[]) =>
    owner.post(`${path}/suppressions`, { emails });
  const entries = async (path: string) =>
    (await owner.get<{ logs: Record<string, unknown>[] }>(`${path}/logs`)).body.logs;

  it("get one mail that shows them all, with one entry in the log", async () => {
    const { path, send } = await newProject();
    const to = Array.from({ length: 50 }, (_, n) => address(`to${n}`));
    const answer = await send({ to: [`Ann <${to[0]}>`, ...to.slice(1)] });
    expect(answer).toMatchObject({ status: 200, body: { message: "sent" } });
    const received = await waitForMessage(to[49] ?? "");
    expect(received.to.toSorted()).toEqual(to.toSorted());
    const mail = await PostalMime.parse(received.raw);
    expect(mail.to?.map((one) => one.address)).toEqual(to);
    expect(mail.to?.[0]).toEqual({ name: "Ann", address: to[0] });
    expect(await entries(path)).toMatchObject([
      { id: answer.body.id, to_email: to[0], status: "sent", copies: [] },
    ]);
  });

  it("leave out those that are suppressed, and the first of the others is the recipient", async () => {
    const { path, send } = await newProject();
    const [one, two, three, cc] = [address("one"), address("two"), address("three"), address("cc")];
    await suppress(path, one, three);
    expect((await send({ to: [one, two, three], cc })).status).toBe(200);
    const received = await waitForMessage(two);
    expect(received.to.toSorted()).toEqual([two, cc].toSorted());
    for (const left of [one, three]) expect(received.text).not.toContain(left);
    expect(await entries(path)).toMatchObject([
      {
        to_email: two,
        status: "sent",
        copies: [
          { email: one, status: "suppressed" },
          { email: three, status: "suppressed" },
        ],
      },
    ]);
  });

  it("are 422 when all are suppressed, and the copies get nothing", async () => {
    const { path, send } = await newProject();
    const [one, two, cc] = [address("one"), address("two"), address("cc")];
    await suppress(path, one, two);
    expect(await send({ to: [one, two], cc })).toMatchObject({
      status: 422,
      body: { code: "suppressed" },
    });
    expect(await receivedMessages(cc)).toEqual([]);
    expect(await entries(path)).toMatchObject([
      {
        to_email: one,
        status: "suppressed",
        copies: [
          { email: cc, status: "failed" },
          { email: two, status: "suppressed" },
        ],
      },
    ]);
  });

  it("must be at least one and at most 50", async () => {
    const { send } = await newProject();
    const many = Array.from({ length: 51 }, (_, n) => address(`to${n}`));
    for (const [to, code] of [
      [[], "empty"],
      [many, "too_many"],
      [[address(), "x"], "invalid_address"],
    ])
      expect(await send({ to })).toMatchObject({ status: 400, body: { details: [{ code }] } });
  });
});

describe("a mail with `text_body` and without `html_body`", () => {
  it("is a text part alone, as given, without a pixel or a tracked link", async () => {
    const { key, path } = await newProject();
    const to = address();
    const text_body = "Hello,\n\nhttps://shop.test/?a=1\n";
    const answer = await key.post(`${path}/send`, { to, subject: "Hello", text_body });
    expect(answer).toMatchObject({ status: 200, body: { message: "sent" } });
    const mail = await parse(to);
    expect(mail.html).toBeUndefined();
    expect(mail.text?.trim()).toBe(text_body.trim());
    expect(mail.headers.find(({ key: name }) => name === "content-type")?.value).toMatch(
      /^text\/plain/,
    );
  });

  it("needs one of both", async () => {
    const { send } = await newProject();
    expect(await send({ to: address(), html_body: "", text_body: "" })).toMatchObject({
      status: 400,
      body: { details: [{ path: "html_body", code: "one_of" }] },
    });
  });
});

describe("headers of a project", () => {
  const headersOf = async (to: string) => {
    const { headers } = await parse(to);
    return headers.filter(({ key }) => key.startsWith("x-")).map(({ key, value }) => [key, value]);
  };

  it("are in single mails and batches, and give way to those of the mail", async () => {
    const { key, path, send, save } = await newProject();
    await save({ send_headers: { "X-Stream": "outbound", "X-Old": "1" } });
    const saved = await save({ send_headers: { "X-Stream": "outbound", "X-New": "1" } });
    expect(saved.body).toMatchObject({
      send_headers: { "X-Stream": "outbound", "X-New": "1" },
      broadcast_headers: {},
    });
    const [one, two, three] = [address(), address(), address()];
    await send({ to: one });
    await send({ to: two, headers: { "x-stream": "own" } });
    const { body } = await owner.post(`${path}/templates`, { name: "x", html_body: "<p>y</p>" });
    await key.post(`${path}/send/batch`, { template_id: body["id"], recipients: [{ to: three }] });
    for (const to of [one, three])
      expect(await headersOf(to)).toEqual([
        ["x-stream", "outbound"],
        ["x-new", "1"],
      ]);
    expect(await headersOf(two)).toEqual([
      ["x-stream", "own"],
      ["x-new", "1"],
    ]);
  });

  it("of broadcasts are in broadcasts alone", async () => {
    const { key, path, send, save } = await newProject();
    await save({ broadcast_headers: { "X-PM-Message-Stream": "broadcast" } });
    const [to, email] = [address(), address()];
    await send({ to });
    expect((await owner.post(`${path}/subscribers`, { email })).status).toBe(201);
    const { body } = await owner.post(`${path}/templates`, {
      name: "x",
      subject: "x",
      html_body: "<p>y</p>",
    });
    const sent = await key.post(`${path}/broadcast`, { template_id: body["id"] });
    expect(sent.body).toMatchObject({ sent: 1, failed: 0 });
    expect(await headersOf(to)).toEqual([]);
    expect(await headersOf(email)).toEqual([["x-pm-message-stream", "broadcast"]]);
  });

  it("obey the rules of headers of a mail", async () => {
    const { save } = await newProject();
    for (const [headers, code] of [
      [{ "List-Unsubscribe": "<https://a.example>" }, "header_reserved"],
      [{ "X-A": "1\r\nBcc: c@d.test" }, "header_with_line_break"],
    ] as const)
      expect(await save({ send_headers: headers })).toMatchObject({
        status: 400,
        body: { details: [{ path: "send_headers", code }] },
      });
  });
});
