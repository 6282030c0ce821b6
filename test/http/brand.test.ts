/* The brand of a project: its setting, and the mails and pages that show it (API reference §9.11). */
import { createHash } from "node:crypto";
import { env } from "cloudflare:test";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { contrastOf } from "../../src/lib/colors.ts";
import { preferencesUrl } from "../../src/services/tracking/index.ts";
import { waitForMessage } from "../support/mailbox.ts";
import { runSender } from "../support/project-objects.ts";
import { CAPTURING, createService, unique, type Service } from "../support/service.ts";

const WAKE_QUEUE = { sendBatch: async () => {} } as unknown as Service["env"]["WAKE_QUEUE"];
const service = createService({ WAKE_QUEUE });
const owner = await service.newOwner();

const BRAND = {
  logo_url: "https://cdn.acme.example/logo.png",
  logo_alt: 'The "Acme" works',
  logo_width: 120,
  accent: "#ffd400",
  accent_text: "#1a1a1a",
  background: "#0b1f3a",
  heading_font: "serif",
  text_font: "verdana",
  postal_address: "Acme & Sons, 1 Main Street",
  social: [{ label: "Mastodon", url: "https://social.example/@acme?a=1&b=2" }],
};

async function newProject(brand?: object) {
  const project = await owner.newProject(CAPTURING);
  const path = `/projects/${project.id}`;
  await owner.put(path, { name: "Acme" });
  const save = (change: object) => owner.request("PATCH", `${path}/brand`, change);
  if (brand) expect(await save(brand)).toMatchObject({ status: 200 });
  const made = await owner.post(`${path}/api-keys`, { name: "app", type: "sdk" });
  const key = service.withKey(String(made.body["key"]));
  const send = async (body: object) => {
    const to = `${unique("brand")}@any.test`;
    const sent = await key.post("/send", { to, ...body });
    expect(sent).toMatchObject({ status: 200 });
    const mail = await PostalMime.parse((await waitForMessage(to)).raw);
    return { html: mail.html ?? "", text: mail.text ?? "" };
  };
  return { ...project, path, key, save, send, read: () => owner.get(`${path}/brand`) };
}

const WELCOME = {
  template: "welcome",
  data: { product_name: "Acme", action_url: "https://a.example/" },
};

describe("PATCH /projects/{id}/brand", () => {
  it("keeps what it is given, and removes what is empty", async () => {
    const { save, read } = await newProject();
    const before = (await read()).body;
    expect(before).toMatchObject({ accent: "", logo_width: 160, social: [] });
    expect((await save(BRAND)).body).toEqual(BRAND);
    expect((await save({ accent: "#112233", accent_text: "" })).body).toEqual({
      ...BRAND,
      accent: "#112233",
      accent_text: "",
    });
    const all = Object.keys(BRAND).map((name) => [name, ""]);
    const cleared = { ...Object.fromEntries(all), logo_width: 160, social: [] };
    expect((await save(cleared)).body).toEqual(before);
  });

  it.each([
    ["accent", "#fff;}</style><script>", "not_color"],
    ["background", "red", "not_color"],
    ["heading_font", "constructor", "not_in_list"],
    ["text_font", "x;}", "not_in_list"],
    ["logo_url", "javascript:alert(1)", "not_web_url"],
    ["logo_url", "data:image/png;base64,AA==", "not_web_url"],
    ["logo_url", "https://a;script-src/x.png", "not_web_url"],
    ["logo_url", "https://user:secret@a.example/x.png", "not_web_url"],
    ["logo_url", "/logo.png", "not_web_url"],
    ["logo_url", "http://a.example/x.png", "not_https"],
    ["logo_url", `https://a.example/${"x".repeat(2_000)}`, "too_long"],
    ["logo_alt", "<b>", "markup"],
    ["logo_alt", "{{#each}}", "markup"],
    ["postal_address", "Street\r\nBcc: x@y.example", "control_characters"],
    ["postal_address", "x".repeat(201), "too_long"],
    ["logo_width", 5_000, "too_large"],
    ["social", [{ label: "X", url: "javascript:alert(1)" }], "not_web_url"],
    ["social", [{ label: "", url: "https://x.example/" }], "required"],
    ["social", Array.from({ length: 13 }, () => BRAND.social[0]), "too_many"],
  ])("refuses %s: %j with %s", async (name, value, code) => {
    const { save, read } = await newProject();
    const before = await read();
    const { status, body } = await save({ [name]: value });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(`"${code}"`)]);
    expect((await read()).body).toEqual(before.body);
  });

  it("refuses text that is hard to read on the accent, also if only the accent changes", async () => {
    const { save } = await newProject(BRAND);
    for (const change of [{ accent_text: "#ffffff" }, { accent: "#222222" }])
      expect(await save(change)).toMatchObject({
        status: 400,
        body: { details: [{ path: "accent_text", code: "low_contrast" }] },
      });
  });

  it("writes URLs without quotes and braces, and takes an image of this service", async () => {
    const { save } = await newProject();
    const given = `https://a.example/a"b'c?x={{y}}`;
    expect((await save({ logo_url: given })).body).toMatchObject({
      logo_url: "https://a.example/a%22b%27c?x=%7B%7By%7D%7D",
    });
    const { config } = await service.deps();
    expect((await save({ logo_url: `${config.baseUrl}/images/a.png` })).status).toBe(200);
  });

  it("moves with the project", async () => {
    const { path } = await newProject(BRAND);
    const headers = { Cookie: owner.cookie };
    const file = await service.fetch(`/api/v1${path}/export`, { headers });
    const copy = await owner.newProject();
    const done = await service.fetch(`/api/v1/projects/${copy.id}/import`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/gzip" },
      body: await file.arrayBuffer(),
    });
    expect(await done.json()).toMatchObject({ done: true });
    expect((await owner.get(`/projects/${copy.id}/brand`)).body).toEqual(BRAND);
  });
});

describe("a built-in mail", () => {
  it("has the look, the logo and the footer of the brand, in both parts", async () => {
    const { send } = await newProject(BRAND);
    const { html, text } = await send(WELCOME);
    expect(html).toContain(
      '<img src="https://cdn.acme.example/logo.png" alt="The &quot;Acme&quot; works" width="120"',
    );
    expect(html).toMatch(/class="button" style="background-color:#ffd400;/);
    expect(html).toMatch(/class="buttonLink" style="[^"]*;color:#1a1a1a;/);
    expect(html).toMatch(/<body class="page" style="[^"]*background-color:#0b1f3a;/);
    expect(html).toMatch(/class="heading" style="font-family:Georgia,/);
    expect(html).toMatch(/class="text" style="font-family:Verdana,/);
    expect(html).toContain("Acme &amp; Sons, 1 Main Street</p>");
    expect(html).toContain(">Mastodon</a>");
    expect(html).not.toMatch(/#2a57dc|\{\{/);
    expect(text).toContain("Acme & Sons, 1 Main Street");
    expect(text).toContain("Mastodon: https://social.example/@acme?a=1&b=2");
    const [, muted = ""] = /class="footer" style="[^"]*;color:(#[0-9a-f]{6})/.exec(html) ?? [];
    expect(contrastOf(muted, BRAND.background)).toBeGreaterThanOrEqual(4.5);
  });

  it("shows the logo and the address of a send instead", async () => {
    const { send } = await newProject(BRAND);
    const data = {
      ...WELCOME.data,
      logo_url: "https://b.example/b.png",
      company_address: "Elsewhere",
    };
    const { html, text } = await send({ ...WELCOME, data });
    expect([html.includes("b.example/b.png"), html.includes("cdn.acme")]).toEqual([true, false]);
    for (const part of [html, text]) {
      expect(part).toContain("Elsewhere");
      expect(part).not.toContain("Main Street");
    }
  });

  it("changes with the brand, and without one is as before", async () => {
    const { send, save } = await newProject();
    const plain = await send(WELCOME);
    await save({ accent: "#123456" });
    expect((await send(WELCOME)).html).toContain("background-color:#123456;");
    await save({ accent: "" });
    const after = await send(WELCOME);
    const own = (html: string) => html.replaceAll(/[\w-]+@any\.test|(?:href|src)="[^"]*"/g, "");
    expect(own(after.html)).toBe(own(plain.html));
  });

  it("is also a confirmation", async () => {
    const { id, path } = await newProject(BRAND);
    await owner.put(`${path}/audience-settings`, { double_opt_in: true, language: "de" });
    const email = `${unique("joins")}@any.test`;
    await service.anonymous.post(`${path}/waitlist`, { email });
    await runSender(env.PROJECT_SENDER, id, await service.deps());
    const { html = "" } = await PostalMime.parse((await waitForMessage(email)).raw);
    expect(html).toContain("/confirm/");
    for (const part of [BRAND.logo_url, "#ffd400", "1 Main Street"]) expect(html).toContain(part);
  });
});

describe("a public page", () => {
  /** Opens the preference page of a new subscriber, and the unsubscribe page. */
  async function open(brand?: object) {
    const { id: projectId, path } = await newProject(brand);
    const email = `${unique("reader")}@any.test`;
    const made = await owner.post(`${path}/subscribers`, { email });
    const id = String(made.body["id"]);
    const deps = await service.deps();
    const mail = { topicId: null, broadcastId: crypto.randomUUID() };
    const link = await preferencesUrl(deps, projectId, { id, email }, mail);
    const unsubscribe = `/unsubscribe/${projectId}/${id}`;
    const responses = [await service.fetch(link), await service.fetch(unsubscribe)];
    return Promise.all(
      responses.map(async (response) => ({
        html: await response.text(),
        policy: response.headers.get("Content-Security-Policy") ?? "",
      })),
    );
  }

  it("has the brand, with a policy of exactly its styles and the logo's origin", async () => {
    for (const { html, policy } of await open(BRAND)) {
      const styles = [...html.matchAll(/<style>([^]*?)<\/style>/g)].map(([, style = ""]) => style);
      expect(styles).toHaveLength(2);
      const hashes = styles.map(
        (style) => `'sha256-${createHash("sha256").update(style).digest("base64")}'`,
      );
      expect(policy).toBe(
        `default-src 'none'; style-src ${hashes.join(" ")}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; img-src https://cdn.acme.example`,
      );
      expect(html).toContain(
        '<img class="logo" src="https://cdn.acme.example/logo.png" alt="The &quot;Acme&quot; works" width="120" />',
      );
      expect(html).toMatch(/<footer class="foot">\s*Acme<br \/>Acme &amp; Sons, 1 Main Street/);
      const [light = "", dark = ""] = (styles[1] ?? "").split("@media");
      expect(light).toContain("--act:#ffd400;--on-act:#1a1a1a;");
      expect(light).toContain("--paper:#0b1f3a;");
      expect(dark).toContain("--paper:#0d1117;");
      const color = (sheet: string, name: string) =>
        new RegExp(`--${name}:(#[0-9a-f]{6})`).exec(sheet)?.[1] ?? "";
      expect(contrastOf(color(light, "link"), "#ffffff")).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(color(light, "foot"), BRAND.background)).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(color(dark, "link"), "#161b22")).toBeGreaterThanOrEqual(4.5);
    }
  });

  it("lightens a dark accent in the dark scheme", async () => {
    const [page] = await open({ accent: "#101040" });
    const dark = page?.html.split("prefers-color-scheme:dark").at(-1) ?? "";
    const [, act = "", ink = ""] = /--act:(#\w{6});--on-act:(#\w{6})/.exec(dark) ?? [];
    expect(contrastOf(act, "#161b22")).toBeGreaterThanOrEqual(4.5);
    expect(contrastOf(act, ink)).toBeGreaterThanOrEqual(4.5);
  });

  it("has no image, one style and no foot without a brand", async () => {
    for (const { html, policy } of await open()) {
      expect(html.match(/<style>/g)).toHaveLength(1);
      expect([html.includes("<img"), html.includes('class="foot"')]).toEqual([false, false]);
      expect(policy).not.toContain("img-src");
    }
  });
});
