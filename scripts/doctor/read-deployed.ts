import { D1_LIMIT_BYTES } from "../../src/lib/storage-fill.ts";
import {
  listQueues,
  queryD1,
  readCrons,
  readWorker,
  variableOf,
  type DeployedWorker,
  type QueueState,
} from "../cloudflare/account-state.ts";
import type { AccountApi } from "../cloudflare/api.ts";
import type { ServiceConfig } from "../cloudflare/service-config.ts";
import { OperatorError } from "../command-line.ts";
import type { Machine } from "../deploy/machine.ts";
import { LASTING_SECRETS, SETUP_TOKEN } from "../deploy/secrets.ts";
import { askHealth } from "../deploy/wait-for-service.ts";
import { wantedMigrations } from "./wanted.ts";
import { readApplied, readFacts, type Query } from "./read-facts.ts";
import { readReturnPaths } from "./read-return-paths.ts";
import { readPart, type QueueReading, type Reading, type SecretState } from "./reading.ts";

/** Reads a deployed service through Cloudflare's API. Throws OperatorError if there is none. */
export async function readDeployed(
  machine: Machine,
  api: AccountApi,
  config: ServiceConfig,
): Promise<Reading> {
  const worker = await readWorker(api, config.worker);
  if (!worker) {
    throw new OperatorError(
      `account ${api.accountId} has no Worker "${config.worker}": run \`npm run deploy\``,
    );
  }
  const databaseId = worker.bindings.find(({ type }) => type === "d1")?.id ?? "";
  let bytes: number | undefined;
  const query: Query = async <Row>(sql: string) => {
    if (!databaseId) throw new Error("the Worker has no database");
    const answer = await queryD1<Row>(api, databaseId, sql);
    bytes = answer.size ?? bytes;
    return answer.rows;
  };
  const wanted = wantedMigrations(machine.directory, config);
  const applied = await readPart(() => readApplied(query));
  const facts = await readPart(() => readFacts(query));
  const queues = await readPart(() => listQueues(api));
  const baseUrl = variableOf(worker, "BASE_URL");
  const health = baseUrl ? await askHealth(machine.fetch, baseUrl) : undefined;
  const factsOrThrow = () => valueOf(facts);
  return {
    place: "deployed",
    bindings: await readPart(() => readBindings(config, worker)),
    secrets: await readPart(() =>
      readSecrets(worker, "value" in facts && !facts.value.hasAccounts),
    ),
    migrations: await readPart(() => ({ wanted, applied: valueOf(applied) })),
    queues: await readPart(() => readQueues(config, valueOf(queues))),
    crons: await readPart(async () => ({
      wanted: config.crons,
      found: await readCrons(api, config.worker),
    })),
    deadLetters: await readPart(async () => ({
      waiting: factsOrThrow().waitingLetters,
      unstored: await countUnstored(api, config, valueOf(queues)),
    })),
    size: await readPart(() => {
      if (bytes === undefined) throw new Error("the database did not say its size");
      const limit = Number(variableOf(worker, "STORAGE_LIMIT_BYTES") || D1_LIMIT_BYTES);
      return { bytes, limit };
    }),
    clock: await readPart(() => ({
      here: machine.now(),
      there: health?.date ? Date.parse(health.date) : undefined,
      newest: factsOrThrow().newest,
    })),
    returnPaths: await readPart(() => readReturnPaths(machine, api, config, query)),
    address: { value: { baseUrl, health } },
  };
}

/** Returns the value of a part. Throws Error with the reason if it could not be read. */
function valueOf<Value>(part: { value: Value } | { error: string }): Value {
  if ("value" in part) return part.value;
  throw new Error(part.error);
}

function readBindings(config: ServiceConfig, worker: DeployedWorker) {
  const label = ({ name, type }: { name: string; type: string }) => `${name} (${type})`;
  return { wanted: config.bindings.map(label), found: worker.bindings.map(label) };
}

function readSecrets(worker: DeployedWorker, needsSetup: boolean): Record<string, SecretState> {
  const names = [...LASTING_SECRETS, ...(needsSetup ? [SETUP_TOKEN] : [])];
  return Object.fromEntries(
    names.map((name) => [name, worker.secrets.includes(name) ? "present" : "missing"]),
  );
}

function readQueues(config: ServiceConfig, queues: QueueState[]): QueueReading[] {
  return config.queues.map((name) => {
    const queue = queues.find((one) => one.queue_name === name);
    const isOurs = ({ script, service }: { script?: string; service?: string }) =>
      script === config.worker || service === config.worker;
    return {
      name,
      exists: Boolean(queue),
      consumers: queue?.consumers?.filter(isOurs).length ?? 0,
    };
  });
}

/** Counts the messages in the dead letter queues. */
async function countUnstored(
  api: AccountApi,
  config: ServiceConfig,
  queues: QueueState[],
): Promise<number> {
  const dead = new Set(config.consumers.map(({ deadLetterQueue }) => deadLetterQueue));
  const ids = queues.filter((queue) => dead.has(queue.queue_name)).map((queue) => queue.queue_id);
  const metrics = await Promise.all(
    ids.map((id) => api.get<{ backlog_count?: number }>(`/queues/${id}/metrics`)),
  );
  return metrics.reduce((sum, { backlog_count: count = 0 }) => sum + count, 0);
}
