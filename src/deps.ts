import { readConfig, type Bindings, type Config } from "./config.ts";
import { openDatabase, type Database } from "./db/client.ts";
import { ulidAt, uuidAt } from "./lib/ids.ts";
import type { SocketFactory } from "./mail/net/socket.ts";
import type { ProjectObjects } from "./project-object.ts";
import type {
  BouncePollMessage,
  OutcomeMessage,
  TrackingMessage,
  WakeMessage,
  WebhookDueMessage,
} from "./queues/messages.ts";

/**
 * External dependencies of the services. Each invocation builds one; tests replace individual
 * members.
 */
export interface Deps {
  config: Config;
  db: Database;
  /** Durable Objects that enforce exact limits and, one per project, send single mails. */
  senders: ProjectObjects;
  /** Approximate and cached facts, and the deleted projects whose links are dead. */
  kv: KVNamespace;
  /** The bytes of images; undefined in a deployment without R2. */
  images: R2Bucket | undefined;
  trackingQueue: Queue<TrackingMessage>;
  wakeQueue: Queue<WakeMessage | OutcomeMessage>;
  bounceQueue: Queue<BouncePollMessage>;
  webhookQueue: Queue<WebhookDueMessage>;
  /** Milliseconds since 1970 UTC. */
  now: () => number;
  /** Resolves after this many milliseconds. */
  wait: (ms: number) => Promise<void>;
  /** A new UUIDv7. */
  newId: () => string;
  newUlid: () => string;
  sockets: SocketFactory;
  fetch: typeof fetch;
  /** Keeps the invocation alive until `work` ends, after the response has gone out. */
  waitUntil: (work: Promise<unknown>) => void;
}

/** The parts that differ between the deployed service and a test. */
export interface Runtime {
  sockets: SocketFactory;
  fetch: typeof fetch;
  now: () => number;
  wait: (ms: number) => Promise<void>;
}

/**
 * Validated settings by environment: the runtime passes the same `env` to every invocation of an
 * isolate. The map holds the value and not its promise, because a promise dies with the invocation
 * that created it.
 */
const configs = new WeakMap<Bindings, Config>();

async function configOf(env: Bindings): Promise<Config> {
  const config = configs.get(env) ?? (await readConfig(env));
  configs.set(env, config);
  return config;
}

/** Builds the Deps of one invocation. Throws `misconfigured` if a setting is missing or invalid. */
export async function buildDeps(
  env: Bindings,
  waitUntil: Deps["waitUntil"],
  runtime: Runtime,
): Promise<Deps> {
  const { now, wait, sockets, fetch } = runtime;
  let db: Database | undefined;
  return {
    config: await configOf(env),
    // Created on first use: the tracking pixel and links need no database, and opening one takes a
    // tenth of their time.
    get db() {
      return (db ??= openDatabase(env.DB));
    },
    senders: env.PROJECT_SENDER,
    kv: env.KV,
    images: env.IMAGES,
    trackingQueue: env.TRACKING_QUEUE,
    wakeQueue: env.WAKE_QUEUE,
    bounceQueue: env.BOUNCE_QUEUE,
    webhookQueue: env.WEBHOOK_QUEUE,
    now,
    wait,
    newId: () => uuidAt(now()),
    newUlid: () => ulidAt(now()),
    sockets,
    fetch,
    waitUntil,
  };
}
