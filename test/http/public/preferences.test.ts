/* The page on which the readers of a topic choose their mail (API reference §13.5). */
import { env } from "cloudflare:test";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../src/lib/languages.ts";
import { wordsOf } from "../../../src/mail/words/index.ts";
import { confirmationUrl, dataUrl, preferencesUrl } from "../../../src/services/tracking/index.ts";
import { DAY_MS, HOUR_MS } from "../../../src/lib/durations.ts";
import { appendLog } from "../../../src/services/email-log/index.ts";
import { recordEvents } from "../../../src/services/tracking/index.ts";
import { runBatch } from "../../../src/db/client.ts";
import { runSender } from "../../support/project-objects.ts";
import { allRows } from "../../support/rows.ts";
import { logEntry } from "../../support/log-entry.ts";
import { receivedMessages, waitForMessage } from "../../support/mailbox.ts";
import { trackingEvent } from "../../support/tracking/mails.ts";
import { CAPTURING, createService, unique, type Service } from "../../support/service.ts";

const T0 = Date.UTC(2026, 4, 5, 12);
let now = T0;
// The queue delivers nothing: its own clock would find the mails too old.
const WAKE_QUEUE = { sendBatch: async () => {} } as unknown as Service["env"]["WAKE_QUEUE"];
const service = createService({ WAKE_QUEUE }, { now: () => now });
const owner = await service.newOwner();
const FORM = "application/x-www-form-urlencoded";
const FROM = { "CF-Connecting-IP": "203.0.113.9", "User-Agent": "Reader/1.0" };

interface Row {
  state: string | null;
}

/** Creates a reader with the topics A (subscribed), B (subscribed) and C (no answer). */
async function newReader(settings: object = {}, name = "Acme") {
  now = T0;
  const project = await owner.newProject(CAPTURING);
  const path = `/projects/${project.id}`;
  await owner.put(path, { name });
  await owner.put(`${path}/audience-settings`, { language: "en", ...settings });
  const topics: string[] = [];
  for (const topic of ["A", "B", "C"])
    topics.push(
      String(
        (await owner.post(`${path}/topics`, { name: topic, description: "<i>x</i>" })).body["id"],
      ),
    );
  const email = `${unique("reader")}@any.test`;
  const given = { email, name: "Rita", metadata: { plan: "<b>pro</b>" }, topics: ["A", "B"] };
  const id = String((await owner.post(`${path}/subscribers`, given)).body["id"]);
  const [topicId = ""] = topics;
  const mail = { topicId, broadcastId: crypto.randomUUID() };
  const deps = await service.deps();
  const link = await preferencesUrl(deps, project.id, { id, email }, mail);
  return {
    ...project,
    path,
    topics,
    email,
    subscriber: id,
    link,
    dataLink: () => dataUrl(deps, project.id, { id, email }),
    pending: () => allRows("select id, data from pending_mails where subscriber_id = ?", id),
    get: (at = link) => service.fetch(at),
    post: (fields: [string, string][], headers = {}) =>
      service.fetch(link, {
        method: "POST",
        body: new URLSearchParams(fields).toString(),
        headers: { "Content-Type": FORM, ...FROM, ...headers },
      }),
    states: async () => {
      const { body } = await owner.get<{ topics: Row[] }>(`${path}/subscribers/${id}/topics`);
      return body.topics.map(({ state }) => state);
    },
    history: async () =>
      allRows(
        "select topic_name, action, by, ip_address, user_agent from consent_events where subscriber_id = ? and by not in ('member', 'api') order by id",
        id,
      ),
    status: async () =>
      (await allRows("select status from subscribers where id = ?", id))[0]?.["status"],
  };
}

const shown = (topics: string[]) => topics.map((id): [string, string] => ["topic", id]);

describe("the preference page", () => {
  it("answers 429 to a reader's 21st change in an hour, but never to an unsubscription", async () => {
    const { post, topics, states, status, get } = await newReader();
    const save = () => post([["do", "save"], ...shown(topics)]);
    for (let n = 0; n < 20; n += 1) expect((await save()).status).toBe(200);
    const refused = await save();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await get()).status).toBe(200);
    expect((await post([])).status).toBe(200); // the one click of a mail program
    expect((await states())[0]).toBe("unsubscribed");
    expect((await post([["do", "leave"]])).status).toBe(200);
    expect(await status()).toBe("unsubscribed");
  });

  it("shows a private topic only to people in it, and to those who left it there", async () => {
    const { path, subscriber, get, post, topics, states } = await newReader();
    const [a = "", b = "", c = ""] = topics;
    for (const id of topics)
      await owner.request("PATCH", `${path}/topics/${id}`, { visibility: "private" });
    const boxes = async (answer: Response) => {
      const text = await answer.text();
      return topics.filter((id) => text.includes(`name="on"\n                  value="${id}"`));
    };
    service.d1.reset();
    expect([await boxes(await get()), service.d1.roundTrips]).toEqual([[a, b], 1]);
    const all = topics.map((id): [string, string] => ["on", id]);
    const save = () => post([["do", "save"], ...shown(topics), ...all]);
    await save();
    expect(await states()).toEqual(["subscribed", "subscribed", null]);
    const left = await (await post([])).text(); // the one click of a mail program
    expect(left).toContain(`name="topic" value="${a}"`);
    expect(left).not.toContain(c);
    await post([["do", "save"], ...shown([a, b]), ["on", a], ["on", b]]);
    expect(await states()).toEqual(["subscribed", "subscribed", null]);
    await owner.put(`${path}/subscribers/${subscriber}/topics`, { [b]: "unsubscribed" });
    expect(await boxes(await get())).toEqual([a]);
    await save();
    expect(await states()).toEqual(["subscribed", "unsubscribed", null]);
  });

  it("shows the topics and no other data, changes nothing, and costs one round trip", async () => {
    const { link, email, get, post, topics, states, status } = await newReader();
    const [a = "", b = ""] = topics;
    await post([["do", "save"], ...shown(topics), ["on", a]]);
    await post([["do", "save"], ...shown([a, b]), ["on", a], ["on", b]]);
    service.d1.reset();
    const answer = await get();
    expect([answer.status, service.d1.roundTrips]).toEqual([200, 1]);
    const text = await answer.text();
    expect(text).toContain("<h1>Your emails from Acme</h1>");
    expect(text.match(/<input[^>]*type="checkbox"[^>]*checked/g)).toHaveLength(2);
    expect(text.match(/<input[^>]*type="checkbox"/g)).toHaveLength(3);
    for (const words of [email, "&lt;i&gt;x&lt;/i&gt;"]) expect(text).toContain(words);
    expect(text).not.toMatch(/<script|<i>x|Rita|plan|pro&lt;|203\.0\.113|<a |\/data/);
    await service.fetch(link, { method: "HEAD" });
    expect([await states(), await status()]).toEqual([
      ["subscribed", "subscribed", null],
      "active",
    ]);
  });

  it("has the strict headers of the unsubscribe page", async () => {
    const { get } = await newReader();
    const { headers } = await get();
    const other = await service.fetch(`/unsubscribe/${crypto.randomUUID()}/${crypto.randomUUID()}`);
    for (const name of [
      "Content-Security-Policy",
      "Referrer-Policy",
      "Cache-Control",
      "X-Robots-Tag",
    ])
      expect([name, headers.get(name)]).toEqual([name, other.headers.get(name)]);
    expect(headers.get("Content-Security-Policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
  });

  it.each(LANGUAGES)("uses the language of the project: %s", async (language) => {
    const { get, link } = await newReader({ language }, "Käse & Söhne");
    const text = await (await get()).text();
    const { preferences, data } = wordsOf(language);
    expect(text).toContain(`<html lang="${language}">`);
    expect(text).toContain(preferences.title.replace("{project}", "Käse &amp; Söhne"));
    expect(text).toContain(data.button);
    const unknown = await service.fetch(`${link}x`, {
      headers: { "Accept-Language": `${language}-XX` },
    });
    expect(await unknown.text()).toContain(wordsOf(language).faults.unknownLink);
  });

  it("saves the choice with its evidence, and undoes it", async () => {
    const { topics, post, states, history } = await newReader();
    const [a = "", , c = ""] = topics;
    const saved = await post([["do", "save"], ...shown(topics), ["on", a], ["on", c]]);
    const text = await saved.text();
    expect(text).toContain(wordsOf("en").preferences.saved);
    expect(await states()).toEqual(["subscribed", "unsubscribed", "subscribed"]);
    const proof = { by: "page", ip_address: "203.0.113.9", user_agent: "Reader/1.0" };
    expect(await history()).toEqual([
      { topic_name: "B", action: "unsubscribed", ...proof },
      { topic_name: "C", action: "subscribed", ...proof, user_agent: "" },
    ]);
    const [, undo = ""] = /<form method="post">([^]*?)<\/form>/.exec(text) ?? [];
    const fields = [...undo.matchAll(/name="(\w+)" value="([^"]*)"/g)];
    const undone = await post(fields.map(([, name = "", value = ""]) => [name, value]));
    expect(await undone.text()).toContain(wordsOf("en").preferences.undone);
    expect(await states()).toEqual(["subscribed", "subscribed", "unsubscribed"]);
  });

  it("does not change topics that it did not show, or those of other projects", async () => {
    const [mine, theirs] = [await newReader(), await newReader()];
    const [a = ""] = mine.topics;
    await mine.post([
      ["do", "save"],
      ...shown([a, ...theirs.topics]),
      ["on", theirs.topics[2] ?? ""],
    ]);
    expect(await mine.states()).toEqual(["unsubscribed", "subscribed", null]);
    expect(await theirs.states()).toEqual(["subscribed", "subscribed", null]);
    const foreign = "select * from topic_consents where topic_id = ? and subscriber_id = ?";
    expect(await allRows(foreign, theirs.topics[2], mine.subscriber)).toEqual([]);
  });

  it.each([
    ["as a form", "List-Unsubscribe=One-Click", FORM],
    [
      "in parts",
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--',
      "multipart/form-data; boundary=x",
    ],
    ["without a body", "", FORM],
  ])("unsubscribes from the mail's topic by one click %s", async (_how, body, type) => {
    const { link, states, status, history } = await newReader();
    const send = () =>
      service.fetch(link, { method: "POST", body, headers: { "Content-Type": type, ...FROM } });
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    expect([await states(), await status()]).toEqual([
      ["unsubscribed", "subscribed", null],
      "active",
    ]);
    expect(await history()).toMatchObject([{ topic_name: "A", by: "one_click" }]);
  });

  it("unsubscribes from everything, undoes it, and later subscribes again", async () => {
    const { post, states, status, history } = await newReader();
    await post([["do", "leave"]]);
    expect(await status()).toBe("unsubscribed");
    now += 1_000;
    await post([
      ["do", "undo"],
      ["at", String(T0)],
    ]);
    now += 1_000;
    expect([await status(), await states()]).toEqual([
      "active",
      ["subscribed", "subscribed", null],
    ]);
    await post([["do", "leave"]]);
    now = T0 + 3 * DAY_MS;
    await post([
      ["do", "undo"],
      ["at", String(T0)],
    ]);
    expect(await status()).toBe("unsubscribed");
    const back = await post([["do", "return"]]);
    expect(await back.text()).toContain("is subscribed again");
    expect([await status(), (await history()).map(({ action }) => action)]).toEqual([
      "active",
      ["unsubscribed", "subscribed", "unsubscribed", "subscribed"],
    ]);
  });

  it("requires a confirmation to resubscribe with double opt-in, with one mail in ten minutes", async () => {
    const { post, status, subscriber } = await newReader({ double_opt_in: true });
    await post([["do", "leave"]]);
    now += 3 * DAY_MS;
    const answers = await Promise.all(Array.from({ length: 8 }, () => post([["do", "return"]])));
    await post([["do", "confirm"]]);
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(200));
    expect(await status()).toBe("pending");
    const mails = "select data from pending_mails where subscriber_id = ?";
    expect(await allRows(mails, subscriber)).toEqual([{ data: '{"confirm":"none"}' }]);
    now += 10 * 60_000;
    await post([["do", "confirm"]]);
    expect(await allRows(mails, subscriber)).toHaveLength(2);
  });

  it("sends no second confirmation to an unsubscribed reader", async () => {
    const { post, status, subscriber } = await newReader({ double_opt_in: true });
    await post([["do", "leave"]]);
    expect((await post([["do", "confirm"]])).status).toBe(200);
    const mails = await allRows("select id from pending_mails where subscriber_id = ?", subscriber);
    expect([await status(), mails]).toEqual(["unsubscribed", []]);
  });

  it("confirms an undo only after a press that undid something", async () => {
    const { post, status } = await newReader();
    const { undone, isLeft } = wordsOf("en").preferences;
    const press = async (...fields: [string, string][]) => (await post(fields)).text();
    const undo = (at?: number) =>
      press(["do", "undo"], ...(at === undefined ? [] : [["at", String(at)] as [string, string]]));
    expect(await undo()).not.toContain(undone);
    expect(await press(["do", "save"], ["undo", "1"])).not.toContain(undone);
    await post([["do", "leave"]]);
    const [, gone = "…"] = isLeft.split("{email}");
    for (const at of [undefined, 0, T0 - 1]) {
      const text = await undo(at);
      expect([at, text.includes(undone), text.includes(gone)]).toEqual([at, false, true]);
    }
    expect(await status()).toBe("unsubscribed");
    expect(await undo(T0)).toContain(undone);
    expect(await undo(T0)).toContain(undone); // a double press
    expect(await status()).toBe("active");
  });

  it("emails a link to a pending reader who resubscribes, even without double opt-in", async () => {
    const { post, path, subscriber, status } = await newReader();
    await owner.request("PATCH", `${path}/subscribers/${subscriber}`, { status: "pending" });
    const text = await (await post([["do", "return"]])).text();
    expect(text).toContain("We are sending an email");
    const mails = await allRows(
      "select data from pending_mails where subscriber_id = ?",
      subscriber,
    );
    expect([mails, await status()]).toEqual([[{ data: '{"confirm":"none"}' }], "pending"]);
  });

  it("reports a mail on its way if the reader resubscribes again within ten minutes", async () => {
    const { post, subscriber, status } = await newReader({ double_opt_in: true });
    const { mailSent, mailSentBefore } = wordsOf("en").preferences;
    const press = async (action: string) => (await post([["do", action]])).text();
    const isSent = async (action: string) => {
      const text = await press(action);
      const says = (words: string) => text.includes(words.split("{email}")[1] ?? "");
      return [says(mailSent), says(mailSentBefore)];
    };
    await press("leave");
    expect(await isSent("return")).toEqual([true, false]);
    now += 60_000;
    await press("leave");
    expect(await isSent("return")).toEqual([false, true]);
    expect(await isSent("confirm")).toEqual([false, true]);
    const owed = "select 1 from pending_mails where subscriber_id = ?";
    expect([await status(), (await allRows(owed, subscriber)).length]).toEqual(["pending", 1]);
    now += 10 * 60_000;
    expect(await isSent("confirm")).toEqual([true, false]);
  });

  it("stores at most a hundred events by links, however often the buttons are pressed", async () => {
    const { topics, post, subscriber } = await newReader();
    const [a = ""] = topics;
    const press = (on: [string, string][]) => post([["do", "save"], ["topic", a], ...on]);
    await press([]);
    await allRows(
      `with recursive n(i) as (select 10 union all select i + 1 from n where i < 99)
      insert into consent_events
      select project_id, subscriber_id, substr(id, 1, 34) || i, topic_id, topic_name, action, by, at,
        ip_address, user_agent, form_text
      from consent_events, n where subscriber_id = ? and by = 'page'`,
      subscriber,
    );
    for (let n = 0; n < 7; n++) {
      await press([["on", a]]);
      await press([]);
    }
    const [row] = await allRows(
      "select count(*) filter (where by = 'page') as pages, count(*) as n from consent_events where subscriber_id = ?",
      subscriber,
    );
    expect(row).toEqual({ pages: 100, n: 102 }); // the two consents that the project stated stay
  });
});

describe("the link to the preferences", () => {
  it("is rejected without querying the database if it is forged", async () => {
    const { link, id, subscriber, email } = await newReader();
    const [payload = "", mac = ""] = (link.split("/").at(-1) ?? "").split(".");
    const other = `${payload.startsWith("A") ? "B" : "A"}${payload.slice(1)}`;
    const deps = await service.deps();
    const confirm = await confirmationUrl(deps, id, { id: subscriber, email }, "none");
    const tokens = [
      `${other}.${mac}`,
      payload,
      `${payload}.`,
      `${payload}.${mac}.x`,
      `${payload}.${mac.slice(1)}`,
      confirm.split("/").at(-1),
      "x",
    ];
    service.d1.reset();
    for (const token of tokens)
      for (const method of ["GET", "POST"]) {
        const { status } = await service.fetch(`/preferences/${token}`, { method });
        expect([token, method, status]).toEqual([token, method, 404]);
      }
    expect(service.d1.roundTrips).toBe(0);
  });

  it("can only unsubscribe, and sends no data, once the subscriber's address has changed", async () => {
    const reader = await newReader();
    const { path, subscriber, email, topics, get, post, states, status } = reader;
    await owner.request("PATCH", `${path}/subscribers/${subscriber}`, { email: `new-${email}` });
    const text = await (await get()).text();
    expect(text).toContain(wordsOf("en").preferences.otherAddress);
    for (const secret of [email, wordsOf("en").data.button]) expect(text).not.toContain(secret);
    expect((await service.fetch(await reader.dataLink())).status).toBe(404);
    const [, b = "", c = ""] = topics;
    const choice = [["do", "save"], ...shown(topics), ["on", b]] as [string, string][];
    const saved = await (await post(choice)).text();
    expect(saved).toContain(wordsOf("en").preferences.saved);
    expect(saved).not.toContain(`<button class="quiet">${wordsOf("en").preferences.undo}`);
    const more = await (await post([...choice, ["on", c]])).text();
    expect(more).not.toContain(wordsOf("en").preferences.saved);
    expect(await states()).toEqual(["unsubscribed", "subscribed", null]);
    await post([["do", "leave"]]);
    for (const action of ["undo", "return", "confirm", "data"])
      expect(
        (
          await post([
            ["do", action],
            ["at", String(T0)],
          ])
        ).status,
      ).toBe(400);
    expect([await status(), await reader.pending()]).toEqual(["unsubscribed", []]);
  });

  it("returns a page in every case: deleted, too large, or another form", async () => {
    const { path, subscriber, post, get } = await newReader();
    expect((await post([["do", "sudo"]])).status).toBe(400);
    const large = await post([["do", "x".repeat(17_000)]]);
    expect([large.status, await large.text()]).toEqual([413, expect.stringContaining("<h1>")]);
    await owner.delete(`${path}/subscribers/${subscriber}`);
    const gone = await get();
    expect([gone.status, await gone.text()]).toEqual([404, expect.stringContaining("<h1>")]);
  });
});

describe("the mail with the link to the data", () => {
  const FIELDS: [string, string][] = [["do", "data"]];

  /** Sends the mail that waits for a reader, and reads it. */
  async function mailed({ id, email }: Awaited<ReturnType<typeof newReader>>) {
    await runSender(env.PROJECT_SENDER, id, await service.deps());
    const { raw } = await waitForMessage(email);
    const { text = "", html = "", subject, headers } = await PostalMime.parse(raw);
    const [link = ""] = /http\S*\/preferences\/[\w.-]+\/data/.exec(text) ?? [];
    return { text, html, subject, headers, link };
  }

  it("goes to the reader's own address, even after unsubscribing, and its link works for an hour", async () => {
    const reader = await newReader();
    const { email, post } = reader;
    await post([["do", "leave"]]);
    const answer = await post(FIELDS);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain(wordsOf("en").data.asked.replace("{email}", email));
    const { link, html, headers } = await mailed(reader);
    expect(html).toContain(`href="${link}"`); // not tracked: a tracked link would store the token
    expect(html).not.toMatch(/\/[tc]\/|\/unsubscribe\/|Rita/);
    expect(headers.map(({ key }) => key)).not.toContain("list-unsubscribe");
    now = T0 + HOUR_MS - 1;
    const data = await service.fetch(link);
    expect([data.status, await data.json()]).toMatchObject([200, { subscriber: { email } }]);
    now = T0 + HOUR_MS;
    service.d1.reset();
    const late = await service.fetch(link);
    expect([late.status, service.d1.roundTrips]).toEqual([404, 0]);
    const text = await late.text();
    expect(text).toContain(wordsOf("en").data.expiredHint);
    expect(text).not.toContain(email);
  });

  it.each(LANGUAGES)("uses the language of the project: %s", async (language) => {
    const reader = await newReader({ language });
    await reader.post(FIELDS);
    const { subject, text, html, link } = await mailed(reader);
    const { data, copyLink } = wordsOf(language).mails;
    expect(subject).toBe(data.subject.replace("{project}", "Acme"));
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain(copyLink);
    for (const words of [data.button, data.expiry, data.ignore, link])
      expect(text).toContain(words);
    expect(`${text}${html}`).not.toMatch(/\{\w+\}/);
  });

  it("rejects any other token, without querying the database", async () => {
    const { id, link, subscriber, email, dataLink } = await newReader();
    const deps = await service.deps();
    const own = await dataLink();
    const token = own.split("/").at(-2) ?? "";
    const [payload = "", mac = ""] = token.split(".");
    const confirm = await confirmationUrl(deps, id, { id: subscriber, email }, "none");
    service.d1.reset();
    for (const forged of [
      link.split("/").at(-1), // that of the page, which is in every newsletter
      confirm.split("/").at(-1),
      `${payload.startsWith("A") ? "B" : "A"}${payload.slice(1)}.${mac}`,
      payload,
      `${token}.x`,
    ])
      expect([forged, (await service.fetch(`/preferences/${forged}/data`)).status]).toEqual([
        forged,
        404,
      ]);
    expect((await service.fetch(`/preferences/${token}`)).status).toBe(404);
    expect(service.d1.roundTrips).toBe(0);
    expect((await service.fetch(own)).status).toBe(200);
  });

  it("is sent at most three times a day, with the same response to every press", async () => {
    const [reader, other] = [await newReader(), await newReader()];
    const first = await (await reader.post(FIELDS)).text();
    for (let n = 1; n < 5; n += 1) {
      const answer = await reader.post(FIELDS);
      expect([answer.status, await answer.text()]).toEqual([200, first]);
    }
    expect(await reader.pending()).toMatchObject(
      Array.from({ length: 3 }, () => ({ data: '{"link":"data"}' })),
    );
    await other.post(FIELDS);
    expect(await other.pending()).toHaveLength(1);
  });

  it("is never sent to a suppressed address, with the same response", async () => {
    const { id, path, email, post, pending } = await newReader();
    const before = await (await post(FIELDS)).text();
    await owner.post(`${path}/suppressions`, { emails: [email] });
    const answer = await post(FIELDS);
    expect([answer.status, await answer.text()]).toEqual([200, before]);
    const mails = await pending();
    expect(mails.length).toBeGreaterThan(0);
    await allRows("update pending_mails set attempts = 1 where id = ?", mails[1]?.["id"]); // no pause
    await runSender(env.PROJECT_SENDER, id, await service.deps());
    expect([await pending(), await receivedMessages(email)]).toEqual([[], []]);
  });

  it("contains the address's export as JSON, without other people's data and query strings", async () => {
    const { id: projectId, email, subscriber, dataLink } = await newReader();
    const link = await dataLink();
    const deps = await service.deps();
    const copies = [{ email: "boss@any.test", status: "failed", error: "no such user" }];
    const entries = [
      logEntry(projectId, { toEmail: email, subscriberId: subscriber, copies, sentAt: T0 }),
      logEntry(projectId, { toEmail: email, subject: "Your order", sentAt: T0 + 1 }),
      logEntry(projectId, { toEmail: "someone@any.test", subject: "Not yours", sentAt: T0 }),
    ];
    await runBatch(deps.db, appendLog(deps, projectId, entries));
    const [mine] = entries;
    await recordEvents(deps, [trackingEvent("click", mine?.id ?? "", T0 + 60_000)]);
    const whole = await (await service.fetch(link)).text();
    expect(whole).not.toMatch(/boss@|someone@|Not yours|192\.0\.2\.7|Firefox/u);
    const parsed = JSON.parse(whole) as Record<string, object[]>;
    expect(parsed).toMatchObject({
      suppression: null,
      is_complete: true,
      mails: [
        { subject: "Your order", to_email: email, clicks: [] },
        { id: mine?.id, clicks: [{ url: "https://shop.test/a" }] },
      ],
    });
    const data = await service.fetch(link);
    expect(data.headers.get("Content-Disposition")).toBe('attachment; filename="data.json"');
    expect(data.headers.get("Cache-Control")).toContain("no-store");
    expect(await data.json()).toMatchObject({
      subscriber: { email, name: "Rita", metadata: { plan: "<b>pro</b>" } },
      consents: {
        topics: [{ name: "A", state: "subscribed" }, { name: "B" }, { name: "C", state: null }],
        history: [{ by: "member" }, { by: "member" }],
      },
    });
    const others = await newReader();
    for (let n = 2; n < 10; n += 1) await (await service.fetch(link)).text();
    const refused = await service.fetch(link);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("Retry-After")).toMatch(/^3[56]\d\d$/); // the hour that has begun
    expect((await service.fetch(await others.dataLink())).status).toBe(200);
  });
});
