/* Sign-up forms: their pages, and what they store (API reference §12.15, §12.16). */
import { env } from "cloudflare:test";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../src/lib/languages.ts";
import { wordsOf } from "../../../src/mail/words/index.ts";
import { receivedMessages, waitForMessages } from "../../support/mailbox.ts";
import { runSender } from "../../support/project-objects.ts";
import { allRows } from "../../support/rows.ts";
import { CAPTURING, createService, unique, type Service } from "../../support/service.ts";

const T0 = Date.UTC(2026, 4, 5, 12);
let now = T0;
const WAKE_QUEUE = { sendBatch: async () => {} } as unknown as Service["env"]["WAKE_QUEUE"];
/** The answer of Cloudflare's siteverify. */
let verdict = { success: true };
const service = createService(
  { WAKE_QUEUE },
  { now: () => now, fetch: async () => Response.json(verdict) },
);
const owner = await service.newOwner();
const patch = (path: string, body: object) => owner.request("PATCH", path, body);
const FROM = { "CF-Connecting-IP": "203.0.113.9", "User-Agent": "Reader/1.0" };
const OTHER_SITE = { Origin: "https://shop.example", "Sec-Fetch-Site": "cross-site" };

interface Form {
  id: string;
  url: string;
  [name: string]: unknown;
}

async function newForm(given: object = {}, settings: object = {}) {
  now = T0;
  const project = await owner.newProject(CAPTURING);
  const path = `/projects/${project.id}`;
  await owner.put(path, { name: "Acme" });
  await owner.put(`${path}/audience-settings`, settings);
  const email = `${unique("form")}@any.test`;
  const topic = async (name: string) =>
    String((await owner.post(`${path}/topics`, { name })).body["id"]);
  const create = (body: object) =>
    owner.post<Form>(`${path}/forms`, { name: "Website", title: "Our newsletter", ...body });
  const { status, body: form } = await create(given);
  expect(status).toBe(201);
  const post = (fields: Record<string, string> | [string, string][], headers = {}, id = form.id) =>
    service.fetch(`/f/${id}`, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams(fields).toString(),
      headers: { "Content-Type": "application/x-www-form-urlencoded", ...FROM, ...headers },
    });
  const mails = async (nth: number, to = email) => {
    await runSender(env.PROJECT_SENDER, project.id, await service.deps());
    return Promise.all((await waitForMessages(to, nth)).map(({ raw }) => PostalMime.parse(raw)));
  };
  return {
    ...project,
    path,
    email,
    form,
    topic,
    create,
    post,
    mails,
    change: (body: object) => patch(`${path}/forms/${form.id}`, body),
    join: (more: Record<string, string> = {}) => post({ email, ...more }),
    subscribers: () =>
      allRows(
        "select email, name, status, metadata, source from subscribers where project_id = ?",
        project.id,
      ),
    history: () =>
      allRows(
        "select topic_name, action, by, ip_address, user_agent, form_text from consent_events where project_id = ? order by at, topic_name, action desc",
        project.id,
      ),
    pending: () => allRows("select * from pending_mails where project_id = ?", project.id),
    /** Presses the button of the page that a mail links to. */
    confirm: async (text = "") => {
      const [link = ""] = /http\S*\/confirm\/[\w.-]+/.exec(text) ?? [];
      return service.fetch(link, { method: "POST", body: "", headers: FROM });
    },
  };
}

const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ");

describe("the page of a form", () => {
  it("shows the form without scripts, and posts to itself", async () => {
    const { form } = await newForm({
      text: "News <b>",
      name_field: "optional",
      consent_text: "Yes",
    });
    expect(form.url).toMatch(new RegExp(`/f/${form.id}$`));
    const page = await service.fetch(`/f/${form.id}`);
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain("News &lt;b&gt;");
    expect(html).not.toContain("<script");
    expect(textOf(html)).toMatch(/Email address.* Name \(optional\).* Yes.* Sign up/);
    const policy = page.headers.get("Content-Security-Policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self';");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).not.toContain("script-src");
  });

  it.each(LANGUAGES)("is in %s, as the form or else the project says", async (language) => {
    const { form } = await newForm({}, { language });
    const own = await newForm({ language });
    for (const id of [form.id, own.form.id]) {
      const html = await (await service.fetch(`/f/${id}`)).text();
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).toContain(`${wordsOf(language).form.button}</button>`);
    }
  });

  it("is 404 for a closed, deleted or unknown form, which takes no posts", async () => {
    const { form, change, join, subscribers, path } = await newForm();
    expect(await change({ is_open: false })).toMatchObject({ status: 200 });
    const closed = await service.fetch(`/f/${form.id}`, { headers: { "Accept-Language": "de" } });
    expect([closed.status, await closed.text()]).toEqual([
      404,
      expect.stringContaining("geschlossen"),
    ]);
    expect((await join()).status).toBe(404);
    await change({ is_open: true });
    expect((await service.fetch(`/f/${form.id}`)).status).toBe(200);
    expect((await owner.delete(`${path}/forms/${form.id}`)).status).toBe(204);
    expect((await join()).status).toBe(404);
    for (const id of [form.id, "x", crypto.randomUUID(), "__proto__"])
      expect((await service.fetch(`/f/${id}`)).status).toBe(404);
    expect(await subscribers()).toEqual([]);
  });

  it("shows errors beside their fields, and keeps what was entered", async () => {
    const { path, create, post, subscribers } = await newForm();
    for (const field of [
      { key: "age", label: "Age", type: "number" },
      { key: "plan", label: "Plan", type: "choice", choices: ["Free", "Pro & more"] },
      { key: "shop", label: "Shop", type: "url" },
    ])
      expect(await owner.post(`${path}/fields`, field)).toMatchObject({ status: 201 });
    const fields = ["age", "plan", "shop"].map((key) => ({ key, required: key === "plan" }));
    const { body: form } = await create({ name_field: "required", fields });
    const faulty = await post(
      { email: "ann@", name: 'Ann "A"', "metadata.age": "ten", "metadata.shop": "javascript:1" },
      {},
      form.id,
    );
    expect(faulty.status).toBe(400);
    const html = await faulty.text();
    expect(html).toContain('value="ann@"');
    expect(html).toContain('value="Ann &quot;A&quot;"');
    const faultOf = (name: string) => new RegExp(`data-for="${name}"\\s*>([^<]*)<`).exec(html)?.[1];
    const { form: words } = wordsOf("en");
    expect(
      ["email", "name", "metadata.age", "metadata.plan", "metadata.shop"].map(faultOf),
    ).toEqual([words.invalidEmail, "", words.invalid, words.required, words.invalid]);
    const good = {
      email: "Ann@Any.test",
      name: "Ann",
      "metadata.age": "41",
      "metadata.plan": "Pro & more",
    };
    expect((await post(good, {}, form.id)).status).toBe(303);
    const [{ metadata = "", ...stored } = {}] = await subscribers();
    expect(stored).toEqual({
      email: "ann@any.test",
      name: "Ann",
      status: "active",
      source: `form:${form.id}`,
    });
    expect(JSON.parse(String(metadata))).toEqual({
      age: 41,
      plan: "Pro & more",
      source: `form:${form.id}`,
    });
  });

  it("takes only its own fields, whatever else is posted", async () => {
    const { post, email, subscribers, form, topic } = await newForm();
    await topic("Digest");
    const posted = await post({
      email,
      name: "Ann",
      status: "unsubscribed",
      "metadata.vip": "1",
      "metadata.__proto__": "1",
      topics: "Digest",
    });
    expect(posted.status).toBe(303);
    expect(await subscribers()).toEqual([
      {
        email,
        name: "",
        status: "active",
        metadata: JSON.stringify({ source: `form:${form.id}` }),
        source: `form:${form.id}`,
      },
    ]);
    const lines = await post({ email: "ann@any.test\r\nBcc: ben@any.test" });
    expect(lines.status).toBe(400);
    expect(await subscribers()).toHaveLength(1);
  });

  it("stores nothing if the field is filled in that only programs see", async () => {
    const { join, subscribers } = await newForm();
    const trapped = await join({ homepage: "https://spam.example" });
    expect([trapped.status, await subscribers()]).toEqual([303, []]);
    expect((await join({ homepage: "" })).headers.get("Location")).toBe(
      trapped.headers.get("Location"),
    );
    expect(await subscribers()).toHaveLength(1);
  });

  it("redirects to the page of the form, which its policy allows", async () => {
    const { join, change, form } = await newForm({ redirect_url: "https://Shop.example:8443/thx" });
    expect((await join()).headers.get("Location")).toBe("https://shop.example:8443/thx");
    const policy = async () =>
      (await service.fetch(`/f/${form.id}`)).headers.get("Content-Security-Policy");
    expect(await policy()).toContain("form-action 'self' https://shop.example:8443;");
    for (const redirect_url of [
      "javascript:alert(1)",
      "//evil.example",
      "/thanks",
      "http://shop.example",
      "https://a;script-src",
      "https://shop.example/\r\nSet-Cookie: a=b",
      "https://ann:secret@shop.example",
    ])
      expect(await change({ redirect_url })).toMatchObject({
        status: 400,
        body: { details: [{ path: "redirect_url", code: "not_https" }] },
      });
    expect(await change({ redirect_url: "" })).toMatchObject({ body: { redirect_url: null } });
    expect((await join()).headers.get("Location")).toBe(`/f/${form.id}/done`);
  });
});

describe("the preview of a form", () => {
  const preview = (path: string, body: BodyInit, type: string) =>
    service.fetch(`/api/v1${path}/forms/preview`, {
      method: "POST",
      headers: { Cookie: owner.cookie, "Content-Type": type },
      body,
    });

  it("is the page of what was typed; it stores and sends nothing", async () => {
    const { path, topic } = await newForm();
    const offered = { topics: [await topic("News")], choose_topics: true };
    const typed = { name: "Fair", title: "See <b>", fields: [{ key: "deleted" }], ...offered };
    const before = (await owner.get(`${path}/forms`)).body;
    const json = JSON.stringify(typed);
    const sent = new URLSearchParams({ form: json }).toString();
    const html: string[] = [];
    for (const answer of [
      await preview(path, json, "application/json"),
      await preview(path, sent, "application/x-www-form-urlencoded"),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get("Content-Security-Policy")).toMatch(/'self'; sandbox *(;|$)/);
      html.push(await answer.text());
    }
    expect(html[0]).toMatch(/See &lt;b&gt;.*<form method="post" inert>.*News/s);
    expect(html[1]).toBe(html[0]);
    expect((await owner.get(`${path}/forms`)).body).toEqual(before);
    expect(await owner.post(`${path}/forms/preview`, { ...typed, title: "" })).toMatchObject({
      status: 400,
      body: { details: [{ path: "title", code: "required" }] },
    });
  });

  it("leaves out the widget of Turnstile", async () => {
    const { path } = await newForm({}, { turnstile_secret: "0x", turnstile_site_key: "1x" });
    const shown = await preview(path, '{"name": "A", "title": "B"}', "application/json");
    expect(await shown.text()).toMatch(/<h1>B<\/h1>(?!.*turnstile)/s);
  });
});

describe("a sign-up by a form", () => {
  it("asks for a confirmation if the form or the project does, and proves the consent", async () => {
    const world = await newForm(
      { double_opt_in: true, name_field: "optional", consent_text: "News by Acme" },
      { form_text: "Other text" },
    );
    const { join, mails, subscribers, history, confirm, form } = world;
    const posted = await join({ name: "Buy at evil.example" });
    const done = await service.fetch(posted.headers.get("Location") ?? "");
    expect(textOf(await done.text())).toContain("Check your inbox");
    expect(await subscribers()).toMatchObject([{ status: "pending", name: "Buy at evil.example" }]);
    const proof = { ip_address: FROM["CF-Connecting-IP"], user_agent: FROM["User-Agent"] };
    const asked = { ...proof, topic_name: null, form_text: "News by Acme" };
    const requested = { ...asked, action: "requested", by: "join" };
    expect(await history()).toEqual([requested]);
    const [mail] = await mails(1);
    expect(mail?.to?.[0]?.name).toBe("");
    expect(JSON.stringify(mail)).not.toContain("evil.example");
    now += 60_000;
    expect((await confirm(mail?.text)).status).toBe(200);
    expect(await subscribers()).toMatchObject([{ status: "active", source: `form:${form.id}` }]);
    const confirmed = { ...asked, action: "confirmed", by: "confirmation" };
    expect(await history()).toEqual([requested, confirmed]);
    const byProject = await newForm({}, { double_opt_in: true, form_text: "The project's" });
    await byProject.join();
    expect(await byProject.history()).toMatchObject([
      { action: "requested", form_text: "The project's" },
    ]);
  });

  it("subscribes to the topics of the form, or to those that the person chooses", async () => {
    const { topic, create, post, email } = await newForm();
    const [news, tips] = [await topic("News"), await topic("Tips")];
    const topicsOf = async (given: object, chosen: [string, string][]) => {
      const { body } = await create({ topics: [news, tips], ...given });
      const to = `${unique("t")}-${email}`;
      await post([["email", to], ...chosen], {}, body.id);
      const consents = await allRows(
        "select topic_name from consent_events where subscriber_id = (select id from subscribers where email = ?) order by topic_name",
        to,
      );
      return consents.map(({ topic_name }) => topic_name);
    };
    expect(await topicsOf({}, [])).toEqual([null, "News", "Tips"]);
    const mine = { choose_topics: true };
    expect(await topicsOf(mine, [["topics", tips]])).toEqual([null, "Tips"]);
    expect(await topicsOf(mine, [])).toEqual([null]);
    const other = await newForm();
    const foreign = await other.topic("Foreign");
    expect(await topicsOf(mine, [["topics", foreign]])).toEqual([null]);
    expect(await create({ topics: [news, foreign] })).toMatchObject({
      status: 400,
      body: { details: [{ path: "topics.1", code: "no_such_topic" }] },
    });
  });

  it("gives the default topics if the form has none, and drops a deleted topic", async () => {
    const { path, create, post, history, topic, email } = await newForm();
    const { body: given } = await owner.post(`${path}/topics`, { name: "All", is_default: true });
    const gone = await topic("Gone");
    const { body: form } = await create({ topics: [gone] });
    await owner.delete(`${path}/topics/${gone}`);
    const page = await service.fetch(`/f/${form.id}`);
    expect(await page.text()).not.toContain("Gone");
    expect((await post({ email }, {}, form.id)).status).toBe(303);
    expect((await history()).map(({ topic_name }) => topic_name)).toEqual([null, given["name"]]);
  });

  it("neither offers nor gives a private topic", async () => {
    const { path, create, post, history, topic, email, change } = await newForm();
    const [news, team] = [await topic("News"), await topic("Team")];
    const { body: form } = await create({ topics: [news, team], choose_topics: true });
    await patch(`${path}/topics/${team}`, { visibility: "private" });
    const refused = {
      status: 400,
      body: { details: [{ path: "topics.0", code: "no_such_topic" }] },
    };
    expect(await create({ topics: [team] })).toMatchObject(refused);
    expect(await change({ topics: [team] })).toMatchObject(refused);
    const page = await (await service.fetch(`/f/${form.id}`)).text();
    expect(page).toContain("News");
    expect(page).not.toMatch(new RegExp(`Team|${team}`, "u"));
    const chosen: [string, string][] = [
      ["email", email],
      ["topics", news],
      ["topics", team],
    ];
    expect((await post(chosen, {}, form.id)).status).toBe(303);
    expect((await history()).map(({ topic_name }) => topic_name)).toEqual([null, "News"]);
  });

  it("brings nobody back without a confirmation by mail", async () => {
    const { join, path, email, subscribers, mails, confirm, history } = await newForm({
      consent_text: "Back again",
    });
    await owner.post(`${path}/subscribers`, { email, name: "Ann", status: "unsubscribed" });
    const [first, again] = [await join(), await join()];
    expect([first.status, again.status]).toEqual([303, 303]);
    expect(await subscribers()).toMatchObject([{ status: "pending", name: "Ann" }]);
    const sent = await mails(1);
    expect(sent).toHaveLength(1);
    now += 60_000;
    await confirm(sent[0]?.text);
    expect(await subscribers()).toMatchObject([{ status: "active", name: "Ann" }]);
    expect((await history()).slice(-2)).toMatchObject([
      { action: "requested", by: "join", form_text: "Back again" },
      { action: "confirmed", by: "confirmation", form_text: "Back again" },
    ]);
  });

  it("gives an active subscriber a topic only after a confirmation by mail", async () => {
    const { create, post, topic, path, email, mails, confirm, history } = await newForm();
    const news = await topic("News");
    const { body: form } = await create({ topics: [news] });
    await owner.post(`${path}/subscribers`, { email, topics: [] });
    await post({ email }, {}, form.id);
    const consents = () => allRows("select state from topic_consents where topic_id = ?", news);
    expect(await consents()).toEqual([]);
    const [mail] = await mails(1);
    now += 60_000;
    await confirm(mail?.text);
    expect(await consents()).toEqual([{ state: "subscribed" }]);
    expect((await history()).at(-1)).toMatchObject({ topic_name: "News", action: "subscribed" });
  });

  it.each([{}, { Accept: "application/json" }])(
    "answers the same for new, known, suppressed and erased addresses, and mails no suppressed one %o",
    async (headers) => {
      const { post, path, mails, subscribers, pending } = await newForm({ double_opt_in: true });
      const to = (name: string) => `${unique(name)}@any.test`;
      const [fresh, known, left] = [to("new"), to("known"), to("left")];
      const [bounced, complained, erased] = [to("bounced"), to("complained"), to("erased")];
      await owner.post(`${path}/subscribers`, { email: known });
      await owner.post(`${path}/subscribers`, { email: left, status: "unsubscribed" });
      await owner.post(`${path}/suppressions`, { emails: [bounced], reason: "hard_bounce" });
      await owner.post(`${path}/suppressions`, { emails: [complained], source: "complaint" });
      expect((await owner.post(`${path}/erasures`, { email: erased })).status).toBe(204);
      const told = await Promise.all(
        [fresh, known, left, bounced, complained, erased].map(async (email) => {
          const answer = await post({ email }, headers);
          const { status } = answer;
          return JSON.stringify([status, answer.headers.get("Location"), await answer.text()]);
        }),
      );
      expect(new Set(told).size).toBe(1);
      expect((await subscribers()).map(({ email }) => email)).not.toContain(erased);
      await mails(1, fresh);
      await mails(1, left);
      expect(await pending()).toEqual([]);
      for (const email of [known, bounced, complained, erased])
        expect(await receivedMessages(email)).toEqual([]);
    },
  );

  it("obeys the limits of joins, and keeps what was entered", async () => {
    const { post, email, subscribers } = await newForm({}, { joins_per_day: 1 });
    expect((await post({ email })).status).toBe(303);
    const other = `${unique("late")}@any.test`;
    const [late, again] = [await post({ email: other }), await post({ email })];
    expect([late.status, again.status]).toEqual([429, 429]);
    const html = await late.text();
    expect(html).toContain(other);
    expect(html).toContain(wordsOf("en").form.laterHint);
    expect(await subscribers()).toHaveLength(1);
    const flood = await newForm();
    const from = { "CF-Connecting-IP": "203.0.113.77", "Accept-Language": "fr" };
    const statuses = [];
    for (let n = 0; n < 101; n++) statuses.push((await flood.post({ email: "?" }, from)).status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(100);
    const refused = await flood.post({ email: flood.email }, from);
    expect(refused.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(await refused.text()).toContain(wordsOf("fr").form.later);
  });

  it("takes two round trips, as a join with a public key does", async () => {
    const { path, post, email } = await newForm({ double_opt_in: true });
    const { body } = await owner.post(`${path}/api-keys`, { name: "pk", type: "pk" });
    const pk = service.withKey(String(body["key"]));
    const tripsOf = async (work: () => Promise<unknown>) => {
      service.d1.reset();
      await work();
      return service.d1.roundTrips;
    };
    expect(await tripsOf(() => pk.post("/join", { email: `a-${email}` }))).toBe(2);
    expect(await tripsOf(() => post({ email }))).toBe(2);
  });
});

describe("a form with Turnstile", () => {
  const KEYS = { turnstile_secret: "secret", turnstile_site_key: "0x4AAA" };

  it("shows the widget, and lets only its script run", async () => {
    const { form } = await newForm({}, KEYS);
    const page = await service.fetch(`/f/${form.id}`);
    const html = await page.text();
    expect(html).toContain('data-sitekey="0x4AAA"');
    expect(html).toContain(wordsOf("en").form.needsScript);
    const policy = page.headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("script-src https://challenges.cloudflare.com");
    expect(policy).toContain("frame-src https://challenges.cloudflare.com");
  });

  it("asks again, with what was entered, unless Turnstile accepts the token", async () => {
    const { join, email, subscribers } = await newForm({}, KEYS);
    const missing = await join();
    expect(missing.status).toBe(403);
    const html = await missing.text();
    expect(html).toContain(`value="${email}"`);
    expect(html).toContain(wordsOf("en").form.human);
    expect(html).toContain("cf-turnstile");
    verdict = { success: true };
    expect((await join({ "cf-turnstile-response": "token" })).status).toBe(303);
    expect(await subscribers()).toHaveLength(1);
  });
});

describe("an embedded form", () => {
  it("is a script that any site may load, of at most 3 KB", async () => {
    const { form } = await newForm({ name_field: "optional", title: "</script>" });
    const script = await service.fetch(`/f/${form.id}.js`, { headers: OTHER_SITE });
    expect(script.headers.get("Content-Type")).toContain("text/javascript");
    expect(script.headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
    expect(script.headers.get("Set-Cookie")).toBeNull();
    const text = await script.text();
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(3_072);
    const closed = await service.fetch(`/f/${crypto.randomUUID()}.js`);
    expect([closed.status, await closed.text()]).toEqual([404, ""]);
  });

  it("posts from any site and reads the answer", async () => {
    const { post, email, form } = await newForm({ redirect_url: "https://shop.example/thx" });
    const headers = { ...OTHER_SITE, Accept: "application/json" };
    const faulty = await post({ email: "ann" }, headers);
    expect([faulty.status, faulty.headers.get("Access-Control-Allow-Origin")]).toEqual([400, "*"]);
    const { form: words } = wordsOf("en");
    expect(await faulty.json()).toEqual({
      error: words.faulty,
      code: "invalid_request",
      details: [{ path: "email", code: "invalid_address", message: words.invalidEmail }],
    });
    const posted = await post({ email }, headers);
    expect([posted.status, await posted.json()]).toEqual([
      200,
      { message: words.doneHint, redirect_url: "https://shop.example/thx" },
    ]);
    expect(form.url).not.toContain("shop");
  });
});

describe("the forms of a project", () => {
  it("count what they added within 30 days, and who of these is active", async () => {
    const { path, join, post, form, email, key } = await newForm();
    await join();
    await post({ email: `other-${email}` });
    await owner.post(`${path}/subscribers`, { email: `own-${email}` });
    const { body } = await owner.get<{ subscribers: { id: string }[] }>(
      `${path}/subscribers?search=other-${email}`,
    );
    const left = { status: "unsubscribed" };
    await patch(`${path}/subscribers/${body.subscribers[0]?.id}`, left);
    const listed = async () => (await service.withKey(key).get(`${path}/forms`)).body["forms"];
    expect(await listed()).toMatchObject([{ id: form.id, signups: 2, active: 1 }]);
    now += 31 * 86_400_000;
    expect(await listed()).toMatchObject([{ id: form.id, signups: 0, active: 0 }]);
  });

  it("refuse unknown and reserved fields, another version, and other projects", async () => {
    const { path, create, change, form } = await newForm();
    for (const [key, code] of [
      ["nobody", "no_such_field"],
      ["__proto__", "reserved_name"],
      ["source", "reserved_name"],
      ["constructor", "no_such_field"],
    ])
      expect(await create({ fields: [{ key }] })).toMatchObject({
        status: 400,
        body: { details: [{ path: "fields.0.key", code }] },
      });
    const url = `${path}/forms/${form.id}`;
    const stale = await owner.request("PATCH", url, { title: "A" }, { "If-Match": '"1"' });
    expect(stale.status).toBe(412);
    expect(await change({ title: "B", topics: [] })).toMatchObject({
      status: 200,
      body: { title: "B", name: "Website", is_open: true },
    });
    const other = await newForm();
    for (const answer of [
      await owner.get(`${other.path}/forms/${form.id}`),
      await patch(`${other.path}/forms/${form.id}`, { title: "C" }),
      await owner.delete(`${other.path}/forms/${form.id}`),
    ])
      expect(answer.status).toBe(404);
    expect(await owner.get(url)).toMatchObject({ body: { title: "B" } });
  });

  it("are at most 50", async () => {
    const { create, path } = await newForm();
    for (let n = 1; n < 50; n++) expect((await create({})).status).toBe(201);
    expect(await create({})).toMatchObject({ status: 409, body: { code: "too_many_forms" } });
    expect((await owner.get<{ forms: [] }>(`${path}/forms`)).body.forms).toHaveLength(50);
  });
});
