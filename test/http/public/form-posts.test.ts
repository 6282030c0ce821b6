/* Plain HTML forms that post to `/join` and the waitlist (API reference §12.3, §17). */
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../src/lib/languages.ts";
import { wordsOf } from "../../../src/mail/words/index.ts";
import { allRows } from "../../support/rows.ts";
import { CAPTURING, createService, unique, type Service } from "../../support/service.ts";

const WAKE_QUEUE = { sendBatch: async () => {} } as unknown as Service["env"]["WAKE_QUEUE"];
const service = createService({ WAKE_QUEUE });
const owner = await service.newOwner();
const BROWSER = {
  Accept: "text/html,application/xhtml+xml,*/*;q=0.8",
  Origin: "https://shop.example",
  "Sec-Fetch-Site": "cross-site",
};
const URLENCODED = "application/x-www-form-urlencoded";

type Fields = Record<string, string> | [string, string][];

async function newList(settings: object = {}) {
  const { id } = await owner.newProject(CAPTURING);
  const path = `/projects/${id}`;
  await owner.put(`${path}/audience-settings`, settings);
  const keyOf = async (type: string) =>
    String((await owner.post(`${path}/api-keys`, { name: type, type })).body["key"]);
  const [pk, sdk] = [await keyOf("pk"), await keyOf("sdk")];
  const email = `${unique("posts")}@any.test`;
  const post = (at: string, body: BodyInit, headers: Record<string, string> = {}) =>
    service.fetch(`/api/v1${at}`, { method: "POST", redirect: "manual", body, headers });
  const urlencoded = (at: string, fields: Fields, headers = {}) =>
    post(at, new URLSearchParams(fields).toString(), { "Content-Type": URLENCODED, ...headers });
  return {
    id,
    path,
    pk,
    sdk,
    email,
    post,
    urlencoded,
    join: (fields: Fields, headers: object = BROWSER) =>
      urlencoded("/join", [["public_key", pk], ...pairsOf(fields)], headers),
    wait: (fields: Fields, headers: object = BROWSER) =>
      urlencoded(`${path}/waitlist`, fields, headers),
    topic: (name: string, more: object = {}) => owner.post(`${path}/topics`, { name, ...more }),
    people: () =>
      allRows("select email, status, metadata from subscribers where project_id = ?", id),
    topics: () =>
      allRows(
        `select t.name from topic_consents c join topics t on t.id = c.topic_id
          where t.project_id = ? order by t.name`,
        id,
      ),
  };
}

const pairsOf = (fields: Fields): [string, string][] =>
  Array.isArray(fields) ? fields : Object.entries(fields);

describe("a plain form", () => {
  it("joins by a public key in a field, with topics and metadata", async () => {
    const { join, email, topic, topics, people } = await newList();
    for (const name of ["News", "Offers", "Other"]) await topic(name);
    const answer = await join([
      ["email", email],
      ["topics", "News"],
      ["topics", "Offers"],
      ["metadata.city", "Bonn & Köln"],
      ["metadata.empty", ""],
      ["sendWelcomeEmail", "true"],
    ]);
    expect([answer.status, answer.headers.get("Location")]).toEqual([201, null]);
    expect(await topics()).toEqual([{ name: "News" }, { name: "Offers" }]);
    const [person] = await people();
    expect(person).toMatchObject({ email, status: "active" });
    expect(person?.["metadata"]).toBe('{"city":"Bonn & Köln"}');
  });

  it("gives the default topics unless it has the field, even if empty", async () => {
    const { join, topic, topics } = await newList();
    await topic("News", { is_default: true });
    const address = () => `${unique("posts")}@any.test`;
    await join({ email: address(), topics: "" });
    expect(await topics()).toEqual([]);
    await join({ email: address() });
    expect(await topics()).toEqual([{ name: "News" }]);
  });

  it("joins the waitlist, also as multipart", async () => {
    const { path, wait, post, email, pk, people } = await newList();
    expect((await wait({ email, template_id: "" })).status).toBe(200);
    const [one, other] = [`1${email}`, `2${email}`];
    const multipart = (at: string, fields: Record<string, string>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set("file", new File(["x"], "x.txt"));
      return post(at, form, BROWSER);
    };
    expect((await multipart(`${path}/waitlist`, { email: one })).status).toBe(200);
    expect((await multipart("/join", { email: other, public_key: pk })).status).toBe(201);
    const emails = new Set((await people()).map((person) => person["email"]));
    expect(emails).toEqual(new Set([email, one, other]));
    const broken = await post(`${path}/waitlist`, "--x\r\nbroken", {
      "Content-Type": "multipart/form-data; boundary=x",
    });
    expect([broken.status, await broken.json()]).toMatchObject([400, { code: "body_is_form" }]);
  });

  it.each(LANGUAGES)("gets a page of the project in %s", async (language) => {
    const { path, wait, join, email } = await newList({ language });
    await owner.request("PATCH", `${path}/brand`, {
      accent: "#aa0011",
      postal_address: "1 Main St",
    });
    const { form } = wordsOf(language);
    for (const [answer, status, title] of [
      [await join({ email }), 201, form.done],
      [await join({ email }), 409, form.known],
      [await wait({ email: `w${email}` }), 200, form.done],
      [await wait({ email: "nobody" }), 400, wordsOf(language).faults.failed],
    ] as const) {
      const html = await answer.text();
      expect([answer.status, answer.headers.get("Content-Type")]).toEqual([
        status,
        "text/html; charset=UTF-8",
      ]);
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).toContain(`<h1>${title}</h1>`);
      expect(html).toContain("1 Main St");
      expect(answer.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
      expect(answer.headers.get("Cache-Control")).toContain("no-store");
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
    }
  });

  it("is told to check the inbox with double opt-in, whether or not the address is known", async () => {
    const { wait, join, email, people } = await newList({ double_opt_in: true });
    for (const answer of [
      await join({ email: `j${email}` }),
      await wait({ email }),
      await wait({ email }),
    ])
      expect(await answer.text()).toContain("<h1>Check your inbox</h1>");
    expect((await people()).map(({ status }) => status)).toEqual(["pending", "pending"]);
  });

  it("gets every refusal as a page in the language of the browser, and a script gets JSON", async () => {
    const { urlencoded, wait, sdk, email, people } = await newList();
    const german = { ...BROWSER, "Accept-Language": "de" };
    const closed = "<h1>Dieses Formular ist geschlossen</h1>";
    const unknown = { public_key: `pk_${"x".repeat(43)}` };
    for (const key of [{}, unknown, { public_key: sdk }, { public_key: "pk_<b>" }]) {
      const answer = await urlencoded("/join", { email, ...key }, german);
      const html = await answer.text();
      expect([answer.status, html.includes(closed), html.includes("<b>")]).toEqual([
        401,
        true,
        false,
      ]);
    }
    const gone = await urlencoded(`/projects/${crypto.randomUUID()}/waitlist`, { email }, german);
    expect([gone.status, await gone.text()]).toEqual([404, expect.stringContaining(closed)]);
    const json = await wait({ email: "nobody" }, { Accept: "*/*" });
    expect([json.status, await json.json()]).toMatchObject([400, { code: "invalid_request" }]);
    const keyed = await urlencoded("/join", { email }, { Accept: "*/*" });
    expect([keyed.status, await keyed.json()]).toMatchObject([401, { success: false }]);
    const topics = await wait({ email, topics: "<b>" });
    const text = await topics.text();
    expect([topics.status, text.includes("&lt;b&gt;"), text.includes("<b>")]).toEqual([
      400,
      true,
      false,
    ]);
    expect(await people()).toEqual([]);
  });

  it("has the limits of JSON, and one page for them", async () => {
    const { wait, join, email } = await newList({ joins_per_day: 1 });
    expect((await wait({ email })).status).toBe(200);
    const later = await join({ email: `2${email}` });
    expect(later.status).toBe(429);
    expect(Number(later.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await later.text()).toContain("<h1>Please try again later</h1>");
    expect((await wait({ email, x: "x".repeat(65_536) })).status).toBe(413);
  });
});

describe("JSON for these routes", () => {
  it("keeps its answers, whatever its type says and a browser accepts", async () => {
    const { post, path, pk, email } = await newList();
    const body = JSON.stringify({ email, public_key: pk });
    const ask = async (at: string, headers: Record<string, string>) => {
      const answer = await post(at, body, { ...BROWSER, ...headers });
      expect(answer.headers.get("Content-Type")).toBe("application/json");
      const { code, data } = await answer.json<{ code?: string; data?: object }>();
      return [answer.status, code ?? data];
    };
    const json = { "Content-Type": "application/json" };
    const form = { "Content-Type": URLENCODED, Accept: "*/*" };
    const bearer = { Authorization: `Bearer ${pk}` };
    expect(await ask("/join", json)).toEqual([401, "authentication_required"]);
    expect(await ask("/join", form)).toEqual([401, "authentication_required"]);
    expect(await ask(`${path}/waitlist`, form)).toEqual([400, "wrong_content_type"]);
    const warnings = [expect.objectContaining({ path: "public_key" })];
    expect(await ask("/join", { ...form, ...bearer })).toEqual([
      201,
      { email, message: "subscribed", warnings },
    ]);
    expect(await ask("/join", { ...json, ...bearer })).toEqual([409, "subscriber_exists"]);
  });
});
