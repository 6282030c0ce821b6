import { readConfig, type Bindings, type Config } from "./config.ts";
import { openDatabase, type Database } from "./db/client.ts";
import { ulidAt, uuidAt } from "./lib/ids.ts";
import type { SocketFactory } from "./mail/net/connection.ts";
import type { ProjectLimiter } from "./durable/project-limiter.ts";
import type {
  BouncePollMessage,
  BroadcastMessage,
  SubscriberMailMessage,
  TrackingMessage,
  WebhookDueMessage,
} from "./messages.ts";

/** Everything the rules reach the outside through; built once per invocation, replaced piecewise in tests. */
export interface App {
  config: Config;
  db: Database;
  limiter: DurableObjectNamespace<ProjectLimiter>;
  /** Approximate and cached facts: nothing that matters if it is gone. */
  kv: KVNamespace;
  trackingQueue: Queue<TrackingMessage>;
  mailQueue: Queue<SubscriberMailMessage>;
  broadcastQueue: Queue<BroadcastMessage>;
  bounceQueue: Queue<BouncePollMessage>;
  webhookQueue: Queue<WebhookDueMessage>;
  /** Milliseconds since 1970 UTC. */
  now: () => number;
  /** A new UUIDv7. */
  newId: () => string;
  /** A new ULID. */
  newUlid: () => string;
  sockets: SocketFactory;
  fetch: typeof fetch;
  /** Lets work go on after the answer was given. */
  waitUntil: (work: Promise<unknown>) => void;
}

/** What differs between the deployed service and a test. */
export interface Runtime {
  sockets: SocketFactory;
  fetch: typeof fetch;
  now: () => number;
}

/**
 * Settings are read once per isolate: the runtime hands the same `env` to every invocation. The
 * value is kept, never its promise: that dies with the invocation that began it.
 */
const configs = new WeakMap<Bindings, Config>();

async function configOf(env: Bindings): Promise<Config> {
  const config = configs.get(env) ?? (await readConfig(env));
  configs.set(env, config);
  return config;
}

/** Builds the App of one invocation. Throws AppError "unavailable" when a setting is missing. */
export async function buildApp(
  env: Bindings,
  waitUntil: App["waitUntil"],
  runtime: Runtime,
): Promise<App> {
  const { now, sockets, fetch } = runtime;
  let db: Database | undefined;
  return {
    config: await configOf(env),
    // Pixels and links need none, and it costs a tenth of their answers.
    get db() {
      return (db ??= openDatabase(env.DB));
    },
    limiter: env.PROJECT_LIMITER,
    kv: env.KV,
    trackingQueue: env.TRACKING_QUEUE,
    mailQueue: env.MAIL_QUEUE,
    broadcastQueue: env.BROADCAST_QUEUE,
    bounceQueue: env.BOUNCE_QUEUE,
    webhookQueue: env.WEBHOOK_QUEUE,
    now,
    newId: () => uuidAt(now()),
    newUlid: () => ulidAt(now()),
    sockets,
    fetch,
    waitUntil,
  };
}
