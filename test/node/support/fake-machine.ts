import { cpSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunTool, ToolRun } from "../../../scripts/cloudflare/run-tool.ts";
import { readServiceConfig } from "../../../scripts/cloudflare/service-config.ts";
import { deployService } from "../../../scripts/deploy/deploy-service.ts";
import type { Machine } from "../../../scripts/deploy/machine.ts";
import type { DeployOptions } from "../../../scripts/deploy/options.ts";
import { FakeCloudflare } from "./fake-cloudflare.ts";

const OPTIONS: DeployOptions = {
  domain: undefined,
  location: undefined,
  account: undefined,
  replacesDns: false,
  signsLicense: true,
  isDryRun: false,
};

const WORKERS_DEV = "https://postrider.acme.workers.dev";

/** A machine with a clone of the repository, a login, and the account that it leads to. */
export interface FakeMachine extends Machine {
  cloudflare: FakeCloudflare;
  said: string[];
  wranglerCalls: string[];
  /** Outcome of the next wrangler command that begins like this, instead of the usual one. */
  wranglerFaults: Map<string, ToolRun>;
  /** Answers of the service by address; others do not resolve. */
  service: Map<string, () => Response>;
  /** Addresses by name, as the resolver returns them; `undefined`: the resolver is broken. */
  names: Map<string, string[]> | undefined;
  deploy: (options?: Partial<DeployOptions>) => Promise<void>;
}

export const failed = (stderr: string, stdout = ""): ToolRun => ({ status: 1, stdout, stderr });
const ok = (stdout: string): ToolRun => ({ status: 0, stdout, stderr: "" });

/** Starts an account and a machine whose wrangler works on it; `stop` ends the account. */
export async function startFakeMachine(): Promise<FakeMachine> {
  const cloudflare = new FakeCloudflare();
  const directory = mkdtempSync(join(tmpdir(), "postrider-machine-"));
  cpSync("wrangler.toml", join(directory, "wrangler.toml"));
  cpSync("migrations", join(directory, "migrations"), { recursive: true });
  let time = 0;
  const machine: FakeMachine = {
    cloudflare,
    directory,
    env: { CLOUDFLARE_API_BASE_URL: await cloudflare.start() },
    said: [],
    wranglerCalls: [],
    wranglerFaults: new Map(),
    service: new Map([[WORKERS_DEV, () => Response.json({ status: "ok" })]]),
    names: new Map(),
    runWrangler: (args) => fakeWrangler(machine, args),
    runCompiler: async () => ok(""),
    fetch: (url, init) => fakeFetch(machine, url, init),
    ask: undefined,
    say: (line) => machine.said.push(line),
    now: () => time,
    wait: async (ms) => {
      time += ms;
    },
    deploy: async (options = {}) => {
      const config = readServiceConfig(directory, machine.env);
      await deployService(machine, config, { ...OPTIONS, ...options });
    },
  };
  return machine;
}

async function fakeFetch(machine: FakeMachine, url: string, init?: RequestInit): Promise<Response> {
  if (url.startsWith(String(machine.env["CLOUDFLARE_API_BASE_URL"]))) return fetch(url, init);
  const { hostname, origin, searchParams } = new URL(url);
  if (hostname === "cloudflare-dns.com") {
    if (!machine.names) return Response.json({ Status: 2 }); // SERVFAIL
    const type = searchParams.get("type");
    const name = searchParams.get("name") ?? "";
    const known = machine.names.get(type === "MX" ? `MX ${name}` : name);
    const records = type === "A" || type === "MX" ? known : undefined;
    return Response.json({
      Status: known ? 0 : 3,
      ...(records ? { Answer: records.map((data) => ({ type: 1, data })) } : {}),
    });
  }
  const answer = machine.service.get(origin);
  if (answer) return answer();
  const cause = new Error(`getaddrinfo ENOTFOUND ${hostname}`);
  throw new TypeError("fetch failed", { cause });
}

/** Does what wrangler 4.156 does, on the account in memory and with wrangler's own words. */
const fakeWrangler = async (machine: FakeMachine, args: string[]): ReturnType<RunTool> => {
  const command = args.join(" ");
  machine.wranglerCalls.push(command);
  for (const [prefix, run] of machine.wranglerFaults) {
    if (!command.startsWith(prefix)) continue;
    machine.wranglerFaults.delete(prefix);
    return run;
  }
  if (command === "whoami --json") return ok(whoami(machine.cloudflare));
  if (command === "auth token --json") return ok('{\n  "type": "oauth",\n  "token": "token"\n}');
  if (command.startsWith("deploy --dry-run")) {
    return ok("Total Upload: 2095.37 KiB / gzip: 464.81 KiB\n--dry-run: exiting now.");
  }
  if (command.startsWith("d1 migrations apply DB --remote")) return migrate(machine);
  if (command.startsWith("deploy --config")) return upload(machine, args);
  throw new Error(`the fake does not know wrangler ${command}`);
};

const whoami = ({ accounts }: FakeCloudflare) =>
  JSON.stringify({
    loggedIn: true,
    authType: "OAuth Token",
    email: "owner@acme.example",
    accounts,
    tokenPermissions: ["account:read", "workers:write", "d1:write", "queues:write"],
  });

function migrate({ cloudflare, directory }: FakeMachine): ToolRun {
  const db = cloudflare.database();
  db.exec(
    "CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)",
  );
  const applied = new Set(
    db
      .prepare("SELECT name FROM d1_migrations")
      .all()
      .map(({ name }) => name),
  );
  const files = readdirSync(join(directory, "migrations")).filter((name) => name.endsWith(".sql"));
  const missing = files.toSorted().filter((name) => !applied.has(name));
  if (missing.length === 0) return ok("✅ No migrations to apply!");
  for (const name of missing) {
    db.exec(readFileSync(join(directory, "migrations", name), "utf8"));
    db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").run(name);
  }
  return ok("Migrations to be applied:\n🚣 Executed 12 commands in 3.2ms");
}

/** Uploads the generated configuration with its secrets and attaches triggers. */
function upload({ cloudflare, directory }: FakeMachine, args: string[]): ToolRun {
  const valueOf = (option: string) => args[args.indexOf(option) + 1] ?? "";
  const config = JSON.parse(readFileSync(join(directory, valueOf("--config")), "utf8"));
  const secrets: Record<string, string> = args.includes("--secrets-file")
    ? JSON.parse(readFileSync(join(directory, valueOf("--secrets-file")), "utf8"))
    : {};
  if (config.workers_dev && !cloudflare.subdomain) {
    return failed("▲ [WARNING] You need to register a workers.dev subdomain before publishing");
  }
  cloudflare.upload(config.name, [
    ...Object.entries(config.vars).map(([name, text]) => ({ type: "plain_text", name, text })),
    ...Object.entries(secrets).map(([name, text]) => ({ type: "secret_text", name, text })),
    { type: "d1", name: "DB", id: config.d1_databases[0].database_id },
    { type: "kv_namespace", name: "KV", namespace_id: config.kv_namespaces[0].id },
    { type: "durable_object_namespace", name: "PROJECT_SENDER", class_name: "ProjectSender" },
    ...(config.r2_buckets ?? []).map(({ binding, bucket_name }: Record<string, string>) => ({
      type: "r2_bucket",
      name: binding,
      bucket_name,
    })),
    ...config.queues.producers.map(({ binding, queue }: Record<string, string>) => ({
      type: "queue",
      name: binding,
      queue_name: queue,
    })),
  ]);
  for (const { queue } of config.queues.consumers) {
    const consumers = cloudflare.queues.get(queue)?.consumers;
    if (!consumers) return failed(`✘ [ERROR] Queue "${queue}" does not exist.`);
    if (consumers.length === 0) consumers.push({ script: config.name });
  }
  for (const { pattern } of config.routes ?? []) cloudflare.domains.set(pattern, config.name);
  cloudflare.crons = config.triggers.crons;
  return ok(
    "Uploaded postrider (3.21 sec)\nDeployed postrider triggers (1.02 sec)\n" +
      "Current Version ID: 6f9c1b1e-7d43-4d3c-8a11-2f0b9c0c1d11",
  );
}
