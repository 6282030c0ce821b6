/* The export of a whole project (API reference §9.8). */
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { HttpEnv } from "../../../src/http/http-env.ts";
import { streamZip } from "../../../src/http/stream-zip.ts";
import { readZip } from "../../../src/lib/read-zip.ts";
import { newFullProject } from "../../support/transfer-world.ts";
import { allRows, insertSubscriber } from "../../support/rows.ts";
import { createService, type Client } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();

async function filesOf(id: string, client: Client = owner) {
  const response = await service.fetch(`/api/v1/projects/${id}/export`, {
    headers: { Cookie: client.cookie },
  });
  const zip = new Uint8Array(await response.arrayBuffer());
  const files: Record<string, string> = {};
  const bounds = { entryBytes: 10_000_000, totalBytes: 50_000_000, entries: 1_000, ratio: 50 };
  async function* chunks() {
    yield zip;
  }
  for await (const { name, bytes } of readZip(chunks(), bounds))
    files[name] = new TextDecoder().decode(bytes);
  return { response, files };
}

const lines = (text = "") =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("GET /projects/{id}/export", () => {
  it("returns a zip of every kind of row, without secrets, and records it in the audit trail", async () => {
    const project = await newFullProject(service, owner);
    const { response, files } = await filesOf(project.id);
    expect(response.headers.get("Content-Type")).toBe("application/zip");
    expect(response.headers.get("Content-Disposition")).toBe('attachment; filename="project.zip"');
    const kinds = {
      suppressions: 1,
      templates: 1,
      template_versions: 1,
      topics: 1,
      subscribers: 3,
      topic_consents: 1,
      consent_events: 1,
      segments: 1,
      broadcasts: 1,
      broadcast_variants: 2,
      mailings: 1,
      retries: 1,
      plans: 1,
      trials: 1,
      email_log: 3,
    };
    expect(JSON.parse(files["end.json"] ?? "")).toEqual({ rows: { ...kinds, drafts: 0 } });
    expect(Object.keys(files)).toEqual([
      "manifest.json",
      "project.json",
      ...Object.keys(kinds).map((kind) => `${kind}-00001.ndjson`),
      "end.json",
    ]);
    for (const [kind, count] of Object.entries(kinds))
      expect(lines(files[`${kind}-00001.ndjson`])).toHaveLength(count);
    const [ann] = lines(files["subscribers-00001.ndjson"]);
    expect(ann).toMatchObject({
      id: project.ann,
      email: "ann@list.test",
      metadata: { city: "Ö\u2028\"'", n: 1, list: ["a", null], source: "web" },
      tags: ["vip"],
    });
    expect(ann).not.toHaveProperty("project_id");
    expect(JSON.parse(files["manifest.json"] ?? "")).toMatchObject({
      format: "postrider.project",
      version: 1,
      project_id: project.id,
    });
    expect(JSON.parse(files["project.json"] ?? "")).toMatchObject({
      name: "Test project",
      smtp_host: "127.0.0.1",
    });
    const everything = Object.values(files).join("");
    expect(everything).not.toContain(project.secret);
    expect(everything).not.toMatch(/sealed|password|mailgun|sk_/iu);
    const noted = await allRows(
      "select action from audit_entries where scope_id = ? and action = 'project.export'",
      project.id,
    );
    expect(noted).toHaveLength(1);
  });

  it("reads pages and splits files, so that each row appears once", async () => {
    const { id } = await owner.newProject();
    const metadata = JSON.stringify({ text: "x".repeat(700) });
    await insertSubscriber("first", id);
    await allRows(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 2600)
      insert into subscribers (id, project_id, email, name, status, metadata, source, subscribed_at, created_at, updated_at)
      select 'bulk-' || i || ?, ?, 'bulk' || i || '@any.test', '', 'active', ?, '', 1, 1, 1 from n`,
      id,
      id,
      metadata,
    );
    const { files } = await filesOf(id);
    const parts = Object.keys(files).filter((name) => name.startsWith("subscribers-"));
    expect(parts).toEqual([
      "subscribers-00001.ndjson",
      "subscribers-00002.ndjson",
      "subscribers-00003.ndjson",
    ]);
    const rows = parts.flatMap((name) => lines(files[name]));
    expect(new Set(rows.map(({ email }) => email)).size).toBe(2_601);
    expect(rows).toHaveLength(2_601);
  });

  it("contains each subscriber once, although addresses and statuses change concurrently, for two rows read", async () => {
    const { id } = await owner.newProject();
    await insertSubscriber("zoe", id);
    await allRows(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000)
      insert into subscribers (id, project_id, email, name, status, metadata, source, subscribed_at, created_at, updated_at)
      select printf('p%04d', i) || ?1, ?1, 'p' || i || '@any.test', '', iif(i % 3 = 0, 'pending', 'active'), '{}', '', 1, 1, 1 from n`,
      id,
    );
    let pages = 0;
    service.d1.before = async (statements) => {
      if (!statements.some((text) => text.includes("from subscribers"))) return;
      pages += 1;
      if (pages !== 2) return;
      service.d1.before = undefined;
      await allRows("update subscribers set email = 'a@any.test' where id = 'zoe'");
      await allRows(
        "update subscribers set status = iif(status = 'active', 'unsubscribed', 'active') where project_id = ?",
        id,
      );
      service.d1.reset();
    };
    const { files } = await filesOf(id);
    expect(service.d1.rowsRead).toBeLessThan(2 * 501 + 100);
    const ids = lines(files["subscribers-00001.ndjson"]).map((row) => row["id"]);
    expect(ids).toHaveLength(3_001);
    expect(new Set(ids).size).toBe(3_001);
    expect(ids).toContain("zoe");
  });

  it("also contains suppressions added while it was written, so none of its subscribers lacks one", async () => {
    const { id, path } = await newFullProject(service, owner);
    service.d1.before = async (statements) => {
      if (!statements.some((text) => text.includes("from log_entries"))) return;
      service.d1.before = undefined;
      await owner.post(`${path}/suppressions`, { emails: ["ann@list.test"], reason: "manual" });
      // Of a write that began before the export, or of a worker whose clock is behind.
      await allRows(
        "update suppressions set created_at = created_at - 30000 where project_id = ? and email = 'ann@list.test'",
        id,
      );
    };
    const { files } = await filesOf(id);
    const suppressed = Object.entries(files).flatMap(([name, text]) =>
      name.startsWith("suppressions-") ? lines(text).map(({ email }) => email) : [],
    );
    expect(suppressed).toEqual(["gone@list.test", "ann@list.test"]);
    expect(JSON.parse(files["end.json"] ?? "")).toMatchObject({ rows: { suppressions: 2 } });
  });

  it("is 500 if the service fails in the first 64 KiB, and breaks off if it fails later", async () => {
    async function* files(count: number) {
      for (let n = 0; n < count; n++)
        yield { name: `${n}.bin`, bytes: crypto.getRandomValues(new Uint8Array(20_000)) };
      throw new Error("the database is away");
    }
    const app = new Hono<HttpEnv>();
    app.get("/:count", (c) => streamZip(c, "project", files(Number(c.req.param("count")))));
    app.onError((_, c) => c.body(null, 500));
    expect((await app.request("/2")).status).toBe(500);
    const long = await app.request("/4");
    expect(long.status).toBe(200);
    await expect(long.arrayBuffer()).rejects.toThrow("the database is away");
  });

  it("creates a file of the zip when the caller has read the previous one, and buffers no more", async () => {
    let made = 0;
    async function* files() {
      for (; made < 20; made++)
        yield { name: `${made}.bin`, bytes: crypto.getRandomValues(new Uint8Array(60_000)) };
    }
    const app = new Hono<HttpEnv>();
    app.get("/", (c) => streamZip(c, "project", files()));
    const { body } = await app.request("/");
    if (!body) throw new Error("no body");
    const reader = body.getReader();
    await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(made).toBeLessThan(3);
    let bytes = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read())
      bytes += part.value.length;
    expect([made, bytes > 20 * 60_000]).toEqual([20, true]);
  });
});
