/* Lists as CSV (API reference §1.4): subscribers, suppressions and the log. */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { Hono } from "hono";
import type { HttpEnv } from "../../../src/http/http-env.ts";
import { streamCsv } from "../../../src/http/stream-csv.ts";
import { csvLine } from "../../../src/lib/csv.ts";
import { csvRecords } from "../../../src/lib/parse-csv.ts";
import type { ListPage } from "../../../src/lib/page.ts";
import { appendLog } from "../../../src/services/email-log/index.ts";
import { runBatch } from "../../../src/db/client.ts";
import { logEntry } from "../../support/log-entry.ts";
import { allRows } from "../../support/rows.ts";
import { createService } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();

async function newList() {
  const project = await owner.newProject();
  const path = `/projects/${project.id}/subscribers`;
  const csv = async (at: string, headers: Record<string, string> = { Cookie: owner.cookie }) => {
    const response = await service.fetch(`/api/v1/projects/${project.id}/${at}`, {
      headers: { Accept: "text/csv", ...headers },
    });
    return { response, text: await response.text() };
  };
  return { ...project, path, csv };
}

describe("a list as CSV", () => {
  const list = newList();

  it("has a header, and quotes what RFC 4180 requires", async () => {
    const { key, id, path, csv } = await newList();
    const email = "ann@any.test";
    await owner.post(path, { email, name: 'Ann "A", Lee', metadata: { source: "x" } });
    const { response, text } = await csv("subscribers", { Authorization: `Bearer ${key}` });
    expect([response.status, response.headers.get("Content-Type")]).toEqual([
      200,
      "text/csv; charset=utf-8; header=present",
    ]);
    expect(response.headers.get("Content-Disposition")).toBe(
      'attachment; filename="subscribers.csv"',
    );
    const [header, row, end] = text.split("\r\n");
    expect(header).toBe(
      "id,project_id,email,name,status,metadata,tags,subscribed_at,unsubscribed_at,created_at,updated_at,suppressed",
    );
    const cells = `,${id},${email},"Ann ""A"", Lee",active,"{""source"":""x""}",[],`;
    expect(row).toContain(cells);
    expect(end).toBe("");
  });

  it.each(["subscribers", "suppressions", "logs"])(
    "of %s writes an audit entry, but not as JSON",
    async (name) => {
      const { id, csv } = await newList();
      await owner.get(`/projects/${id}/${name}`);
      expect((await csv(name)).response.status).toBe(200);
      const entries = await allRows(
        "select target_type, target_id, metadata from audit_entries where scope_id = ? and action = 'list.export'",
        id,
      );
      expect(entries).toEqual([
        { target_type: "project", target_id: id, metadata: JSON.stringify({ list: name }) },
      ]);
    },
  );

  it.each([
    ["text/csv", true],
    ["TEXT/CSV; header=present, */*;q=0.1", true],
    ["application/json;q=0.5, text/csv", true],
    ["application/json, text/csv", false], // as clients made from the OpenAPI document ask
    ["text/csv,application/json", false],
    ["text/csv;q=0", false],
    ["text/csv-schema", false],
    ["*/*", false],
    ["", false],
  ])("is returned to callers who prefer it to JSON: %s", async (accept, isCsv) => {
    const { csv } = await list;
    const headers = { Cookie: owner.cookie, Accept: accept };
    const { response } = await csv("subscribers", headers);
    const [type] = response.headers.get("Content-Type")?.split(";") ?? [];
    expect([response.status, type]).toEqual([200, isCsv ? "text/csv" : "application/json"]);
  });

  it("neutralizes spreadsheet formulas", async () => {
    const { path, csv, id } = await newList();
    await owner.post(path, { email: "+1@any.test", name: "=1+1" });
    await owner.post(path, { email: "-1@any.test", name: "@cmd" });
    const { text } = await csv("subscribers");
    expect(text).toContain(`,${id},'+1@any.test,'=1+1,`);
    expect(text).toContain(`,${id},'-1@any.test,'@cmd,`);
    expect(csvLine(["\t=1", "\r=1", "1=1", ""])).toBe("'\t=1,\"'\r=1\",1=1,\r\n");
  });

  it("is complete, filtered and sorted, and costs one round trip per 2,500 entries", async () => {
    const { id, csv } = await newList();
    await env.DB.prepare(
      `insert into subscribers (id, project_id, email, name, status, metadata, source, subscribed_at, created_at, updated_at)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 6000)
        select printf('01900000-0000-7000-9000-%012x', i), ?, i || '@any.test', '', iif(i % 3, 'active', 'pending'), '{}', '', 1, 1, 1 from n`,
    )
      .bind(id)
      .run();
    const numbers = (text: string) =>
      text
        .split("\r\n")
        .slice(1, -1)
        .map((line) => Number(line.split(",")[2]?.split("@")[0]));
    service.d1.reset();
    const { text } = await csv("subscribers?limit=1");
    expect(service.d1.roundTrips).toBe(1 + 3 + 1); // and the audit entry
    expect(numbers(text)).toEqual(Array.from({ length: 6_000 }, (_, n) => 6_000 - n));
    const pending = numbers((await csv("subscribers?status=pending&sort=created_at")).text);
    expect(pending).toEqual(Array.from({ length: 2_000 }, (_, n) => 3 * (n + 1)));
  });

  it("exports the log and the suppressions with their filters", async () => {
    const { id, csv } = await newList();
    const deps = await service.deps();
    const entries = (["sent", "failed"] as const).map((status, n) =>
      logEntry(id, { sentAt: deps.now() - n, status, subject: `=${status}`, tags: { a: "b" } }),
    );
    await runBatch(deps.db, appendLog(deps, id, entries));
    const { text: log } = await csv("logs?status=failed");
    const [header, row, ...rest] = [...csvRecords(new TextEncoder().encode(log))];
    const entry = Object.fromEntries(
      (header?.cells ?? []).map((name, at) => [name, row?.cells[at]]),
    );
    expect(rest).toEqual([]);
    expect(entry).toMatchObject({
      project_id: id,
      to_email: "to@any.test",
      subject: "'=failed",
      status: "failed",
      error: "",
      tags: '{"a":"b"}',
      copies: "[]",
    });
    await owner.post(`/projects/${id}/suppressions`, { emails: ["b@any.test"], source: "-x" });
    const { text } = await csv("suppressions?reason=manual");
    expect(text).toContain("b@any.test,manual,'-x,");
    expect((await csv("suppressions?reason=hard_bounce")).text.split("\r\n")).toHaveLength(2);
  });

  it("returns errors as JSON: a wrong filter, a wrong cursor, another's project", async () => {
    const { csv } = await newList();
    for (const query of ["status=no", "after=x", "sort=email&status=active"]) {
      const { response, text } = await csv(`subscribers?${query}`);
      const body = { error: expect.any(String), code: expect.any(String) };
      expect([response.status, JSON.parse(text)]).toMatchObject([400, body]);
    }
    const stranger = await service.newOwner();
    expect((await csv("subscribers", { Cookie: stranger.cookie })).response.status).toBe(403);
  });
});

describe("the stream of an export", () => {
  /** Serves a list of so many numbers; a page at or after `faultAt` fails. */
  async function open(count: number, faultAt = Infinity) {
    const pages: (number | null)[] = [];
    const app = new Hono<HttpEnv>();
    app.get("/", (c) =>
      streamCsv<number, number>(c, {
        name: "numbers",
        columns: ["n"],
        after: null,
        read: async ({ limit, after = null }: ListPage<number>) => {
          pages.push(after);
          if ((after ?? 0) >= faultAt) throw new Error("the database is away");
          const from = after ?? 0;
          return Array.from({ length: Math.min(limit + 1, count - from) }, (_, n) => from + n + 1);
        },
        keyOf: (n) => n,
        present: (n) => ({ n: String(n).padStart(30, "0") }), // a page has more than 64 KiB
      }),
    );
    const { body } = await app.request("/");
    if (!body) throw new Error("no body");
    return { reader: body.getReader(), pages };
  }

  it("reads a page when the caller has read the previous one, and buffers no more", async () => {
    const { reader, pages } = await open(10_000);
    expect(pages).toEqual([null]);
    await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(pages).toEqual([null]);
    await reader.read();
    expect(pages).toEqual([null, 2_500]);
    await reader.cancel();
    expect(pages).toEqual([null, 2_500]);
  });

  it("breaks off on an error instead of ending early", async () => {
    const { reader } = await open(10_000, 5_000);
    await reader.read();
    await reader.read();
    await expect(reader.read()).rejects.toThrow("the database is away");
  });
});
