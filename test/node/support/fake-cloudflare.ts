import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { DatabaseSync } from "node:sqlite";
import { emailRoutingRoutes, type FakeZone, type Handler } from "./fake-email-routing.ts";

// An account of Cloudflare in memory. Paths, codes and the shapes of answers are those that
// wrangler 4.156 sends and reads, and that https://developers.cloudflare.com/api documents.

export const ACCOUNT = { id: "0123456789abcdef0123456789abcdef", name: "Acme" };

export interface FakeWorker {
  bindings: Record<string, unknown>[];
  secrets: Record<string, string>;
}

/** A fault that answers instead of the account; it happens once unless it is lasting. */
export interface Fault {
  method: string;
  path: RegExp;
  status: number;
  code: number;
  message: string;
  isLasting?: boolean;
}

type Body = Record<string, unknown>;

/** A refusal with one of Cloudflare's codes. */
class Refusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const WORKER_MISSING = new Refusal(404, 10_007, "This Worker does not exist on your account.");

export class FakeCloudflare {
  accounts = [ACCOUNT];
  subdomain: string | undefined = "acme";
  databases = new Map<string, { name: string; location: string | undefined; db: DatabaseSync }>();
  namespaces = new Map<string, string>();
  buckets = new Map<string, string | undefined>();
  queues = new Map<string, { consumers: Body[]; backlog: number }>();
  workers = new Map<string, FakeWorker>();
  domains = new Map<string, string>();
  crons: string[] = [];
  zones = new Map<string, FakeZone>();
  /** Bytes that every database claims to have, instead of its own. */
  size: number | undefined;
  calls: string[] = [];
  faults: Fault[] = [];
  #server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void this.#answer(request, response);
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop = () => new Promise((resolve) => this.#server.close(resolve));

  /** Returns the first database, for tests that look into it. */
  database(): DatabaseSync {
    const [first] = this.databases.values();
    if (!first) throw new Error("the account has no database");
    return first.db;
  }

  /** Returns the calls that changed something. */
  changes(): string[] {
    const isRead = (call: string) => call.startsWith("GET ") || call.endsWith("/query");
    return this.calls.filter((call) => !isRead(call));
  }

  async #answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? "/", "http://cloudflare");
    const path = url.pathname.replace(`/accounts/${ACCOUNT.id}`, "");
    const method = request.method ?? "GET";
    this.calls.push(`${method} ${path}`);
    const body = text(request);
    try {
      this.#failIfAsked(method, path);
      const result = await this.#handle(method, path, url.searchParams, () => body);
      const info = Array.isArray(result)
        ? { result_info: { page: 1, per_page: 100, total_pages: 1, total_count: result.length } }
        : {};
      send(response, 200, { success: true, errors: [], messages: [], result, ...info });
    } catch (error) {
      await body;
      const refusal = error instanceof Refusal ? error : new Refusal(500, 0, String(error));
      const errors = [{ code: refusal.code, message: refusal.message }];
      send(response, refusal.status, { success: false, errors, messages: [], result: null });
    }
  }

  #failIfAsked(method: string, path: string) {
    const fault = this.faults.find((one) => one.method === method && one.path.test(path));
    if (!fault) return;
    if (!fault.isLasting) this.faults.splice(this.faults.indexOf(fault), 1);
    throw new Refusal(fault.status, fault.code, fault.message);
  }

  async #handle(method: string, path: string, query: URLSearchParams, body: () => Promise<string>) {
    for (const [route, handler] of Object.entries(this.#routes)) {
      const [routeMethod, pattern = ""] = route.split(" ");
      const match = new RegExp(`^${pattern}$`).exec(path);
      if (routeMethod === method && match) return handler({ match, query, body });
    }
    throw new Refusal(404, 7003, `No route for that URI (${method} ${path})`);
  }

  #worker(name: string | undefined): FakeWorker {
    const worker = this.workers.get(name ?? "");
    if (!worker) throw WORKER_MISSING;
    return worker;
  }

  #routes: Record<string, Handler> = {
    "GET /user": () => ({ email: "owner@acme.example" }),
    "GET /user/tokens/verify": () => ({ id: "t", status: "active" }),
    "GET /accounts": () => this.accounts,
    "GET /memberships": () => this.accounts.map((account) => ({ account, status: "accepted" })),
    "GET /workers/subdomain": () => {
      if (this.subdomain) return { subdomain: this.subdomain };
      throw new Refusal(404, 10_007, "There is no subdomain for this account.");
    },
    "PUT /workers/subdomain": async ({ body }) => {
      const { subdomain } = JSON.parse(await body()) as { subdomain: string };
      this.subdomain = subdomain;
      return { subdomain };
    },
    "GET /workers/services/(.+)": ({ match }) => {
      const name = match[1] ?? "";
      if (!this.workers.has(name))
        throw new Refusal(404, 10_090, "workers.api.error.service_not_found");
      const script = { tag: "tag", tags: null, last_deployed_from: "wrangler" };
      return { id: name, default_environment: { environment: "production", script } };
    },
    "GET /workers/scripts": () =>
      [...this.workers.keys()].map((id) => ({ id, migration_tag: "v1" })),
    "GET /workers/scripts/([^/]+)/settings": ({ match }) => {
      const { bindings, secrets } = this.#worker(match[1]);
      const hidden = Object.keys(secrets).map((name) => ({ type: "secret_text", name }));
      return { bindings: [...bindings, ...hidden], compatibility_date: "2026-10-01" };
    },
    "GET /workers/scripts/([^/]+)/secrets": ({ match }) =>
      Object.keys(this.#worker(match[1]).secrets).map((name) => ({ name, type: "secret_text" })),
    "PUT /workers/scripts/([^/]+)": async ({ match, body }) => {
      this.upload(match[1] ?? "", readMetadata(await body()));
      return { id: "x", etag: "e", deployment_id: "0".repeat(32), startup_time_ms: 63 };
    },
    "POST /workers/scripts/([^/]+)/versions": async ({ match, body }) => {
      this.upload(match[1] ?? "", readMetadata(await body()));
      const id = "11111111-1111-4111-8111-111111111111";
      return { id, startup_time_ms: 63, resources: { script: { etag: "e" } } };
    },
    "GET /workers/scripts/([^/]+)/deployments": () => ({ deployments: [] }),
    // No file is new to the account.
    "POST /workers/scripts/([^/]+)/assets-upload-session": () => ({ jwt: "assets", buckets: [] }),
    "POST /workers/scripts/([^/]+)/deployments": () => ({ id: "d" }),
    "PATCH /workers/scripts/([^/]+)/script-settings": () => ({}),
    "GET /workers/workers/([^/]+)": ({ match }) => ({
      id: "w",
      name: match[1],
      subdomain: { enabled: this.#worker(match[1]) && true, previews_enabled: false },
    }),
    "GET /workers/scripts/([^/]+)/subdomain": () => ({ enabled: true, previews_enabled: false }),
    "POST /workers/scripts/([^/]+)/subdomain": () => ({ enabled: true, previews_enabled: false }),
    "GET /workers/scripts/([^/]+)/schedules": ({ match }) => ({
      schedules: this.#worker(match[1]) && this.crons.map((cron) => ({ cron })),
    }),
    "PUT /workers/scripts/([^/]+)/schedules": async ({ body }) => {
      this.crons = (JSON.parse(await body()) as { cron: string }[]).map(({ cron }) => cron);
      return { schedules: [] };
    },
    "POST /workers/scripts/([^/]+)/domains/changeset": () => ({
      added: [],
      removed: [],
      updated: [],
      conflicting: [],
    }),
    "PUT /workers/scripts/([^/]+)/domains/records": async ({ match, body }) => {
      const { origins } = JSON.parse(await body()) as { origins: { hostname: string }[] };
      for (const { hostname } of origins) this.domains.set(hostname, match[1] ?? "");
      return origins;
    },
    "GET /workers/domains": ({ query }) =>
      [...this.domains]
        .filter(([hostname]) => hostname === query.get("hostname"))
        .map(([hostname, service]) => ({ id: hostname, hostname, service })),
    "GET /d1/database": ({ query }) =>
      [...this.databases]
        .filter(([, { name }]) => name.includes(query.get("name") ?? ""))
        .map(([uuid, { name }]) => ({ uuid, name, version: "production" })),
    "POST /d1/database": async ({ body }) => {
      const { name, primary_location_hint: location } = JSON.parse(await body()) as {
        name: string;
        primary_location_hint?: string;
      };
      return this.createDatabase(name, location);
    },
    "GET /d1/database/([^/]+)": ({ match }) => {
      const known = this.databases.get(match[1] ?? "");
      if (known) return { uuid: match[1], name: known.name, file_size: 4096 };
      throw new Refusal(404, 7404, "The database could not be found");
    },
    "POST /d1/database/([^/]+)/query": async ({ match, body }) => {
      const { sql } = JSON.parse(await body()) as { sql: string };
      const { db } = this.databases.get(match[1] ?? "") ?? { db: this.database() };
      return [
        { success: true, results: runSql(db, sql), meta: { size_after: this.size ?? sizeOf(db) } },
      ];
    },
    "GET /storage/kv/namespaces": () => [...this.namespaces].map(([id, title]) => ({ id, title })),
    "POST /storage/kv/namespaces": async ({ body }) => {
      const { title } = JSON.parse(await body()) as { title: string };
      if ([...this.namespaces.values()].includes(title)) {
        throw new Refusal(400, 10_014, "a namespace with this account ID and title already exists");
      }
      const id = String(this.namespaces.size + 1).padStart(32, "a");
      this.namespaces.set(id, title);
      return { id, title, supports_url_encoding: true };
    },
    "GET /r2/buckets/([^/]+)": ({ match }) => {
      const name = match[1] ?? "";
      if (this.buckets.has(name)) return { name };
      throw new Refusal(404, 10_006, "The specified bucket does not exist.");
    },
    "POST /r2/buckets": async ({ body }) => {
      const { name, locationHint } = JSON.parse(await body()) as Record<string, string>;
      if (this.buckets.has(name ?? ""))
        throw new Refusal(
          409,
          10_004,
          "The bucket you tried to create already exists, and you own it.",
        );
      this.buckets.set(name ?? "", locationHint);
      return { name };
    },
    "GET /queues": ({ query }) => {
      const wanted = query.getAll("name");
      return [...this.queues]
        .filter(([name]) => wanted.length === 0 || wanted.includes(name))
        .map(([queue_name, { consumers }]) => ({
          queue_id: idOf(queue_name),
          queue_name,
          consumers,
          consumers_total_count: consumers.length,
        }));
    },
    "POST /queues": async ({ body }) => {
      const { queue_name: name } = JSON.parse(await body()) as { queue_name: string };
      this.queues.set(name, { consumers: [], backlog: 0 });
      return { queue_id: idOf(name), queue_name: name };
    },
    "GET /queues/([^/]+)/metrics": ({ match }) => ({
      backlog_count: this.#queue(match[1]).backlog,
      backlog_bytes: 0,
      oldest_message_timestamp_ms: 0,
    }),
    "POST /queues/([^/]+)/consumers": async ({ match, body }) => {
      const consumer = JSON.parse(await body()) as { script_name: string };
      this.#queue(match[1]).consumers.push({ ...consumer, script: consumer.script_name });
      return consumer;
    },
    "PUT /queues/([^/]+)/consumers/([^/]+)": () => ({}),
    ...emailRoutingRoutes(this.zones),
  };

  #queue(id: string | undefined) {
    const found = [...this.queues].find(([name]) => idOf(name) === id);
    if (!found) throw new Refusal(404, 11_000, "Queue does not exist");
    return found[1];
  }

  createDatabase(name: string, location?: string) {
    const uuid = `00000000-0000-4000-8000-${String(this.databases.size).padStart(12, "0")}`;
    this.databases.set(uuid, { name, location, db: new DatabaseSync(":memory:") });
    return { uuid, name };
  }

  /** Stores a version as Cloudflare does: named secrets are added, the others stay. */
  upload(name: string, bindings: Body[]) {
    const secrets = { ...this.workers.get(name)?.secrets };
    for (const binding of bindings) {
      if (binding["type"] === "secret_text")
        secrets[String(binding["name"])] = String(binding["text"]);
    }
    const others = bindings.filter(({ type }) => type !== "secret_text");
    this.workers.set(name, { bindings: others, secrets });
  }
}

const idOf = (name: string) => Buffer.from(name).toString("hex").slice(-32).padStart(32, "0");

/** Reads the metadata part of a multipart upload. */
function readMetadata(form: string): Body[] {
  const json = /name="metadata"\r\n(?:[^\r]+\r\n)*\r\n([^]*?)\r\n--/.exec(form)?.[1];
  if (!json) throw new Refusal(400, 10_021, "metadata is missing");
  return (JSON.parse(json) as { bindings: Body[] }).bindings;
}

function runSql(db: DatabaseSync, sql: string): unknown[] {
  if (!/^\s*select\b/i.test(sql)) {
    db.exec(sql);
    return [];
  }
  return db.prepare(sql).all();
}

function sizeOf(db: DatabaseSync): number {
  const pages = db.prepare(
    "SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size",
  );
  return Number(pages.get()?.["size"]);
}

function send(response: ServerResponse, status: number, body: Body) {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}
