/* Double opt-in: forms make a subscriber only after a confirmation by mail (API reference §13.6). */
import { env } from "cloudflare:test";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../../src/lib/durations.ts";
import { LANGUAGES } from "../../../src/lib/languages.ts";
import { wordsOf } from "../../../src/mail/words/index.ts";
import { deliverDue } from "../../../src/services/webhooks/index.ts";
import { testLicense } from "../../support/license.ts";
import { receivedMessages, waitForMessages } from "../../support/mailbox.ts";
import { runSender } from "../../support/project-objects.ts";
import { allRows } from "../../support/rows.ts";
import { CAPTURING, createService, unique, type Service } from "../../support/service.ts";
import { verifySignature, type Webhook } from "../../support/webhooks/dispatching.ts";
import { endpoint, received, waitForRequests } from "../../support/webhooks/received.ts";

const T0 = Date.UTC(2026, 4, 5, 12);
let now = T0;
const WAKE_QUEUE = { sendBatch: async () => {} } as unknown as Service["env"]["WAKE_QUEUE"];
const WEBHOOK_QUEUE = { sendBatch: async () => {} } as unknown as Service["env"]["WEBHOOK_QUEUE"];
const SETTINGS = { ...(await testLicense("pro")), WAKE_QUEUE, WEBHOOK_QUEUE };
const service = createService(SETTINGS, { now: () => now });
const owner = await service.newOwner();
const FROM = { "CF-Connecting-IP": "203.0.113.9", "User-Agent": "Reader/1.0" };
const SCANNER = { "User-Agent": "Mozilla/5.0 (Windows NT 10.0) BarracudaCentral" };

async function newList(settings: object = {}) {
  now = T0;
  const project = await owner.newProject(CAPTURING);
  const path = `/projects/${project.id}`;
  await owner.put(path, { name: "Acme" });
  const rules = { double_opt_in: true, form_text: "News, once a month", ...settings };
  expect((await owner.put(`${path}/audience-settings`, rules)).status).toBe(200);
  const made = await owner.post(`${path}/api-keys`, { name: "page", type: "pk" });
  await owner.post(`${path}/topics`, { name: "Digest" });
  const template = async (html_body: string, subject = "Own words") =>
    String(
      (await owner.post(`${path}/templates`, { name: unique("t"), subject, html_body })).body["id"],
    );
  const page = service.withKey(String(made.body["key"]));
  const email = `${unique("joins")}@any.test`;
  /** Sends the mail that waits for the address, and reads it: the nth. */
  const mailed = async (nth = 1) => {
    await runSender(env.PROJECT_SENDER, project.id, await service.deps());
    const [{ raw } = { raw: "" }] = (await waitForMessages(email, nth)).slice(nth - 1);
    const parsed = await PostalMime.parse(raw);
    const [link = ""] = /http\S*\/confirm\/[\w.-]+/.exec(parsed.text ?? "") ?? [];
    return { ...parsed, html: parsed.html ?? "", link };
  };
  return {
    ...project,
    path,
    email,
    template,
    mailed,
    join: (more: object = {}) => page.request("POST", "/join", { email, ...more }, FROM),
    wait: (more: object = {}) => service.anonymous.post(`${path}/waitlist`, { email, ...more }),
    subscriber: async () =>
      (await allRows("select id, status from subscribers where project_id = ?", project.id))[0] ??
      {},
    history: () =>
      allRows(
        "select topic_name, action, by, at, ip_address, user_agent, form_text from consent_events where project_id = ? order by at, action desc",
        project.id,
      ),
    owed: () => allRows("select template_name from pending_mails where project_id = ?", project.id),
  };
}

const press = (link: string, body = "") =>
  service.fetch(link, {
    method: "POST",
    body,
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...FROM },
  });

describe("double opt-in", () => {
  it("activates a subscriber by the button of an emailed page, and stores the evidence", async () => {
    const { join, mailed, subscriber, history, owed } = await newList();
    const joined = await join({ topics: ["Digest"], sendWelcomeEmail: true });
    expect([joined.status, joined.body["data"]]).toMatchObject([
      201,
      { message: "confirmation requested" },
    ]);
    expect(await subscriber()).toMatchObject({ status: "pending" });
    const { link, html, subject, headers } = await mailed();
    expect(subject).toBe("Please confirm your subscription to Acme");
    expect(html).toContain(`href="${link}"`); // not tracked: a tracked link would store the token
    expect(html).not.toMatch(/\/[tc]\/|\/unsubscribe\//);
    expect(headers.map(({ key }) => key)).not.toContain("list-unsubscribe");
    now = T0 + 6 * DAY_MS;
    for (const headers of [{}, SCANNER, { "Sec-Purpose": "prefetch" }])
      expect(await (await service.fetch(link, { headers })).text()).toContain(
        "<button>Confirm</button>",
      );
    await service.fetch(link, { method: "HEAD" });
    expect([await subscriber(), await owed()]).toMatchObject([{ status: "pending" }, []]);
    const pages = await Promise.all([press(link), press(link)]);
    for (const page of pages)
      expect([page.status, await page.text()]).toEqual([
        200,
        expect.stringContaining("You are subscribed"),
      ]);
    expect(await subscriber()).toMatchObject({ status: "active" });
    const proof = {
      ip_address: "203.0.113.9",
      user_agent: "Reader/1.0",
      form_text: "News, once a month",
    };
    const list = { topic_name: null, ...proof };
    expect(await history()).toEqual([
      { ...list, topic_name: "Digest", action: "subscribed", by: "join", at: T0 },
      { ...list, action: "requested", by: "join", at: T0 },
      { ...list, action: "confirmed", by: "confirmation", at: now },
    ]);
    expect(await owed()).toEqual([{ template_name: "welcome" }]);
  });

  it("triggers subscriber.confirmed once, with the subscriber", async () => {
    const { id, path, join, mailed } = await newList();
    const name = unique("confirmed");
    const wanted = { url: endpoint(`ok/${name}`), events: ["subscriber.confirmed"] };
    const { status, body: hook } = await owner.post<Webhook>(`${path}/webhooks`, wanted);
    expect([status, hook.events]).toEqual([201, ["subscriber.confirmed"]]);
    await join({ metadata: { plan: "pro" } });
    const { link } = await mailed();
    now = T0 + DAY_MS;
    await press(link);
    await press(link);
    await deliverDue(await service.deps(), [hook.id]);
    const [request = { headers: {}, body: "" }] = await waitForRequests(name, 1);
    expect((await received(name)).requests).toHaveLength(1);
    const { body } = await owner.get<{ subscribers: object[] }>(`${path}/subscribers`);
    const person = { status: "active", metadata: { plan: "pro" }, suppressed: null };
    expect(body.subscribers).toMatchObject([person]);
    expect(JSON.parse(request.body)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: "subscriber.confirmed",
      created_at: new Date(now).toISOString(),
      project_id: id,
      data: expect.any(Object),
    });
    const { data } = JSON.parse(request.body) as { data: object };
    expect({ ...data, suppressed: null }).toEqual(body.subscribers[0]);
    expect(request.headers).toMatchObject({ "x-service-event": "subscriber.confirmed" });
    expect((await verifySignature(hook.secret, request)).isValid).toBe(true);
  });

  it("does not affect join and waitlist until the project enables it", async () => {
    const { join, subscriber, owed, history, wait } = await newList({ double_opt_in: false });
    expect((await join()).body["data"]).toMatchObject({ message: "subscribed" });
    expect([await subscriber(), await owed()]).toMatchObject([{ status: "active" }, []]);
    expect(await history()).toMatchObject([{ action: "subscribed", by: "join" }]);
    const other = { email: `${unique("waits")}@any.test` };
    expect([(await wait(other)).status, await owed()]).toEqual([200, []]);
  });

  it("also asks waitlist signups to confirm, with the named template if it contains the link", async () => {
    const { wait, template, mailed, subscriber, owed } = await newList();
    const own = await template('<p><a href="{{confirm_url}}">Own link</a></p>');
    expect((await wait({ template_id: own, topics: ["Digest"] })).body).toEqual({
      message: "added to waitlist",
    });
    expect(await owed()).toHaveLength(1);
    const { subject, link, html } = await mailed();
    expect([subject, html]).toEqual(["Own words", expect.stringContaining(`href="${link}"`)]);
    await press(link);
    expect(await subscriber()).toMatchObject({ status: "active" });
  });

  it("uses the template from the settings, or the built-in one if it no longer contains the link", async () => {
    const list = await newList();
    const id = await list.template("{{confirm_url}}");
    await owner.put(`${list.path}/audience-settings`, { confirmation_template_id: id });
    await list.wait({ template_id: await list.template("no link") });
    await owner.put(`${list.path}/templates/${id}`, { html_body: "gone" });
    const { subject, link } = await list.mailed();
    expect([subject, (await press(link)).status]).toEqual([
      "Please confirm your subscription to Acme",
      200,
    ]);
  });

  it("ignores a template that contains the name of the link only as text", async () => {
    const { wait, template, mailed, path } = await newList();
    for (const html of ["{confirm_url}", "{{!-- {{confirm_url}} --}}", "{{! confirm_url }}"]) {
      const settings = { confirmation_template_id: await template(`{{email}} ${html} {{email}}`) };
      expect((await owner.put(`${path}/audience-settings`, settings)).status).toBe(400);
    }
    await wait({ template_id: await template('<a href="{confirm_url}">{{email}}</a>') });
    const { subject, link } = await mailed();
    expect(subject).toBe("Please confirm your subscription to Acme");
    expect((await press(link)).status).toBe(200);
  });

  it.each(["{{confirm_url}}", "{{{ confirm_url }}}", "{{~&confirm_url~}}", "{{this.confirm_url}}"])(
    "accepts a template with the link, written as %s",
    async (tag) => {
      const { path, template } = await newList();
      const settings = { confirmation_template_id: await template(`<p>${tag}</p>`) };
      expect((await owner.put(`${path}/audience-settings`, settings)).body).toMatchObject(settings);
    },
  );

  it.each(LANGUAGES)("localizes the mail and the page: %s", async (language) => {
    const { join, mailed } = await newList({ language });
    await join();
    const { subject, text = "", html, link } = await mailed();
    const { mails, confirm } = wordsOf(language);
    const mail = mails.confirmation;
    expect(subject).toBe(mail.subject.replace("{project}", "Acme"));
    expect(html).toContain(`<html lang="${language}">`);
    for (const words of [mail.button, mail.expiry, mail.ignore, link])
      expect(text).toContain(words);
    expect(`${text}${html}`).not.toMatch(/\{\w+\}/);
    const page = await (await service.fetch(link)).text();
    expect(page).toContain(`<html lang="${language}">`);
    expect(page).toContain(confirm.title);
  });

  it("resends the mail when a pending person joins again, at most once in ten minutes", async () => {
    const { id, join, wait, mailed, owed, subscriber } = await newList();
    await join();
    await env.DB.prepare("delete from pending_mails where project_id = ?").bind(id).run(); // sent, and lost
    now = T0 + DAY_MS;
    expect([(await join()).status, (await wait()).status]).toEqual([409, 200]);
    expect(await owed()).toHaveLength(1);
    const { link } = await mailed();
    await press(link);
    expect(await subscriber()).toMatchObject({ status: "active" });
    now += DAY_MS;
    expect([(await join()).status, await owed()]).toEqual([409, []]);
  });

  it("gives the same waitlist response, whether or not the address is on the list", async () => {
    const { path, email, wait } = await newList();
    const stranger = await wait();
    for (const status of ["pending", "active", "unsubscribed"]) {
      const known = `${unique("known")}@any.test`;
      await owner.post(`${path}/subscribers`, { email: known, status });
      const answer = await wait({ email: known });
      expect([answer.status, answer.body]).toEqual([stranger.status, stranger.body]);
    }
    expect(email).not.toBe("");
  });

  it.each(["join", "wait"] as const)(
    "sends a confirmation mail to an unsubscribed person who signs up again: %s",
    async (form) => {
      const list = await newList();
      const { path, email, mailed, subscriber } = list;
      const made = await owner.post(`${path}/subscribers`, { email, name: "Ann" });
      now += DAY_MS;
      await service.fetch(`/unsubscribe/${list.id}/${String(made.body["id"])}`, { method: "POST" });
      now += DAY_MS;
      expect((await list[form]({ topics: ["Digest"], metadata: { a: 1 } })).status).toBeLessThan(
        300,
      );
      const one = `${path}/subscribers/${String(made.body["id"])}`;
      expect((await owner.get(one)).body).toMatchObject({
        status: "pending",
        name: "Ann",
        metadata: {},
      });
      const at = `${path}/subscribers/${String(made.body["id"])}/topics`;
      const stateNow = async () => {
        const { body } = await owner.get<{ topics: { state: string | null }[] }>(at);
        return body.topics.map(({ state }) => state);
      };
      expect(await stateNow()).toEqual([null]);
      await press((await mailed()).link);
      expect(await subscriber()).toMatchObject({ status: "active" });
      expect(await stateNow()).toEqual(["subscribed"]);
    },
  );

  it("sends an active subscriber a confirmation mail for more topics, and names them", async () => {
    const { path, email, join, mailed, owed } = await newList();
    const made = await owner.post(`${path}/subscribers`, { email });
    const at = `${path}/subscribers/${String(made.body["id"])}/topics`;
    const stateNow = async () => {
      const { body } = await owner.get<{ topics: { state: string | null }[] }>(at);
      return body.topics[0]?.state;
    };
    expect((await join()).status).toBe(409);
    expect(await join({ topics: ["Digest"] })).toMatchObject({
      status: 201,
      body: { data: { message: "confirmation requested" } },
    });
    await join({ topics: ["Digest"] });
    expect([await stateNow(), (await owed()).length]).toEqual([null, 1]);
    const { link } = await mailed();
    expect(await (await service.fetch(link)).text()).toContain("<li>Digest</li>");
    await press(link);
    expect(await stateNow()).toBe("subscribed");
    expect((await join({ topics: ["Digest"] })).status).toBe(409);
    await owner.put(at, { Digest: "unsubscribed" });
    await press(link);
    expect(await stateNow()).toBe("unsubscribed");
  });

  it("resends the mail with the template that a waitlist call names", async () => {
    const { id, wait, mailed, template } = await newList();
    const template_id = await template('<a href="{{confirm_url}}">Yes</a>');
    await wait({ template_id });
    await env.DB.prepare("delete from pending_mails where project_id = ?").bind(id).run(); // sent, and lost
    now = T0 + DAY_MS;
    expect((await wait({ template_id })).status).toBe(200);
    expect((await mailed()).subject).toBe("Own words");
  });

  it("treats the metadata of a rejoining person as untrusted in the welcome mail", async () => {
    const { id, path, email, join } = await newList();
    await join({ metadata: { word: "win a prize" } });
    const made = await owner.post(`${path}/api-keys`, { name: "backend", type: "sdk" });
    const backend = service.withKey(String(made.body["key"]));
    expect((await backend.post("/join", { email, sendWelcomeEmail: true })).status).toBe(409);
    const mails = await allRows(
      "select data ->> 'confirm' as welcome from pending_mails where project_id = ? order by 1",
      id,
    );
    expect(mails).toEqual([{ welcome: "none" }, { welcome: "public" }]);
  });

  it("expires a link after 7 days, and sends a new one by a button", async () => {
    const { join, mailed, subscriber, owed } = await newList();
    await join();
    const { link } = await mailed();
    now = T0 + 7 * DAY_MS;
    expect(await (await service.fetch(link)).text()).toContain("This link has expired");
    expect([(await press(link)).status, await subscriber()]).toMatchObject([
      400,
      { status: "pending" },
    ]);
    for (let n = 0; n < 3; n++) expect((await press(link, "do=resend")).status).toBe(200);
    expect(await owed()).toHaveLength(1);
  });

  it("also sends the welcome mail of a join after a confirmation by a new link", async () => {
    const { id, join, mailed, subscriber, owed } = await newList();
    await join({ sendWelcomeEmail: true });
    const { link } = await mailed();
    now = T0 + 8 * DAY_MS;
    expect((await press(link, "do=resend")).status).toBe(200);
    // Only a first attempt waits for its mailbox, and the clock of that limit is the real one.
    await env.DB.prepare("update pending_mails set attempts = 1 where project_id = ?")
      .bind(id)
      .run();
    const renewed = await mailed(2);
    expect(renewed.link).not.toBe(link);
    expect((await press(renewed.link)).status).toBe(200);
    expect([await subscriber(), await owed()]).toMatchObject([
      { status: "active" },
      [{ template_name: "welcome" }],
    ]);
  });

  it.each(LANGUAGES)("welcomes at once, in the language of the project: %s", async (language) => {
    const { join, mailed, owed } = await newList({ language });
    await join({ sendWelcomeEmail: true });
    await press((await mailed()).link);
    const { subject, html, text = "" } = await mailed(2);
    const { welcome } = wordsOf(language).mails;
    expect(subject).toBe(
      `${welcome.title.replace("{to}", "")}${welcome.to}`.replace("{project}", "Acme"),
    );
    expect(html).toContain(`<html lang="${language}">`);
    for (const words of [welcome.thanks, welcome.next, welcome.unsubscribe])
      expect(text).toContain(words);
    expect(`${text}${html}`).not.toMatch(/\{\w+\}/);
    expect(await owed()).toEqual([]);
  });

  it("reports that a mail is sent only to a pending person", async () => {
    const { id, join, mailed, subscriber } = await newList();
    await join();
    const { link } = await mailed();
    const resend = async () => (await press(link, "do=resend")).text();
    expect(await resend()).toContain("We are sending an email");
    expect(await resend()).toContain("is already on its way");
    await press(link);
    expect(await resend()).toContain(wordsOf("en").confirm.done);
    await service.fetch(`/unsubscribe/${id}/${String((await subscriber())["id"])}`);
    expect(await resend()).toContain("There is nothing left to confirm.");
  });

  it("rejects a forged link, and links of people who unsubscribed or changed their address", async () => {
    const { id, path, join, mailed, subscriber } = await newList();
    await join();
    const { link } = await mailed();
    service.d1.reset();
    for (const forged of [`${link}A`, link.replace("/confirm/", "/confirm/A"), `${link}.x`])
      expect([(await press(forged)).status, (await service.fetch(forged)).status]).toEqual([
        404, 404,
      ]);
    expect(service.d1.roundTrips).toBe(0);
    const one = `${path}/subscribers/${String((await subscriber())["id"])}`;
    const { email } = (await owner.get<{ email: string }>(one)).body;
    await owner.request("PATCH", one, { email: `new-${email}` });
    expect((await press(link)).status).toBe(404);
    await owner.request("PATCH", one, { email });
    await service.fetch(`/unsubscribe/${id}/${String((await subscriber())["id"])}`);
    expect(await (await press(link)).text()).toContain("There is nothing left to confirm.");
    expect(await subscriber()).toMatchObject({ status: "unsubscribed" });
    await owner.delete(one);
    expect((await press(link)).status).toBe(404);
  });

  it("requires a new link if the person has unsubscribed since the mail", async () => {
    const { path, join, mailed, subscriber } = await newList();
    await join();
    const { link } = await mailed();
    await press(link);
    const { id } = await subscriber();
    for (const status of ["unsubscribed", "pending"]) {
      now += 60_000;
      await owner.request("PATCH", `${path}/subscribers/${String(id)}`, { status });
    }
    const page = await press(link);
    expect([page.status, await subscriber()]).toMatchObject([400, { status: "pending" }]);
    expect(await page.text()).toContain(wordsOf("en").confirm.sendNew);
  });

  it("sends no mail to an address that has confirmed or unsubscribed in the meantime", async () => {
    const { id, path, email, join, owed, subscriber } = await newList();
    await join();
    const one = `${path}/subscribers/${String((await subscriber())["id"])}`;
    await owner.request("PATCH", one, { status: "active" });
    await runSender(env.PROJECT_SENDER, id, await service.deps());
    expect([await owed(), await receivedMessages(email)]).toEqual([[], []]);
  });

  it("rejects unknown topics in every form, and stores nothing", async () => {
    const { path, join, wait, subscriber, owed } = await newList();
    const topics = ["Digest", "Nowhere"];
    const made = await owner.post(`${path}/subscribers`, { email: "ann@any.test", topics });
    for (const answer of [await join({ topics }), await wait({ topics }), made])
      expect(answer).toMatchObject({
        status: 400,
        body: { details: [{ path: "topics.1", code: "no_such_topic" }] },
      });
    expect([await subscriber(), await owed()]).toEqual([{}, []]);
  });
});
