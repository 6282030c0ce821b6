import { readConfig, type Bindings, type Config } from "./config.ts";
import { openDatabase, type Database } from "./db/client.ts";
import { ulidAt, uuidAt } from "./lib/ids.ts";
import type { SocketFactory } from "./mail/net/connection.ts";
import type { ProjectLimiter } from "./durable/project-limiter.ts";

/** Everything the rules reach the outside through; built once per invocation, replaced piecewise in tests. */
export interface App {
  config: Config;
  db: Database;
  limiter: DurableObjectNamespace<ProjectLimiter>;
  /** Milliseconds since 1970 UTC. */
  now: () => number;
  /** A new UUIDv7. */
  newId: () => string;
  /** A new ULID. */
  newUlid: () => string;
  sockets: SocketFactory;
  /** Lets work go on after the answer was given. */
  waitUntil: (work: Promise<unknown>) => void;
}

/** What differs between the deployed service and a test. */
export interface Runtime {
  sockets: SocketFactory;
  now: () => number;
}

/** Settings are read once per isolate: the runtime hands the same `env` to every invocation. */
const configs = new WeakMap<Bindings, Promise<Config>>();

function configOf(env: Bindings): Promise<Config> {
  const known = configs.get(env) ?? readConfig(env);
  configs.set(env, known);
  return known;
}

/** Builds the App of one invocation. Throws AppError "unavailable" when a setting is missing. */
export async function buildApp(
  env: Bindings,
  waitUntil: App["waitUntil"],
  runtime: Runtime,
): Promise<App> {
  const { now, sockets } = runtime;
  return {
    config: await configOf(env),
    db: openDatabase(env.DB),
    limiter: env.PROJECT_LIMITER,
    now,
    newId: () => uuidAt(now()),
    newUlid: () => ulidAt(now()),
    sockets,
    waitUntil,
  };
}
