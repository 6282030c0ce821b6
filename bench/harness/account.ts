// Creates a project in a running service and uses it through the public API.
import type { D1Database } from "@cloudflare/workers-types";
import { SETUP_TOKEN, type RunningWorker } from "./runtime.ts";

const PASSWORD = "correct horse battery";
/** Maximum rate limit of a key, so that no benchmark call is refused. */
const CALLS_A_MINUTE = 10_000;

/** Timeout for the longest call, a broadcast to 50,000. */
const CALL_TIMEOUT_MS = 180_000;

/** Calls `/api/v1` and returns the body; throws for anything but 2xx. */
export type Api = <T = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
) => Promise<T>;

/** One owner of a service. */
export interface Owner {
  api: Api;
  newProject: (smtpPort: number, maxConnections?: number) => Promise<Project>;
}

export interface Project {
  id: string;
  key: string;
  /** Calls with the project's key. */
  api: Api;
}

function createApi(url: string, headers: Record<string, string>): Api {
  return async <T>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      headers: {
        ...headers,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === "" ? {} : JSON.parse(text)) as T;
  };
}

/** Creates the first account of a service. */
export async function createOwner({ url }: RunningWorker): Promise<Owner> {
  const response = await fetch(`${url}/api/v1/auth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      email: "owner@bench.test",
      name: "Owner",
      password: PASSWORD,
      setup_token: SETUP_TOKEN,
    }),
  });
  if (!response.ok) throw new Error(`no account: ${response.status} ${await response.text()}`);
  const cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const api = createApi(url, { Cookie: cookie });
  return {
    api,
    newProject: (smtpPort, maxConnections) => newProject(url, api, smtpPort, maxConnections),
  };
}

async function newProject(
  url: string,
  api: Api,
  smtpPort: number,
  maxConnections?: number,
): Promise<Project> {
  const { id } = await api<{ id: string }>("POST", "/projects", { name: "Benchmark" });
  await api("PUT", `/projects/${id}/smtp`, {
    smtp_host: "127.0.0.1",
    smtp_port: smtpPort,
    smtp_user: "user",
    smtp_password: "password",
    from_name: "Sender",
    from_email: "sender@bench.test",
  });
  if (maxConnections !== undefined)
    await api("PUT", `/projects/${id}/sending`, { max_connections: maxConnections });
  // Without the canary, for whose minute a broadcast would wait.
  await api("PUT", `/projects/${id}/bounce-settings`, { brakes: { sample_first: false } });
  const { key } = await api<{ key: string }>("POST", `/projects/${id}/api-keys`, {
    name: "Benchmark",
    rate_limit_per_minute: CALLS_A_MINUTE,
  });
  return { id, key, api: createApi(url, { Authorization: `Bearer ${key}` }) };
}

let lists = 0;

/**
 * Inserts `count` active subscribers directly into the table: `n<number>@list<list>.test` with the
 * name `n<number>`.
 */
export async function subscribe(
  database: D1Database,
  projectId: string,
  count: number,
): Promise<void> {
  lists += 1;
  const step = 10_000;
  for (let from = 0; from < count; from += step)
    await database
      .prepare(
        `insert into subscribers
           (id, project_id, email, name, status, metadata, source, subscribed_at, created_at, updated_at)
         with recursive n(i) as (select ?3 union all select i + 1 from n where i + 1 < ?4)
         select printf('01a0%04d-0000-7000-8000-%012d', ?2, i), ?1, 'n' || i || '@list' || ?2 || '.test',
           'n' || i, 'active', '{}', '', 1, 1, 1 from n`,
      )
      .bind(projectId, lists, from, Math.min(from + step, count))
      .run();
}
