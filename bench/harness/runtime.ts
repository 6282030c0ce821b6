// Workers in the runtime that production uses (workerd), without wrangler's proxy before them: the bundle
// is the one that is deployed, the bindings are those of wrangler.toml, all state is in a temporary
// directory. Nothing of the developer's own settings is read.
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { D1Database } from "@cloudflare/workers-types";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";
import { startWrangler } from "../../scripts/local/wrangler.ts";
import { generateLicenseKeys, signLicense } from "../../scripts/sign-license.ts";
import { cpuBetween, findChildren, readUse, type ProcessUse } from "./process-use.ts";

/** A worker that runs. */
export interface RunningWorker {
  url: string;
  database: () => Promise<D1Database>;
  /** What its workerd, simulated D1 and queues included, has used. */
  use: () => ProcessUse;
  /** Waits until its workerd has had nothing to do for a while: the work after the answers is over. */
  untilIdle: () => Promise<void>;
  /** Where V8's inspector of its isolates listens; undefined when it was not asked for. */
  inspector: URL | undefined;
  stop: () => Promise<void>;
}

const SERVICE = "src/index.ts";
const SERVICE_CONFIG = "wrangler.toml";
/** What the runtime knows a worker by. */
export const WORKER_NAME = "bench";
const QUIET_MS = 400;
const QUIET_CPU_MS = 20;
const IDLE_TIMEOUT_MS = 120_000;
/** Where /proc is missing, queues are given this long. */
const IDLE_GUESS_MS = 3_000;

/** The setup token of the services that are started here. */
export const SETUP_TOKEN = randomBytes(24).toString("base64url");

/**
 * Starts the service, or with `entry` a wrapping of it, with its tables; `settings` are variables. With
 * `inspected` its heap can be looked at; it is slower then.
 */
export async function startService(
  settings: Record<string, string>,
  entry = SERVICE,
  inspected = false,
): Promise<RunningWorker> {
  const { signingKey, publicKey } = generateLicenseKeys();
  const iat = Math.floor(Date.now() / 1000);
  const variables = {
    BASE_URL: "http://127.0.0.1:8787",
    ALLOW_PRIVATE_TARGETS: "true",
    JWT_SECRET: randomBytes(32).toString("base64url"),
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    SETUP_TOKEN,
    LICENSE_PUBLIC_KEY: publicKey,
    SERVICE_LICENSE_KEY: signLicense({ tier: "team", sub: "benchmark", iat }, signingKey),
    ...settings,
  };
  const worker = await run(entry, SERVICE_CONFIG, variables, inspected);
  await migrate(await worker.database());
  return worker;
}

/** Starts a worker of bench/workers, in the same runtime and with the same compatibility. */
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
  // Away from the checkout, where .dev.vars would be taken for settings of this run.
  const configPath = join(tmpdir(), "wrangler.toml");
  const away = { ...config, configPath, userConfigPath: configPath };
  const { workerOptions } = unstable_getMiniflareWorkerOptions(away);
  const { rootPath: _, ...options } = workerOptions;
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
  // Queues wait up to a second for a batch to fill, so it must be quiet for longer than that.
  let quietMs = 0;
  for (let waitedMs = 0; waitedMs < IDLE_TIMEOUT_MS; waitedMs += QUIET_MS) {
    const before = use();
    await delay(QUIET_MS);
    quietMs = (cpuBetween(before, use()) ?? 0) <= QUIET_CPU_MS ? quietMs + QUIET_MS : 0;
    if (quietMs >= 1_500) return;
  }
  throw new Error("the runtime does not come to rest");
}

/** The bundle that `wrangler deploy` would upload. */
async function bundle(entry: string, configFile: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "postrider-bench-"));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  process.once("exit", remove);
  const output: string[] = [];
  try {
    const build = ["deploy", resolve(entry), "--dry-run", "--outdir", directory];
    const wrangler = startWrangler([...build, "--config", configFile], (line) => {
      output.push(line);
    });
    const status = await wrangler.exited;
    const file = readdirSync(directory).find((name) => name.endsWith(".js"));
    if (status !== 0 || !file) throw new Error(`${entry} does not build:\n${output.join("\n")}`);
    return readFileSync(join(directory, file), "utf8");
  } finally {
    process.off("exit", remove);
    remove();
  }
}

/** Creates the tables as the migrations of the service do. */
export async function migrate(database: D1Database): Promise<void> {
  const files = readdirSync("migrations").filter((name) => name.endsWith(".sql"));
  for (const file of files.toSorted()) {
    const statements = readFileSync(join("migrations", file), "utf8")
      .split("--> statement-breakpoint")
      .filter((sql) => sql.trim() !== "");
    await database.batch(statements.map((sql) => database.prepare(sql)));
  }
}
