// Runs workers in the production runtime (workerd), without wrangler's proxy: the bundle is the
// deployed one, the bindings come from wrangler.toml, and all state is in a temporary directory.
// The developer's own settings do not apply.
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { D1Database } from "@cloudflare/workers-types";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";
import { bundleWorker } from "../../scripts/local/bundle-worker.ts";
import { signOwnLicense } from "../../scripts/sign-license.ts";
import { cpuBetween, findChildren, readUse, type ProcessUse } from "./process-use.ts";

export interface RunningWorker {
  url: string;
  database: () => Promise<D1Database>;
  /** Resource usage of its workerd, including the simulated D1 and queues. */
  use: () => ProcessUse;
  /** Waits until its workerd has been idle for a while, including work after responses. */
  untilIdle: () => Promise<void>;
  /** Address of the V8 inspector; undefined unless requested. */
  inspector: URL | undefined;
  stop: () => Promise<void>;
}

const SERVICE = "src/index.ts";
const SERVICE_CONFIG = "wrangler.toml";
export const WORKER_NAME = "bench";
const QUIET_MS = 400;
const QUIET_CPU_MS = 20;
const IDLE_TIMEOUT_MS = 120_000;
/** Time for queues to become idle where /proc is unavailable. */
const IDLE_GUESS_MS = 3_000;

/** Setup token of the services that the benchmark starts. */
export const SETUP_TOKEN = randomBytes(24).toString("base64url");

/**
 * Starts the service with its tables, or the wrapper `entry` around it; `settings` are variables.
 * `inspected` gives access to its heap, at some cost in speed.
 */
export async function startService(
  settings: Record<string, string>,
  entry = SERVICE,
  inspected = false,
): Promise<RunningWorker> {
  const variables = {
    BASE_URL: "http://127.0.0.1:8787",
    ALLOW_PRIVATE_TARGETS: "true",
    JWT_SECRET: randomBytes(32).toString("base64url"),
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    SETUP_TOKEN,
    ...signOwnLicense(),
    ...settings,
  };
  const worker = await run(entry, SERVICE_CONFIG, variables, inspected);
  await migrate(await worker.database());
  return worker;
}

/**
 * Starts a worker with a limited heap per isolate; miniflare reads the flags when it starts
 * workerd.
 */
export async function withHeapOf<T>(megabytes: number, start: () => Promise<T>): Promise<T> {
  process.env["MINIFLARE_WORKERD_V8_FLAGS"] = `--max-old-space-size=${megabytes}`;
  try {
    return await start();
  } finally {
    delete process.env["MINIFLARE_WORKERD_V8_FLAGS"];
  }
}

/** Starts a worker from bench/workers in the same runtime with the same compatibility settings. */
export const startWorker = (entry: string): Promise<RunningWorker> =>
  run(entry, "bench/workers/wrangler.toml", {}, false);

async function run(
  entry: string,
  configFile: string,
  settings: Record<string, string>,
  inspected: boolean,
): Promise<RunningWorker> {
  const contents = await bundle(entry, configFile);
  const config = unstable_readConfig({ config: configFile });
  // A directory outside the checkout, whose .dev.vars would otherwise apply.
  const configPath = join(tmpdir(), "wrangler.toml");
  const away = { ...config, configPath, userConfigPath: configPath };
  const { workerOptions } = unstable_getMiniflareWorkerOptions(away);
  // For a Worker with static files, the local runtime adds a router Worker, which would slow every
  // response. API calls never need files (`run_worker_first`).
  const { rootPath: _, assets: _files, ...options } = workerOptions;
  const { compatibility_date: compatibilityDate, compatibility_flags: compatibilityFlags } =
    unstable_readConfig({ config: SERVICE_CONFIG });
  const known = new Set(findChildren("workerd"));
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      ...(inspected ? { inspectorPort: 0 } : {}),
      log: new Log(LogLevel.NONE),
      handleRuntimeStdio: () => undefined,
      workers: [
        {
          ...options,
          name: WORKER_NAME,
          ...(compatibilityDate ? { compatibilityDate, compatibilityFlags } : {}),
          modules: [{ type: "ESModule", path: "index.js", contents }],
          bindings: { ...config.vars, ...settings },
        },
      ],
    }),
  );
  const url = (await runtime.ready).origin;
  const pid = findChildren("workerd").find((child) => !known.has(child));
  const use = () => readUse(pid);
  return {
    url,
    database: () => runtime.getD1Database("DB"),
    use,
    untilIdle: () => untilIdle(use),
    inspector: inspected ? await runtime.getInspectorURL() : undefined,
    stop: () => runtime.dispose(),
  };
}

async function untilIdle(use: () => ProcessUse): Promise<void> {
  if (use().cpuMs === undefined) return delay(IDLE_GUESS_MS);
  // Queues wait up to a second to fill a batch, so the idle time must be longer.
  let quietMs = 0;
  for (let waitedMs = 0; waitedMs < IDLE_TIMEOUT_MS; waitedMs += QUIET_MS) {
    const before = use();
    await delay(QUIET_MS);
    quietMs = (cpuBetween(before, use()) ?? 0) <= QUIET_CPU_MS ? quietMs + QUIET_MS : 0;
    if (quietMs >= 1_500) return;
  }
  throw new Error("the runtime does not come to rest");
}

/** Builds the bundle that `wrangler deploy` would upload. */
async function bundle(entry: string, configFile: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "postrider-bench-"));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    await bundleWorker(directory, resolve(entry), "--config", configFile).finished;
    const file = readdirSync(directory).find((name) => name.endsWith(".js"));
    if (!file) throw new Error(`${entry} has no bundle`);
    return readFileSync(join(directory, file), "utf8");
  } finally {
    process.off("exit", remove);
    remove();
  }
}

/** Creates the tables from the service's migrations. */
export async function migrate(database: D1Database): Promise<void> {
  const files = readdirSync("migrations").filter((name) => name.endsWith(".sql"));
  for (const file of files.toSorted()) {
    const statements = readFileSync(join("migrations", file), "utf8")
      .split("--> statement-breakpoint")
      .filter((sql) => sql.trim() !== "");
    await database.batch(statements.map((sql) => database.prepare(sql)));
  }
}
