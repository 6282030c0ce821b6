/*
 * The pages of each list that grows (API reference §1.4): by cursor they hold the same entries in
 * the same order as by offset, and a page costs the same wherever it is.
 */
import { env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { parametersOf } from "../src/http/openapi/parameters.ts";
import { ALL_ROUTES } from "../src/http/routes.ts";
import { toBase64Url } from "../src/lib/encoding.ts";
import { testLicense } from "./support/license.ts";
import { insertRow } from "./support/rows.ts";
import { createService, type Client } from "./support/service.ts";

const COUNT = 2_000;
const LIMIT = 200;

const service = createService(await testLicense("pro"));
const HOOK = "01900000-0000-7000-8000-00000000000a";

let operator: Client;
let project: { id: string; key: string };
let secret: Client;

/** The number of an entry, counted from the oldest, as an id. */
const UUID = `printf('01900000-0000-7000-8000-%012x', i)`;
const ULID = `printf('01%024d', i)`;
const AN_HOUR_AGO = "(unixepoch() - 3600) * 1000";
const BLOB = (text: string) => `unhex(replace(${text}, '-', ''))`;

interface List {
  path: () => string;
  /** The field with the entries, and what identifies one of them. */
  field: string;
  idOf?: string;
  /** Inserts the entries; `?1` is the project, and `i` counts from 1. */
  insert: string;
  client?: () => Client;
  /** Rows that a page reads for each entry, and beside them. */
  rows: number;
  besides?: number;
  /** The rows by which the costs of pages may differ; half a page unless it is set. */
  spread?: number;
  /** The fewest entries of the list; most of 2,000 unless it is set. */
  least?: number;
}

const LISTS: Record<string, List> = {
  "the log": {
    path: () => `/projects/${project.id}/logs`,
    field: "logs",
    insert: `insert into log_entries (id, project_id, to_email, subject, status, sent_at)
      select ${BLOB(UUID)}, ${BLOB("?1")}, 'to@any.test', 'Hi', i % 4, ${AN_HOUR_AGO} + i / 50 from n`,
    rows: 25,
  },
  "failed entries of the log": {
    path: () => `/projects/${project.id}/logs?status=failed`,
    field: "logs",
    insert: `insert into log_entries (id, project_id, to_email, subject, status, sent_at)
      select ${BLOB(UUID.replace("8000", "9000"))}, ${BLOB("?1")}, 'to@any.test', 'Hi', 1, ${AN_HOUR_AGO} + i / 60 from n`,
    rows: 17,
  },
  "what is scheduled": {
    path: () => `/projects/${project.id}/scheduled`,
    field: "scheduled",
    insert: `insert into pending_mails (id, project_id, subscriber_id, kind, data, due_at, created_at)
      select ${UUID}, ?1, '', 'scheduled', '{"to":"to@any.test","subject":"Hi"}', 9e12 + i / 50, 1 from n`,
    rows: 2,
  },
  images: {
    path: () => `/projects/${project.id}/images`,
    field: "images",
    insert: `insert into images (id, project_id, sha256, type, name, alt, width, height, bytes, created_at)
      select ${UUID}, ?1, i, 'png', 'a.png', '', 1, 1, 1, 1 from n`,
    rows: 2,
  },
  subscribers: {
    path: () => `/projects/${project.id}/subscribers`,
    field: "subscribers",
    insert: `insert into subscribers (id, project_id, email, name, status, metadata, source, subscribed_at, created_at, updated_at)
      select ${UUID}, ?1, i || '@any.test', '', iif(i % 3, 'active', 'pending'), '{}', '', 1, 1, 1 from n`,
    rows: 6, // one of them is its suppression
  },
  "subscribers of one status": {
    path: () => `/projects/${project.id}/subscribers?status=active`,
    field: "subscribers",
    insert: "",
    rows: 4, // one of them is its suppression
  },
  "subscribers by email": {
    path: () => `/projects/${project.id}/subscribers?sort=email`,
    field: "subscribers",
    insert: "",
    rows: 5, // one of them is its suppression
  },
  "subscribers that a search finds": {
    path: () => `/projects/${project.id}/subscribers?search=1`,
    field: "subscribers",
    insert: "",
    rows: 4, // one of them is its suppression
    besides: 6 * 1_000 + 2 * COUNT, // the first 1,000 that begin with it, and all that may contain it
    least: 1_000,
    spread: 2_000, // what it found is filtered
  },
  suppressions: {
    path: () => `/projects/${project.id}/suppressions`,
    field: "suppressions",
    insert: `insert into suppressions (id, project_id, email, reason, source, created_at, last_seen_at)
      select ${ULID}, ?1, i || '@any.test', iif(i % 2, 'manual', 'hard_bounce'), '', 1, 1 from n`,
    rows: 5,
  },
  "the audit log": {
    path: () => `/projects/${project.id}/audit-log?action=smtp.update`,
    field: "entries",
    insert: `insert into audit_entries (id, scope_id, action, target_type, target_id, metadata, ip_address, user_agent, created_at)
      select ${ULID}, ?1, 'smtp.update', 'project', '', '{}', '', '', 1 from n`,
    rows: 3,
  },
  "deliveries of a webhook": {
    path: () => `/projects/${project.id}/webhooks/${HOOK}/deliveries`,
    field: "deliveries",
    insert: `insert into webhook_deliveries (webhook_id, id, project_id, event_id, event_type, payload, status, created_at)
      select '${HOOK}', ${UUID}, ?1, 'e', 'email.sent', '{}', 'failed', 1 from n`,
    rows: 2,
  },
  broadcasts: {
    path: () => `/projects/${project.id}/broadcasts`,
    field: "broadcasts",
    insert: `insert into broadcasts (id, project_id, subject, html_body, text_body, status, state, log_key, cutoff_id, planned_id, plan_due_at, created_at)
      select ${UUID}, ?1, 'Hi', '', '', 'active', 'done', '', '', '', 1, 1 from n`,
    rows: 6,
  },
  "reports without proof": {
    path: () => `/projects/${project.id}/bounces/unverified`,
    field: "reports",
    idOf: "email",
    insert: `insert into unverified_bounces (project_id, email, kind, reason, words, reports, first_seen_at, last_seen_at)
      select ?1, i || '@other.test', 'bounce', '', '', 1, 1, i / 50 from n`,
    rows: 6,
  },
  "dead letters": {
    path: () => "/service/dead-letters",
    field: "dead_letters",
    insert: `insert into dead_letters (id, message_id, queue, type, body, bytes, failed_at, replayed_at)
      select ${UUID}, 'm' || i, '', '', '{}', 2, 1, iif(i % 2, null, 1) from n`,
    rows: 2,
    besides: 2 * 1_000, // it counts the waiting ones up to 1,000
  },
  "subscribers of the key-based API": {
    path: () => "/subscribers?limit=100",
    field: "subscribers",
    idOf: "email",
    insert: "",
    client: () => secret,
    rows: 8,
  },
};

beforeAll(async () => {
  operator = await service.newOwner(); // the first account of the service
  project = await operator.newProject();
  const { body } = await operator.post(`/projects/${project.id}/api-keys`, {
    name: "Secret",
    type: "sdk",
  });
  secret = service.withKey(String(body["key"]));
  await insertRow("webhooks", {
    id: HOOK,
    project_id: project.id,
    url: "https://hook.test",
    secret_sealed: "",
    events: "[]",
    active: 1,
    created_at: 1,
  });
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${COUNT}) `;
  for (const { insert } of Object.values(LISTS)) {
    if (insert === "") continue;
    const [into = "", select = ""] = insert.split(/(?=select )/, 2);
    const statement = env.DB.prepare(into + numbers + select);
    await (insert.includes("?1") ? statement.bind(project.id) : statement).run();
  }
}, 60_000);

type Entries = Record<string, string>[];

interface Got {
  ids: string[];
  total: number | undefined;
  next: string | null | undefined;
}

async function read({ path, field, idOf = "id", client }: List, query: string): Promise<Got> {
  const url = path() + (path().includes("?") ? "&" : "?") + query;
  const { status, body: answer } = await (client?.() ?? operator).get(url);
  if (status !== 200) throw new Error(JSON.stringify(answer));
  const body = (client ? answer["data"] : answer) as Record<string, unknown>;
  const page = (client ? body["pagination"] : body) as { total?: number; next?: string | null };
  const ids = (body[field] as Entries).map((entry) => String(entry[idOf]));
  return { ids, total: page.total, next: page.next };
}

describe.each(Object.entries(LISTS))("the pages of %s", (_name, list) => {
  const limit = list.client ? 100 : LIMIT;

  it("have the entries of the list by offset, and cost the same at any depth", async () => {
    const byOffset: string[] = [];
    for (let offset = 0; ; offset += limit) {
      const { ids, next } = await read(list, `limit=${limit}&offset=${offset}`);
      expect(next).toBeUndefined();
      byOffset.push(...ids);
      if (ids.length < limit) break;
    }
    const byCursor: string[] = [];
    const costs: number[] = [];
    for (let after: string | null = ""; after !== null;) {
      service.d1.reset();
      const { ids, total, next = null } = await read(list, `limit=${limit}&after=${after}`);
      costs.push(service.d1.rowsRead);
      expect(total === undefined).toBe(after !== "");
      byCursor.push(...ids);
      after = next;
    }
    expect(byCursor).toEqual(byOffset);
    expect(new Set(byCursor).size).toBeGreaterThanOrEqual(list.least ?? 1_300);
    const [, ...later] = costs;
    const most = (limit + 1) * list.rows + (list.besides ?? 0) + 20;
    expect(Math.max(...later)).toBeLessThanOrEqual(most);
    expect(Math.max(...later) - (later[0] ?? 0)).toBeLessThanOrEqual(list.spread ?? limit / 2);
  });

  it("end with a next of null, and one that is full is not the last by itself", async () => {
    const { next } = await read(list, `limit=${limit}&after=`);
    expect(next).toMatch(/^[\w-]+$/);
    expect((await read(list, `limit=${limit}&after=${next}`)).ids).toHaveLength(limit);
  });

  it("refuse a cursor that no page of this list gave, and an offset beside one", async () => {
    const cursor = (value: unknown) => toBase64Url(new TextEncoder().encode(JSON.stringify(value)));
    const ask = async (query: string) => {
      const url = list.path() + (list.path().includes("?") ? "&" : "?") + query;
      const { status, body } = await (list.client?.() ?? operator).get(url);
      return [status, body["error"]];
    };
    const { next } = await read(list, `limit=${limit}&after=`);
    const [name] = JSON.parse(atob(String(next).replaceAll("-", "+").replaceAll("_", "/")));
    const hostile = [
      "x",
      "%00",
      "' or 1=1 --",
      cursor(null),
      cursor([name]),
      cursor([name, null]),
      cursor([name, { id: 1 }]),
      cursor([name, "' or 1=1 --", 1]),
      cursor(["another", HOOK]),
      cursor([name, [1e300, HOOK]]),
      `${next}!`,
      cursor([name, "0".repeat(1_000)]),
      "A".repeat(9_000),
    ];
    for (const text of hostile)
      expect([text, ...(await ask(`after=${encodeURIComponent(text)}`))]).toEqual([
        text,
        400,
        "after: is not a cursor of this list",
      ]);
    expect(await ask(`after=${next}&offset=1`)).toEqual([
      400,
      "offset: must be omitted with after",
    ]);
  });
});

describe("a cursor", () => {
  it("belongs to one of these lists, or to one that is read like them", () => {
    const routes = new Map(
      Object.values(LISTS).map(({ path }) => {
        const [at = ""] = path().split("?");
        return [at.replaceAll(/[0-9a-f-]{36}/g, "*"), true];
      }),
    );
    const others = ALL_ROUTES.filter((route) => {
      const at = route.path.replace("/api/v1", "").replaceAll(/:\w+/g, "*");
      return !routes.has(at) && parametersOf(route, {}).some(({ name }) => name === "after");
    });
    expect(others.map(({ operation }) => operation)).toEqual([
      "auth.auditLog.list", // an audit log of another scope
      "workspaces.auditLog.list",
      "projects.automations.list", // is read like broadcasts
      "projects.broadcasts.recipients", // has its costs in broadcast-ledger.test.ts
      "projects.subscribers.events.list",
      "projects.subscribers.export", // have theirs in address-export.test.ts
      "projects.exportAddress",
      "projects.automations.runs", // have theirs in costs-reads.test.ts
      "projects.subscribers.runs",
      "keyed.broadcasts.list", // the route of the project's list
    ]);
  });

  it("of another project leads to no entry of it", async () => {
    const stranger = await service.newOwner();
    const { id } = await stranger.newProject();
    const { body } = await operator.get(`/projects/${project.id}/logs?after=`);
    expect((await stranger.get(`/projects/${id}/logs?after=${String(body["next"])}`)).body).toEqual(
      {
        logs: [],
        next: null,
      },
    );
  });
});
