/* The export of a whole project (API reference §9.8). */
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { HttpEnv } from "../../../src/http/http-env.ts";
import { streamParts } from "../../../src/http/stream-parts.ts";
import { linesOf, rowsOfKind, transferFiles } from "../../support/transfer-files.ts";
import { newFullProject } from "../../support/transfer-world.ts";
import { allRows, insertSubscriber } from "../../support/rows.ts";
import { createService } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();
const { exportOf } = transferFiles(service, owner);

describe("GET /projects/{id}/export", () => {
  it("returns gzipped lines of every kind, without secrets, and records it in the audit trail", async () => {
    const project = await newFullProject(service, owner);
    const response = await service.fetch(`/api/v1/projects/${project.id}/export`, {
      headers: { Cookie: owner.cookie },
    });
    expect(response.headers.get("Content-Type")).toBe("application/gzip");
    expect(response.headers.get("Content-Disposition")).toBe(
      'attachment; filename="project.ndjson.gz"',
    );
    const lines = linesOf(new Uint8Array(await response.arrayBuffer()));
    const kinds = {
      export: 1,
      suppressions: 1,
      topics: 1,
      topic_consents: 1,
      consent_events: 1,
      templates: 1,
      template_versions: 1,
      saved_blocks: 1,
      imports: 1,
      subscribers: 3,
      segments: 1,
      fields: 1,
      forms: 1,
      automations: 1,
      broadcasts: 1,
      broadcast_variants: 2,
      mailings: 1,
      events: 1,
      email_log: 3,
      settings: 1,
      mail_settings: 1,
      end: 1,
    };
    expect(lines.flatMap((line) => Object.keys(line))).toEqual(
      Object.entries(kinds).flatMap(([kind, count]) => Array<string>(count).fill(kind)),
    );
    expect(lines.at(-1)).toEqual({ end: { lines: lines.length } });
    const ann = rowsOfKind(lines, "subscribers").find(({ id }) => id === project.ann);
    expect(ann).toMatchObject({
      email: "ann@list.test",
      metadata: { city: "Ö\u2028\"'", n: 1, list: ["a", null], source: "web" },
      tags: ["vip"],
    });
    expect(ann).not.toHaveProperty("project_id");
    expect(lines[0]).toMatchObject({
      export: { format: "postrider.project", version: 2, project: "Test project" },
    });
    const everything = JSON.stringify(lines);
    expect(everything).not.toContain(project.secret);
    expect(everything).not.toMatch(/sealed|password|mailgun|sk_/iu);
    const noted = await allRows(
      "select action from audit_entries where scope_id = ? and action = 'project.export'",
      project.id,
    );
    expect(noted).toHaveLength(1);
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
    const rows = rowsOfKind(await exportOf(id), "subscribers");
    expect(pages).toBe(2);
    expect(service.d1.rowsRead).toBeLessThan(2 * 501 + 100);
    const ids = rows.map((row) => row["id"]);
    expect(ids).toHaveLength(3_001);
    expect(new Set(ids).size).toBe(3_001);
    expect(ids).toContain("zoe");
  });

  const noise = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

  it("is 500 if the service fails in the first 64 KiB, and breaks off if it fails later", async () => {
    async function* parts(count: number) {
      for (let n = 0; n < count; n++) yield noise(20_000);
      throw new Error("the database is away");
    }
    const app = new Hono<HttpEnv>();
    app.get("/:count", async (c) =>
      c.body(await streamParts("project", parts(Number(c.req.param("count"))))),
    );
    app.onError((_, c) => c.body(null, 500));
    expect((await app.request("/2")).status).toBe(500);
    const long = await app.request("/4");
    expect(long.status).toBe(200);
    await expect(long.arrayBuffer()).rejects.toThrow("the database is away");
  });

  it("makes a part of the file when the caller has read the previous one, and buffers no more", async () => {
    let made = 0;
    async function* parts() {
      for (; made < 20; made++) yield noise(60_000);
    }
    const reader = (await streamParts("project", parts())).getReader();
    await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(made).toBeLessThan(3);
    let bytes = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read())
      bytes += part.value.length;
    expect([made, bytes]).toEqual([20, 19 * 60_000]);
  });
});
