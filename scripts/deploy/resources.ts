import {
  findDatabase,
  findNamespace,
  listQueues,
  type DeployedWorker,
} from "../cloudflare/account-state.ts";
import { ApiError, type AccountApi } from "../cloudflare/api.ts";
import {
  BUCKET_TYPE,
  type NamedBinding,
  type ServiceConfig,
} from "../cloudflare/service-config.ts";
import { OperatorError } from "../command-line.ts";
import { isLocation, LOCATION_CODES, LOCATIONS } from "./options.ts";
import type { Machine } from "./machine.ts";
import type { StepResult } from "./progress.ts";

/** Finds the Worker's bound database, or one by name; creates it if there is none. */
export async function provideDatabase(
  api: AccountApi,
  config: ServiceConfig,
  worker: DeployedWorker | undefined,
  choice: { location: string | undefined; ask: Machine["ask"] },
): Promise<StepResult<string>> {
  const { name } = config.database;
  const bound = boundId(config.database, worker, "d1");
  if (bound) return { did: `uses ${bound}`, value: bound };
  const found = await findDatabase(api, name);
  if (found) return { did: `found ${name}`, value: found };
  const location = choice.location ?? (await askLocation(choice.ask));
  const { uuid } = await api.send<{ uuid: string }>("POST", "/d1/database", {
    name,
    ...(location ? { primary_location_hint: location } : {}),
  });
  return { did: `created ${name}${location ? ` in ${location}` : ""}`, value: uuid };
}

/** Finds or creates each KV namespace; returns ids by binding. */
export async function provideNamespaces(
  api: AccountApi,
  config: ServiceConfig,
  worker: DeployedWorker | undefined,
): Promise<StepResult<Record<string, string>>> {
  const ids: Record<string, string> = {};
  const did: string[] = [];
  for (const namespace of config.namespaces) {
    const { binding, name: title } = namespace;
    const known = boundId(namespace, worker, "kv_namespace") ?? (await findNamespace(api, title));
    ids[binding] = known ?? (await createNamespace(api, title));
    did.push(known ? `found ${binding}` : `created ${title}`);
  }
  return { did: did.join(", "), value: ids };
}

/** Cloudflare's error codes for R2: not enabled, and a bucket that the account has. */
const NO_R2 = 10_042;
const BUCKET_EXISTS = 10_004;

/**
 * Creates the bucket of images, unless the Worker or the account has it. Returns undefined if the
 * account has not enabled R2, or the login may not use it: the service works without images.
 */
export async function provideBucket(
  api: AccountApi,
  config: ServiceConfig,
  worker: DeployedWorker | undefined,
  location: string | undefined,
): Promise<StepResult<string | undefined>> {
  const { bucket } = config;
  if (!bucket) return { did: "none in wrangler.toml", value: undefined };
  const { binding, name } = bucket;
  const bound = worker?.bindings.find((one) => one.type === BUCKET_TYPE && one.name === binding);
  if (bound?.bucket_name) return { did: `uses ${bound.bucket_name}`, value: bound.bucket_name };
  try {
    const hint = location ? { locationHint: location } : {};
    await api.send("POST", "/r2/buckets", { name, ...hint });
    return { did: `created ${name}`, value: name };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.codes.includes(BUCKET_EXISTS)) return { did: `found ${name}`, value: name };
    if (!error.codes.includes(NO_R2) && error.status !== 403) throw error;
    return {
      did: `left out, so emails have no image library (${error.message}): enable R2 in Cloudflare's dashboard, then run this command again`,
      value: undefined,
    };
  }
}

async function createNamespace(api: AccountApi, title: string): Promise<string> {
  return (await api.send<{ id: string }>("POST", "/storage/kv/namespaces", { title })).id;
}

/**
 * Refuses queues consumed by another Worker, which would take this one's messages. Throws
 * OperatorError, and ApiError.
 */
export async function refuseForeignQueues(api: AccountApi, config: ServiceConfig): Promise<void> {
  const needed = (await listQueues(api)).filter(({ queue_name: name }) =>
    config.queues.includes(name),
  );
  for (const { queue_name: name, consumers = [] } of needed)
    for (const { script, service } of consumers) {
      const reader = script ?? service;
      if (!reader || reader === config.worker) continue;
      throw new OperatorError(
        `the Worker "${reader}" of this account consumes the queue ${name} and would take messages from "${config.worker}": deploy to another account, or delete that Worker`,
      );
    }
}

/** Creates missing queues, including dead letter queues. */
export async function provideQueues(
  api: AccountApi,
  config: ServiceConfig,
): Promise<StepResult<undefined>> {
  const existing = new Set((await listQueues(api)).map((queue) => queue.queue_name));
  const missing = config.queues.filter((name) => !existing.has(name));
  for (const name of missing) await api.send("POST", "/queues", { queue_name: name });
  const found = config.queues.length - missing.length;
  const created = missing.length > 0 ? `, created ${missing.join(", ")}` : "";
  return { did: `found ${found}${created}`, value: undefined };
}

/**
 * Returns the id of a binding: from wrangler.toml, else from the deployed Worker. An update must
 * never switch to a different database just because its name matches.
 */
function boundId(
  { binding, id }: NamedBinding,
  worker: DeployedWorker | undefined,
  type: string,
): string | undefined {
  if (id) return id;
  const deployed = worker?.bindings.find((one) => one.type === type && one.name === binding);
  return deployed?.id ?? deployed?.namespace_id;
}

async function askLocation(ask: Machine["ask"]): Promise<string | undefined> {
  if (!ask) return undefined;
  const places = Object.entries(LOCATIONS).map(([code, place]) => `  ${code}  ${place}`);
  const last = "Location (leave empty for the one nearest to you): ";
  let question = [
    "Where should the database be? Choose the location nearest to your SMTP server.",
    ...places,
    last,
  ].join("\n");
  for (;;) {
    const answer = (await ask(question)).toLowerCase();
    if (answer === "") return undefined;
    if (isLocation(answer)) return answer;
    question = `The location must be one of ${LOCATION_CODES}.\n${last}`;
  }
}
