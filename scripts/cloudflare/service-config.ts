import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import type { Unstable_RawConfig } from "wrangler";
import { OperatorError } from "../command-line.ts";
import type { Environment } from "../local/settings.ts";

/** A database or namespace bound in wrangler.toml, by name; few deployments set an id. */
export interface NamedBinding {
  binding: string;
  name: string;
  id: string | undefined;
}

/** The type of a bucket in Cloudflare's API. */
export const BUCKET_TYPE = "r2_bucket";

/** A queue with a consumer, and its dead letter queue. */
export interface QueueConsumer {
  queue: string;
  deadLetterQueue: string | undefined;
}

/** The parts of wrangler.toml that define a deployment. */
export interface ServiceConfig {
  /** The complete wrangler.toml. */
  raw: Unstable_RawConfig;
  worker: string;
  database: NamedBinding & { migrationsDir: string };
  namespaces: NamedBinding[];
  /** The bucket of images, which an account without R2 does not have. */
  bucket: { binding: string; name: string } | undefined;
  /** Binding names by their type in Cloudflare's API. */
  bindings: { name: string; type: string }[];
  producers: string[];
  consumers: QueueConsumer[];
  /** Required queues, without duplicates. */
  queues: string[];
  crons: string[];
  variables: Record<string, string>;
  workersDev: boolean;
}

/**
 * Parses wrangler.toml without loading wrangler, which takes a second. Throws OperatorError for
 * invalid TOML.
 */
export function readRawConfig(directory: string): Unstable_RawConfig {
  const text = readFileSync(join(directory, "wrangler.toml"), "utf8");
  try {
    return parse(text); // wrangler validates the fields when it runs
  } catch (error) {
    throw new OperatorError(`wrangler.toml is not valid TOML: ${String(error)}`);
  }
}

/** Reads wrangler.toml of a directory. Throws OperatorError if an essential part is missing. */
export function readServiceConfig(directory: string, env: Environment): ServiceConfig {
  return readParts(readRawConfig(directory), env);
}

/** Extracts the parts of a wrangler configuration. */
export function readParts(raw: Unstable_RawConfig, env: Environment): ServiceConfig {
  // Workers Builds sets the Worker name of a connected repository in this variable, which wrangler
  // also follows.
  const worker = env["WRANGLER_CI_OVERRIDE_NAME"] || raw.name;
  const [database] = raw.d1_databases ?? [];
  if (!worker || !database?.database_name) {
    throw new OperatorError("wrangler.toml must name the Worker and its database");
  }
  const producers = raw.queues?.producers ?? [];
  const consumers = (raw.queues?.consumers ?? []).map(
    ({ queue, dead_letter_queue: deadLetterQueue }) => ({ queue, deadLetterQueue }),
  );
  const namespaces = (raw.kv_namespaces ?? []).map(({ binding, id }) => ({
    binding,
    // The name that wrangler would give a namespace without an id.
    name: `${worker}-${binding.toLowerCase().replaceAll("_", "-")}`,
    id,
  }));
  const [images] = raw.r2_buckets ?? [];
  const bucket = images?.bucket_name
    ? { binding: images.binding, name: images.bucket_name }
    : undefined;
  const objects = raw.durable_objects?.bindings ?? [];
  const queues = [
    ...producers.map(({ queue }) => queue ?? ""),
    ...consumers.flatMap(({ queue, deadLetterQueue }) => [queue, deadLetterQueue ?? ""]),
  ];
  return {
    raw,
    worker,
    database: {
      binding: database.binding,
      name: database.database_name,
      id: database.database_id,
      migrationsDir: database.migrations_dir ?? "migrations",
    },
    namespaces,
    bucket,
    bindings: [
      { name: database.binding, type: "d1" },
      ...namespaces.map(({ binding }) => ({ name: binding, type: "kv_namespace" })),
      ...(bucket ? [{ name: bucket.binding, type: BUCKET_TYPE }] : []),
      ...producers.map(({ binding }) => ({ name: binding, type: "queue" })),
      ...objects.map(({ name }) => ({ name, type: "durable_object_namespace" })),
    ],
    producers: producers.flatMap(({ queue }) => queue ?? []),
    consumers,
    queues: [...new Set(queues)].filter((name) => name !== ""),
    crons: raw.triggers?.crons ?? [],
    variables: Object.fromEntries(
      Object.entries(raw.vars ?? {}).flatMap(([name, value]) =>
        typeof value === "string" ? [[name, value]] : [],
      ),
    ),
    workersDev: raw.workers_dev ?? true,
  };
}
