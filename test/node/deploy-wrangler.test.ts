import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { wranglerIn, type RunTool, type ToolRun } from "../../scripts/cloudflare/run-tool.ts";
import { readServiceConfig } from "../../scripts/cloudflare/service-config.ts";
import { deployService } from "../../scripts/deploy/deploy-service.ts";
import type { Environment } from "../../scripts/local/settings.ts";
import { ACCOUNT, FakeCloudflare } from "./support/fake-cloudflare.ts";

// The real wrangler against an account in memory: the account checks what wrangler sends, and
// wrangler what the account answers.

const CLONE = [
  "assets",
  "src",
  "migrations",
  "node_modules",
  "package.json",
  "tsconfig.json",
  "wrangler.toml",
];
const BASE_URL = "https://postrider.acme.workers.dev";

/** Returns a clone, which is removed at the end of the test. */
function newClone(): string {
  const directory = mkdtempSync(join(tmpdir(), "postrider-clone-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const name of CLONE) symlinkSync(join(process.cwd(), name), join(directory, name));
  return directory;
}

/** Runs a command that changes nothing once: the update gets the outcome of the deployment. */
function rememberReadings(runWrangler: RunTool): RunTool {
  const known = new Map<string, Promise<ToolRun>>();
  return (args, onLine) => {
    const command = args.join(" ");
    if (!/^(whoami|auth token|deploy --dry-run)\b/.test(command)) return runWrangler(args, onLine);
    const run = known.get(command) ?? runWrangler(args, onLine);
    known.set(command, run);
    return run;
  };
}

describe("the installed wrangler", () => {
  it("deploys a fresh clone with nothing but a login, and updates it without touching a secret", async () => {
    const directory = newClone();
    const cloudflare = new FakeCloudflare();
    onTestFinished(async () => {
      await cloudflare.stop();
    });
    const env: Environment = {
      HOME: directory,
      XDG_CONFIG_HOME: directory,
      CLOUDFLARE_API_BASE_URL: await cloudflare.start(),
      CLOUDFLARE_API_TOKEN: "token",
      CI: undefined,
    };
    const said: string[] = [];
    const config = readServiceConfig(directory, env);
    const machine = {
      directory,
      env,
      runWrangler: rememberReadings(wranglerIn(directory, env)),
      // The checks of the repository cover the types.
      runCompiler: async () => ({ status: 0, stdout: "", stderr: "" }),
      fetch: (url: string, init?: RequestInit) =>
        url === `${BASE_URL}/health`
          ? Promise.resolve(Response.json({ status: "ok" }))
          : fetch(url, init),
      ask: undefined,
      say: (line: string) => said.push(line),
      now: () => 0,
      wait: async () => undefined,
    };
    const options = {
      domain: undefined,
      location: "weur",
      account: undefined,
      replacesDns: false,
      signsLicense: true,
      isDryRun: false,
    };
    await deployService(machine, config, options);

    const worker = cloudflare.workers.get("postrider");
    expect(worker?.bindings).toContainEqual({
      name: "BASE_URL",
      type: "plain_text",
      text: BASE_URL,
    });
    expect(config.bindings.length).toBeGreaterThan(5);
    for (const binding of config.bindings) {
      expect(worker?.bindings).toContainEqual(expect.objectContaining(binding));
    }
    expect([...cloudflare.databases.values()]).toEqual([
      expect.objectContaining({ name: "postrider", location: "weur" }),
    ]);
    const applied = cloudflare.database().prepare("SELECT name FROM d1_migrations").all();
    const files = readdirSync("migrations").filter((name) => name.endsWith(".sql"));
    expect(applied.map(({ name }) => name)).toEqual(files.toSorted());
    expect(cloudflare.crons).toEqual(["* * * * *", "*/5 * * * *", "17 3 * * *"]);
    for (const { queue } of config.consumers) {
      expect(cloudflare.queues.get(queue)?.consumers).toHaveLength(1);
    }
    const copyFile = join(directory, ".secrets", `postrider-${ACCOUNT.id}.json`);
    expect(statSync(copyFile).mode & 0o777).toBe(0o600);
    const copy: object = JSON.parse(readFileSync(copyFile, "utf8"));
    expect(worker?.secrets).toEqual({ ...copy, SERVICE_LICENSE_KEY: expect.any(String) });
    expect(said.join("\n")).toContain(`${BASE_URL}/setup#token=${worker?.secrets["SETUP_TOKEN"]}`);

    cloudflare
      .database()
      .exec(
        "INSERT INTO users (id, email, name, password_hash, created_at, updated_at) VALUES ('u', 'a@b.example', 'A', 'h', 0, 0)",
      );
    cloudflare.calls = [];
    said.length = 0;
    cloudflare.queues.delete("postrider-wake"); // as a version that had no such queue would leave it
    await deployService(machine, config, options);
    const creations = cloudflare.changes().filter((call) => /d1|kv|POST \/queues$/.test(call));
    expect(creations).toEqual(["POST /queues"]);
    expect(cloudflare.queues.get("postrider-wake")?.consumers).toHaveLength(1);
    const updated = cloudflare.workers.get("postrider");
    expect(updated?.secrets).toEqual(worker?.secrets);
    const publicKey = worker?.bindings.find(({ name }) => name === "LICENSE_PUBLIC_KEY");
    expect(publicKey).toMatchObject({ text: expect.stringMatching(/=$/) });
    expect(updated?.bindings).toContainEqual(publicKey);
    expect(said.join("\n")).not.toContain("setup");
  }, 300_000);
});
