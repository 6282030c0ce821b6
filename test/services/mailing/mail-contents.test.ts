/* Requirements of every mail: a body, a subject, and no link without a target. */
import PostalMime from "postal-mime";
import { beforeEach, describe, expect, it } from "vitest";
import { titleOf } from "../../../src/mail/html/title.ts";
import { feedbackIdOf } from "../../../src/services/mailing/feedback-id.ts";
import { receivedMessages, waitForMessage, waitForMessages } from "../../support/mailbox.ts";
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

describe("the unsubscribe link in a mail to an address without a subscriber", () => {
  const LEAVE = '<p>Hi <a href="{{unsubscribe_link}}">leave</a></p>';
  const refused = { status: 422, body: { error: expect.stringContaining("unsubscribe_link") } };

  it.each([
    ["html_body", LEAVE],
    ["html_body", "<p>{{{unsubscribe_url}}}</p>"],
    ["html_body", "<p>{{#if name}}{{else}}{{this.unsubscribe_link}}{{/if}}</p>"],
    ["html_body", '<p>{{lookup this "unsubscribe_link"}}</p>'],
    ["text_body", "Leave: {{unsubscribe_link}}"],
    ["subject", "{{unsubscribe_url}}"],
  ])(
    "is answered 422 in the %s of a template, and nothing is sent or logged: %s",
    async (part, source) => {
      const { id: template_id, name } = await newTemplate({
        html_body: "<p>x</p>",
        [part]: source,
      });
      const to = address();
      expect(await sender.sk.post(`${sender.path}/send`, { to, template_id })).toMatchObject(
        refused,
      );
      expect(await sender.sdk.post("/send", { to, template: name })).toMatchObject(refused);
      expect(await receivedMessages(to)).toEqual([]);
      expect(await logs()).toMatchObject({ total: 0 });
    },
  );

  it("is answered 422 in the HTML of a key-based send", async () => {
    const answer = await sender.sdk.post("/send", { to: address(), html: LEAVE, subject: "s" });
    expect(answer).toMatchObject(refused);
    expect(answer.body["success"]).toBe(false);
  });

  it.each([
    "<p>{{#if unsubscribe_link}}<a href='{{unsubscribe_link}}'>leave</a>{{/if}}Hi</p>",
    "<p>{{#unless unsubscribe_url}}Hi{{else}}{{unsubscribe_url}}{{/unless}}</p>",
    "<p>{{#if is_member}}{{unsubscribe_link}}{{/if}}Hi</p>",
    "<p>{{! unsubscribe_link }}Hi</p>",
    "<p>{{#with unsubscribe_link}}{{this}}{{/with}}Hi</p>",
  ])("may stand where it is not printed: %s", async (html) => {
    const to = address();
    expect((await sender.sdk.post("/send", { to, html, subject: "s" })).status).toBe(200);
    expect((await mailTo(to)).html).toContain("<p>Hi</p>");
  });

  it("is the link of data when the send provides one", async () => {
    const { id: template_id } = await newTemplate({ html_body: LEAVE });
    const send = (to: string, unsubscribe_link: unknown) =>
      sender.sk.post(`${sender.path}/send`, { to, template_id, data: { unsubscribe_link } });
    const to = address();
    expect((await send(to, "mailto:leave@any.test")).status).toBe(200);
    expect((await mailTo(to)).html).toContain('href="mailto:leave@any.test"');
    for (const nothing of ["", null]) expect(await send(address(), nothing)).toMatchObject(refused);
  });

  it("is the subscriber's own in a key-based mail to a subscriber", async () => {
    const { id, email } = await newSubscriber();
    const answer = await sender.sdk.post("/send", { to: email, html: LEAVE, subject: "s" });
    expect(answer.status).toBe(200);
    expect((await mailTo(email)).html).toContain(`/unsubscribe/${sender.id}/${id}"`);
  });

  it("fails the recipients of a batch for whom it would be empty, with that reason", async () => {
    const { id: template_id } = await newTemplate({ html_body: LEAVE });
    const [one, two] = [address(), address()];
    const data = { unsubscribe_link: "https://shop.example/leave" };
    const recipients = [{ to: one, data }, { to: two }];
    const { status, body } = await sender.sk.post(`${sender.path}/send/batch`, {
      template_id,
      recipients,
    });
    expect([status, body]).toEqual([
      200,
      {
        sent: 1,
        failed: 1,
        bounced: 0,
        suppressed: 0,
        failures: [
          { to: two, status: "failed", error: expect.stringContaining("unsubscribe_link") },
        ],
      },
    ]);
    expect(await receivedMessages(one)).toHaveLength(1);
    expect(await receivedMessages(two)).toEqual([]);
  });
});

describe("a mail with neither HTML nor text", () => {
  const refused = {
    status: 400,
    body: { error: expect.stringContaining("neither HTML nor text") },
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

describe("a text part that is made for each mail", () => {
  it("has the links as they are, in a batch and in a broadcast", async () => {
    const { id: template_id } = await newTemplate({
      html_body:
        '<p style="color:{{name}}">To <a href="https://shop.example/a?b=1&amp;c">us</a></p>',
    });
    const [to, data] = [address(), { name: "red" }];
    await sender.sk.post(`${sender.path}/send/batch`, { template_id, recipients: [{ to, data }] });
    const made = await mailTo(to);
    expect(made.html).toMatch(/style="color:red">To <a href="http[^"]+\/c\//);
    expect(made.text).toBe("To us (https://shop.example/a?b=1&c)\n");

    const { email } = await newSubscriber();
    await sender.sk.post(`${sender.path}/broadcast`, { template_id });
    expect((await mailTo(email)).text).toMatch(
      /^To us \(https:\/\/shop.example\/a\?b=1&c\)\n\nUnsubscribe \(http\S+\/unsubscribe\/\S+\)\n$/,
    );
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
