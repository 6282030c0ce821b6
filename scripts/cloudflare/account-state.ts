import { ApiError, type AccountApi } from "./api.ts";

/** A binding in the Worker settings that Cloudflare returns. */
export interface WorkerBinding {
  name: string;
  type: string;
  /** Of a variable. */
  text?: string;
  /** Of a D1 database. */
  id?: string;
  /** Of a KV namespace. */
  namespace_id?: string;
  /** Of a bucket. */
  bucket_name?: string;
  /** Of a queue. */
  queue_name?: string;
}

export interface DeployedWorker {
  bindings: WorkerBinding[];
  /** Names only: Cloudflare never returns the values. */
  secrets: string[];
}

export interface QueueState {
  queue_id: string;
  queue_name: string;
  /** Workers by name (`script` or, in older responses, `service`). */
  consumers?: { script?: string; service?: string }[];
}

/** Cloudflare's error code for a Worker that does not exist. */
const NO_WORKER = 10_007;
/** Cloudflare's error code for an account without a workers.dev subdomain. */
const NO_SUBDOMAIN = 10_007;

/** Reads the deployed Worker; `undefined` if there is none. Throws ApiError. */
export async function readWorker(
  api: AccountApi,
  name: string,
): Promise<DeployedWorker | undefined> {
  const path = `/workers/scripts/${encodeURIComponent(name)}`;
  const settings = await unlessCode(
    NO_WORKER,
    api.get<{ bindings?: WorkerBinding[] }>(`${path}/settings`),
  );
  if (!settings) return undefined;
  const secrets = await api.list<{ name: string }>(`${path}/secrets`);
  return {
    bindings: settings.bindings ?? [],
    secrets: secrets.map((secret) => secret.name),
  };
}

/** Returns the cron triggers of the deployed Worker. Throws ApiError. */
export async function readCrons(api: AccountApi, name: string): Promise<string[]> {
  const path = `/workers/scripts/${encodeURIComponent(name)}/schedules`;
  const { schedules = [] } = await api.get<{ schedules?: { cron: string }[] }>(path);
  return schedules.map(({ cron }) => cron);
}

export function variableOf(worker: DeployedWorker | undefined, name: string): string | undefined {
  const isIt = (binding: WorkerBinding) => binding.type === "plain_text" && binding.name === name;
  return worker?.bindings.find(isIt)?.text;
}

/** Returns the account's workers.dev subdomain; `undefined` if it has none. Throws ApiError. */
export async function readSubdomain(api: AccountApi): Promise<string | undefined> {
  const answer = await unlessCode(
    NO_SUBDOMAIN,
    api.get<{ subdomain?: string }>("/workers/subdomain"),
  );
  return answer?.subdomain || undefined;
}

/** Returns the Worker that a custom domain points to. Throws ApiError. */
export async function readDomainOwner(
  api: AccountApi,
  hostname: string,
): Promise<string | undefined> {
  const query = new URLSearchParams({ hostname }).toString();
  const domains = await api.list<{ hostname: string; service: string }>(
    `/workers/domains?${query}`,
  );
  return domains.find((domain) => domain.hostname === hostname)?.service;
}

/** Returns the id of a database by its exact name. Throws ApiError. */
export async function findDatabase(api: AccountApi, name: string): Promise<string | undefined> {
  const query = new URLSearchParams({ name }).toString();
  const databases = await api.list<{ uuid: string; name: string }>(`/d1/database?${query}`);
  return databases.find((database) => database.name === name)?.uuid;
}

/** Returns the id of a KV namespace by its exact title. Throws ApiError. */
export async function findNamespace(api: AccountApi, title: string): Promise<string | undefined> {
  const query = new URLSearchParams({ per_page: "100" }).toString();
  const namespaces = await api.list<{ id: string; title: string }>(
    `/storage/kv/namespaces?${query}`,
  );
  return namespaces.find((namespace) => namespace.title === title)?.id;
}

/** Lists all queues with their consumers. Throws ApiError. */
export function listQueues(api: AccountApi): Promise<QueueState[]> {
  return api.list<QueueState>("/queues");
}

/** Result of one statement. */
export interface QueryAnswer<Row> {
  rows: Row[];
  /** Size of the database in bytes. */
  size: number | undefined;
}

/** Runs one statement on the deployed database. Throws ApiError. */
export async function queryD1<Row>(
  api: AccountApi,
  databaseId: string,
  sql: string,
): Promise<QueryAnswer<Row>> {
  const [answer] = await api.send<{ results: Row[]; meta?: { size_after?: number } }[]>(
    "POST",
    `/d1/database/${databaseId}/query`,
    { sql },
  );
  return { rows: answer?.results ?? [], size: answer?.meta?.size_after };
}

/** Awaits a response and maps one error code to `undefined`. */
async function unlessCode<Result>(
  code: number,
  answer: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.codes.includes(code)) return undefined;
    throw error;
  }
}
