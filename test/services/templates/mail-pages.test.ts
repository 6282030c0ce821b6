import { expect, it } from "vitest";
import { createService } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();
const project = await owner.newProject();
const path = `/projects/${project.id}`;

const page = (of: string, session = owner.cookie) =>
  service.fetch(`/api/v1${path}${of}`, { headers: { Cookie: session } });
const made = async (of: string, body: object) =>
  String((await owner.post(`${path}${of}`, body)).body["id"]);

const HTML = "<p>Hello {{#if name}}{{name}}{{else}}there{{/if}}</p><script>alert(1)</script>";

it("shows a template as a page without data, which runs nothing", async () => {
  const id = await made("/templates", { name: "One", html_body: HTML });
  const answer = await page(`/templates/${id}/page`);
  expect(answer.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(answer.headers.get("Content-Security-Policy")).toMatch(/^sandbox.*default-src 'none'/);
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
  expect(await answer.text()).toContain("<p>Hello there</p>");
  const kept = await page(`/templates/${id}/page?version=1`);
  expect(kept.headers.get("Cache-Control")).toBe("private, max-age=86400, immutable");
  await kept.text();
});

it("shows the email of a broadcast: its own, or that of its template while it is a draft", async () => {
  const template_id = await made("/templates", { name: "Two", html_body: "<p>Of a template</p>" });
  const own = await made("/broadcasts", { name: "Own", html_body: "<p>Own</p>" });
  const borrowed = await made("/broadcasts", { name: "Borrowed", template_id });
  expect(await (await page(`/broadcasts/${own}/page`)).text()).toContain("<p>Own</p>");
  expect(await (await page(`/broadcasts/${borrowed}/page`)).text()).toContain("Of a template");
});

it("keeps the mails of a project from others, and errors out of the cache", async () => {
  const id = await made("/templates", { name: "Three", html_body: HTML });
  const other = await service.newOwner();
  const answer = await page(`/templates/${id}/page?version=1`, other.cookie);
  expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([403, "no-store"]);
  await answer.text();
});
