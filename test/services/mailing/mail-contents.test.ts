/* Requirements of every mail: a body, a subject, and no link without a target. */
import PostalMime from "postal-mime";
import { beforeEach, describe, expect, it } from "vitest";
import { titleOf } from "../../../src/mail/html/title.ts";
import { feedbackIdOf } from "../../../src/services/mailing/feedback-id.ts";
import { waitForMessage, waitForMessages } from "../../support/mailbox.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();
const address = () => `${unique("contents")}@any.test`;

async function newSender() {
  const { id, key } = await owner.newProject(CAPTURING);
  const path = `/projects/${id}`;
  const made = await owner.post<{ key: string }>(`${path}/api-keys`, { name: "s", type: "sdk" });
  return { id, path, sk: service.withKey(key), sdk: service.withKey(made.body.key) };
}
let sender = await newSender();
beforeEach(async () => {
  sender = await newSender(); // with limits of its own
});

const newTemplate = async (fields: object) => {
  const template = { name: unique("template"), subject: "s", ...fields };
  const { body } = await owner.post(`${sender.path}/templates`, template);
  return { id: String(body["id"]), name: template.name };
};
const newSubscriber = async () => {
  const email = address();
  const { body } = await owner.post(`${sender.path}/subscribers`, { email });
  return { id: String(body["id"]), email };
};
const mailTo = async (to: string) => PostalMime.parse((await waitForMessage(to)).raw);
const logs = async () => (await owner.get(`${sender.path}/logs`)).body;

describe("the unsubscribe link in a mail to an address", () => {
  const LEAVE = '<p>Hi <a href="{{unsubscribe_link}}">leave</a></p>';

  /** The link that a mail shows, and that of its headers. */
  async function linksTo(to: string) {
    const { html = "", text = "", headers } = await mailTo(to);
    expect(html).not.toContain(".gif");
    const shown = new RegExp(`http[^"\\s)]+/unsubscribe/${sender.id}/[\\w-]+\\.[\\w-]+`);
    const header = headers.find(({ key }) => key === "list-unsubscribe")?.value;
    return { html: shown.exec(html)?.[0], text: shown.exec(text)?.[0], header };
  }
  const pathOf = (link = "") => new URL(link).pathname;
  const visit = (path: string, init: RequestInit = {}) => service.fetch(path, init);

  it.each([
    ["html_body", LEAVE],
    ["html_body", "<p>{{{unsubscribe_url}}}</p>"],
    ["html_body", "<p>{{#if name}}{{else}}{{this.unsubscribe_link}}{{/if}}</p>"],
    ["text_body", "Leave: {{unsubscribe_link}}"],
  ])("works in the %s of a send, a batch and a key-based send: %s", async (part, source) => {
    const fields = { html_body: "<p>x</p>", [part]: source };
    const { id: template_id, name } = await newTemplate(fields);
    const [one, two, three] = [address(), address(), address()];
    const recipients = [{ to: two }];
    const { path, sk, sdk } = sender;
    expect((await sk.post(`${path}/send`, { to: one, template_id })).status).toBe(200);
    expect((await sk.post(`${path}/send/batch`, { template_id, recipients })).body).toMatchObject({
      sent: 1,
    });
    expect((await sdk.post("/send", { to: three, template: name })).status).toBe(200);
    const links = await Promise.all([one, two, three].map(linksTo));
    for (const { html, text, header } of links) {
      expect(part === "html_body" ? html : text).toBeDefined();
      expect(html ?? text).toBe(text);
      expect(header).toBe(`<${text}>`);
    }
    expect(new Set(links.map(({ text }) => text)).size).toBe(3);
  });

  it("suppresses the address by one click or by a person's visit, and no other", async () => {
    for (const init of [
      {},
      { method: "POST", body: new URLSearchParams("List-Unsubscribe=One-Click") },
    ]) {
      const [to, other] = [address(), address()];
      await sender.sdk.post("/send", { to, html: LEAVE, subject: "s" });
      const { html } = await linksTo(to);
      const left = await visit(pathOf(html), init);
      expect([left.status, await left.text()]).toEqual([
        200,
        expect.stringContaining("You are unsubscribed"),
      ]);
      const { status } = await visit(pathOf(html), init);
      expect(status).toBe(200);
      expect((await owner.get(`${sender.path}/suppressions?email=${to}`)).body).toMatchObject({
        suppressions: [{ email: to, reason: "unsubscribed" }],
      });
      const send = (email: string) =>
        sender.sdk.post("/send", { to: email, html: LEAVE, subject: "s" });
      expect((await send(to)).status).toBe(422);
      expect((await send(other)).status).toBe(200);
    }
  });

  it("shows programs a button, and a forged link nothing", async () => {
    const to = address();
    await sender.sdk.post("/send", { to, html: LEAVE, subject: "s" });
    const path = pathOf((await linksTo(to)).html);
    const [, token = ""] = /([^/]+)$/.exec(path) ?? [];
    const looks = [{ Purpose: "prefetch" }, { "User-Agent": "Mozilla/5.0 BarracudaCentral" }];
    for (const headers of looks)
      expect(await (await visit(path, { headers })).text()).toContain(
        "<button>Unsubscribe</button>",
      );
    const [mail = "", mac = ""] = token.split(".");
    const another = btoa(`x${to}`).replaceAll("=", "");
    const { id } = await owner.newProject();
    for (const forged of [
      `/unsubscribe/${id}/${token}`,
      `/unsubscribe/${sender.id}/${another}.${mac}`,
      `/unsubscribe/${sender.id}/${mail}.${mac.slice(1)}`,
      `/unsubscribe/${sender.id}/${mail}`,
      `/unsubscribe/${sender.id}/${mail}.${mac}.`,
    ])
      expect((await visit(forged, { method: "POST" })).status).toBe(404);
    const { body } = await owner.get(`${sender.path}/suppressions`);
    expect(body["suppressions"]).toEqual([]);
  });

  it.each([
    "<p>{{! unsubscribe_link }}Hi</p>",
    "<p>{{#if is_member}}{{unsubscribe_link}}{{/if}}Hi</p>",
  ])("adds no header and no footer where the mail does not show it: %s", async (html) => {
    const to = address();
    expect((await sender.sdk.post("/send", { to, html, subject: "s" })).status).toBe(200);
    const mail = await mailTo(to);
    expect(mail.html?.trim()).toBe("<p>Hi</p>");
    expect(mail.headers.map(({ key }) => key)).not.toContain("list-unsubscribe");
  });

  it("is the link of data when the send provides one", async () => {
    const { id: template_id } = await newTemplate({ html_body: LEAVE });
    const send = (to: string, unsubscribe_link: unknown) =>
      sender.sk.post(`${sender.path}/send`, { to, template_id, data: { unsubscribe_link } });
    const to = address();
    expect((await send(to, "mailto:leave@any.test")).status).toBe(200);
    expect((await mailTo(to)).html).toContain('href="mailto:leave@any.test"');
    for (const nothing of ["", null]) {
      const lacking = address();
      expect((await send(lacking, nothing)).status).toBe(200);
      expect((await linksTo(lacking)).html).toBeDefined();
    }
  });

  it("is the subscriber's own in a key-based mail to a subscriber", async () => {
    const { id, email } = await newSubscriber();
    const answer = await sender.sdk.post("/send", { to: email, html: LEAVE, subject: "s" });
    expect(answer.status).toBe(200);
    expect((await mailTo(email)).html).toContain(`/unsubscribe/${sender.id}/${id}"`);
  });
});

describe("the unsubscribe link in a mail to a subscriber", () => {
  /** The unsubscribe links in the two parts of the mails of a template, with and without VIPs. */
  async function linksIn(fields: object) {
    const { id: template_id } = await newTemplate(fields);
    const vip = address();
    await owner.post(`${sender.path}/subscribers`, { email: vip, metadata: { vip: true } });
    const { id: subscriber_id, email } = await newSubscriber();
    await sender.sk.post(`${sender.path}/send`, { subscriber_id, template_id });
    const [single] = await waitForMessages(email, 1);
    await sender.sk.post(`${sender.path}/broadcast`, { template_id });
    const [, broadcast] = await waitForMessages(email, 2);
    const count = async (raw: Uint8Array | undefined) => {
      const { html = "", text = "" } = await PostalMime.parse(raw ?? new Uint8Array());
      return [html, text].map((part) => part.match(/\/unsubscribe\//g)?.length ?? 0);
    };
    const preview = { subject: "s", ...fields, subscriber_id };
    const { body } = await sender.sk.post(`${sender.path}/templates/preview`, preview);
    const { html_body, text_body, problems } = body as Record<string, string> & {
      problems: { code: string }[];
    };
    const previewed = [html_body, text_body].map((part) => part?.match(/\/unsubscribe\//g)?.length);
    expect(await count(single?.raw)).toEqual(previewed);
    expect(await count(broadcast?.raw)).toEqual(previewed);
    const isAdded = problems.some(({ code }) => code === "no_unsubscribe_link");
    return { parts: previewed, vip: await count((await waitForMessage(vip)).raw), isAdded };
  }
  const LINK = '<a href="{{unsubscribe_url}}">leave</a>';

  it.each([
    ["in a branch that is not taken", `<p>Hi</p>{{#if metadata.vip}}${LINK}{{/if}}`],
    ["in a hidden element", `<p>Hi</p><p {{#unless metadata.vip}}hidden{{/unless}}>${LINK}</p>`],
    ["in a comment", `<p>Hi</p>{{#if metadata.vip}}${LINK}{{else}}<!-- ${LINK} -->{{/if}}`],
  ])(
    "is added once to the mail of a reader for whom it stands %s, and to no other",
    async (_, html) => {
      const html_body = `<body>${html}</body>`;
      expect(await linksIn({ html_body })).toMatchObject({ vip: [1, 1], isAdded: true });
      expect((await linksIn({ html_body })).parts[1]).toBe(1);
    },
  );

  it("is added to a text part of the author's own that has none, even if the HTML has one", async () => {
    expect(await linksIn({ html_body: LINK, text_body: "Hi" })).toEqual({
      parts: [1, 1],
      vip: [1, 1],
      isAdded: false,
    });
  });
});

describe("a mail with neither HTML nor text", () => {
  const refused = {
    status: 400,
    body: { code: "empty_mail" },
  };

  it("is answered 400 by every way of sending, and nothing is sent or logged", async () => {
    const blank = await newTemplate({ html_body: " \n", text_body: "" });
    const { id: subscriber_id } = await newSubscriber();
    const to = address();
    const send = (body: object) => sender.sk.post(`${sender.path}/send`, body);
    expect(await send({ to, template_id: blank.id })).toMatchObject(refused);
    expect(await send({ subscriber_id, template_id: blank.id })).toMatchObject(refused);
    expect(await send({ to, subject: "s", html_body: " " })).toMatchObject(refused);
    expect(await sender.sdk.post("/send", { to, template: blank.name })).toMatchObject(refused);
    expect(await sender.sdk.post("/send", { to, html: " " })).toMatchObject(refused);
    const batch = { template_id: blank.id, recipients: [{ to }] };
    expect(await sender.sk.post(`${sender.path}/send/batch`, batch)).toMatchObject(refused);
    const broadcast = { template_id: blank.id };
    expect(await sender.sk.post(`${sender.path}/broadcast`, broadcast)).toMatchObject(refused);
    expect(await logs()).toMatchObject({ total: 0 });
  });

  it("is one whose variables leave nothing: 400 alone, a failed recipient in a batch", async () => {
    const { id: template_id } = await newTemplate({ html_body: "{{words}}" });
    const [to, full] = [address(), { to: address(), data: { words: "Hi" } }];
    expect(await sender.sk.post(`${sender.path}/send`, { to, template_id })).toMatchObject(refused);
    const batch = { template_id, recipients: [{ to }, full] };
    expect((await sender.sk.post(`${sender.path}/send/batch`, batch)).body).toMatchObject({
      sent: 1,
      failed: 1,
      failures: [{ to, status: "failed", error: expect.stringContaining("neither HTML nor text") }],
    });
  });

  it("is not one with text alone", async () => {
    const { id: template_id } = await newTemplate({ text_body: "Hello" });
    const to = address();
    expect((await sender.sk.post(`${sender.path}/send`, { to, template_id })).status).toBe(200);
    expect((await mailTo(to)).text).toContain("Hello");
  });
});

describe("a mail with text and no HTML", () => {
  it("is plain text in every way of sending, so that mail programs show the text", async () => {
    const text = { html_body: "\n", text_body: "Hello {{name}}" };
    const { id: template_id, name } = await newTemplate(text);
    const { id: subscriber_id, email } = await newSubscriber();
    const [one, two, three] = [address(), address(), address()];
    await sender.sk.post(`${sender.path}/send`, { to: one, template_id });
    await sender.sdk.post("/send", { to: two, template: name });
    await sender.sk.post(`${sender.path}/send/batch`, { template_id, recipients: [{ to: three }] });
    for (const to of [one, two, three]) {
      expect((await waitForMessage(to)).text).toMatch(/\r\nContent-Type: text\/plain;.*\r\n/);
      const { text: words, html } = await mailTo(to);
      expect([words, html]).toEqual(["Hello \n", undefined]);
    }

    await sender.sk.post(`${sender.path}/send`, { subscriber_id, template_id });
    await sender.sk.post(`${sender.path}/broadcast`, { template_id });
    const mails = await waitForMessages(email, 2);
    for (const { raw } of mails) {
      const mail = await PostalMime.parse(raw);
      expect(mail.html).toBeUndefined();
      expect(mail.text).toMatch(/^Hello \n\nUnsubscribe: http\S+\n$/);
    }
  });

  it("has no second link if its text has one", async () => {
    const text_body = "Leave: {{unsubscribe_url}}";
    const { id: template_id, name } = await newTemplate({ text_body });
    const { id: subscriber_id, email } = await newSubscriber();
    await sender.sk.post(`${sender.path}/send`, { subscriber_id, template_id });
    await sender.sdk.post("/send", { to: email, template: name });
    await sender.sk.post(`${sender.path}/broadcast`, { template_id });
    for (const { text, raw } of await waitForMessages(email, 3)) {
      expect((await PostalMime.parse(raw)).text).toMatch(/^Leave: http\S+\n$/);
      expect(text).toContain("List-Unsubscribe-Post: ");
    }
    const named = await sender.sdk.post("/broadcast", { subject: "s", template: name });
    expect(named.status).toBe(202);
    const preview = { subject: "s", text_body, subscriber_id };
    const { body } = await sender.sk.post(`${sender.path}/templates/preview`, preview);
    expect(body).toMatchObject({
      text_body: expect.stringMatching(/^Leave: http\S+$/),
      problems: [],
    });
  });

  it("has no HTML in its preview either", async () => {
    const { body } = await sender.sk.post(`${sender.path}/templates/preview`, {
      subject: "s",
      text_body: "Hello",
    });
    expect(body).toMatchObject({
      html_body: "",
      bytes: 0,
      text_body: expect.stringContaining("Unsubscribe: "),
    });
  });
});

describe("a text part of white space", () => {
  it("is made from the HTML, as a missing one, in a send, a batch and a broadcast", async () => {
    const { id: template_id } = await newTemplate({
      html_body: "<p>Readable</p>",
      text_body: " \n",
    });
    const person = await newSubscriber();
    const to = address();
    const { path, sk } = sender;
    expect((await sk.post(`${path}/send`, { to, template_id })).status).toBe(200);
    await sk.post(`${path}/send/batch`, { template_id, recipients: [{ to: `b${to}` }] });
    await sk.post(`${path}/broadcast`, { template_id });
    for (const email of [to, `b${to}`, person.email])
      expect((await mailTo(email)).text).toContain("Readable");
  });
});

describe("a broadcast whose template has a whole document in each branch", () => {
  it("has the footer and the pixel in every mail", async () => {
    const page = (words: string) => `<html><body><p>${words}</p></body></html>`;
    const { id: template_id } = await newTemplate({
      html_body: `{{#if metadata.de}}${page("Hallo")}{{else}}${page("Hello")}{{/if}}`,
    });
    const { email: hello } = await newSubscriber();
    const hallo = address();
    await owner.post(`${sender.path}/subscribers`, { email: hallo, metadata: { de: true } });
    await sender.sk.post(`${sender.path}/broadcast`, { template_id });
    for (const [email, words] of [
      [hello, "Hello"],
      [hallo, "Hallo"],
    ] as const) {
      const { html = "" } = await mailTo(email);
      expect(html).toContain(`<p>${words}</p>`);
      expect(html.match(/>Unsubscribe<|\/t\/[^"]+\.gif/g)).toHaveLength(2);
    }
  });
});

describe("the subject of a key-based send of HTML without one", () => {
  const subjectOf = async (body: object) => {
    const to = address();
    expect(await sender.sdk.post("/send", { to, ...body })).toMatchObject({ status: 200 });
    return (await mailTo(to)).subject;
  };

  it("is the title of the HTML, decoded, with its variables", async () => {
    const html = "<html><head><title>\n Tea &amp; {{what}} </title></head><body>x</body></html>";
    expect(await subjectOf({ html, data: { what: "<Cake> & more" } })).toBe("Tea & <Cake> & more");
    for (const subject of ["", " \t"]) expect(await subjectOf({ html, subject })).toBe("Tea &");
    expect(await subjectOf({ html, subject: "Given" })).toBe("Given");
  });

  it.each(["<p>no title</p>", "<title> </title><p>x</p>", "<title>{{nothing}}</title><p>x</p>"])(
    "is the project's name without a title: %s",
    async (html) => expect(await subjectOf({ html })).toBe("Test project"),
  );

  it("is a single line, whatever the title holds", async () => {
    const html = "<title>One&#13;&#10;Bcc: evil@any.test{{{break}}}</title><p>x</p>";
    const subject = await subjectOf({ html, data: { break: "\r\nX-Evil: 1" } });
    expect(subject).toBe("One Bcc: evil@any.test X-Evil: 1");
  });
});

describe("the title of a document", () => {
  it.each([
    ["<title>Plain</title>", "Plain"],
    ["<TITLE lang='>'>Attributes</TITLE >", "Attributes"],
    ["<title>a <b> c</title>", "a <b> c"],
    ["<title>Unclosed", "Unclosed"],
    ["<!-- <title>Comment</title> --><title>Real</title>", "Real"],
    ["<svg><title>Picture</title></svg><title>Page</title>", "Page"],
    ["</svg><svg/><title>Page</title>", "Page"],
    ["<title></title><title>Second</title>", undefined],
    ["<p>None</p>", undefined],
    [`<title>${"é😀".repeat(150)}</title>`, "é😀".repeat(100)],
  ])("of %j is %j", (html, title) => {
    expect(titleOf(html)).toBe(title);
  });
});

describe("the subject in the log", () => {
  it("is the first 998 characters of a longer one, and cuts none in half", async () => {
    const { id } = await newTemplate({ subject: "{{long}}", html_body: "<p>Hi</p>" });
    const to = address();
    const long = `y${"😀".repeat(998)}`;
    const send = { to, template_id: id, data: { long } };
    expect((await sender.sk.post(`${sender.path}/send`, send)).status).toBe(200);
    expect(await logs()).toMatchObject({ logs: [{ subject: `y${"😀".repeat(498)}` }] });
    expect((await mailTo(to)).subject).toBe(long);
  });
});

describe("the Feedback-ID of a mail", () => {
  const feedbackOf = async (to: string) =>
    (await mailTo(to)).headers.filter(({ key }) => key === "feedback-id").map(({ value }) => value);

  it("names template and project, and a sender id of 5 to 15 characters that all mail has", async () => {
    const [raw, templated] = [address(), address()];
    const { id: template_id } = await newTemplate({ html_body: "<p>x</p>" });
    await sender.sk.post(`${sender.path}/send`, { to: raw, subject: "s", html_body: "<p>x</p>" });
    await sender.sk.post(`${sender.path}/send`, { to: templated, template_id });
    const [value = ""] = await feedbackOf(raw);
    expect(value).toMatch(/^::[0-9a-f-]{36}:[0-9a-f]{12}$/);
    const senderId = value.split(":").at(-1);
    expect(value).toBe(`::${sender.id}:${senderId}`);
    expect(await feedbackOf(templated)).toEqual([`:${template_id}:${sender.id}:${senderId}`]);
  });

  it("names the batch that the mail belongs to", async () => {
    const recipients = [{ to: address() }, { to: address() }];
    const { id: template_id } = await newTemplate({ html_body: "<p>x</p>" });
    await sender.sk.post(`${sender.path}/send/batch`, { template_id, recipients });
    const [first, second] = await Promise.all(recipients.map(({ to }) => feedbackOf(to)));
    expect(first).toEqual([
      expect.stringMatching(new RegExp(`^[0-9a-f-]{36}:${template_id}:${sender.id}:[0-9a-f]{12}$`)),
    ]);
    expect(second).toEqual(first);
  });

  it("is that of the caller where the send sets the header", async () => {
    const to = address();
    const headers = { "feedback-ID": "mine:a:b:shop1" };
    const mail = { to, subject: "s", html_body: "<p>x</p>", headers };
    expect((await sender.sk.post(`${sender.path}/send`, mail)).status).toBe(200);
    expect(await feedbackOf(to)).toEqual(["mine:a:b:shop1"]);
  });

  it("has no character that ends a part or the header", () => {
    const parts = { campaignId: "a:b\r\nBcc: x@y.test", templateId: null, projectId: "p" };
    const from = "news@shop.test" as Parameters<typeof feedbackIdOf>[0];
    expect(feedbackIdOf(from, parts)).toMatch(/^abBccxytest::p:[0-9a-f]{12}$/);
  });
});
