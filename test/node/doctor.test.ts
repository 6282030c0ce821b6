import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { logIn } from "../../scripts/cloudflare/login.ts";
import { readServiceConfig } from "../../scripts/cloudflare/service-config.ts";
import { judge, type Finding } from "../../scripts/doctor/checks.ts";
import { readDeployed } from "../../scripts/doctor/read-deployed.ts";
import type { Query } from "../../scripts/doctor/read-facts.ts";
import { readLocal } from "../../scripts/doctor/read-local.ts";
import { USED_BINDINGS } from "../../scripts/doctor/wanted.ts";
import { DEAD_LETTER, insertedEntry } from "./support/faults.ts";
import { newZone, type FakeRule, type FakeZone } from "./support/fake-email-routing.ts";
import { startFakeMachine, type FakeMachine } from "./support/fake-machine.ts";

const FORGET_MIGRATION = "DELETE FROM d1_migrations WHERE id = (SELECT max(id) FROM d1_migrations)";
const UNKNOWN_MIGRATION = "INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')";

let machine: FakeMachine;
beforeEach(async () => {
  machine = await startFakeMachine();
});
afterEach(async () => {
  await machine.cloudflare.stop();
  rmSync(machine.directory, { recursive: true });
});

const config = () => readServiceConfig(machine.directory, machine.env);

/** Returns the findings that are not "ok", as "check outcome". */
const troubles = (findings: Finding[]) =>
  findings.flatMap(({ check, outcome }) => (outcome === "ok" ? [] : [`${check} ${outcome}`]));
const find = (findings: Finding[], check: string) => findings.find((one) => one.check === check);

describe("npm run doctor -- --remote", () => {
  beforeEach(async () => {
    await machine.deploy();
    answer(200, { status: "ok", dead_letters: 0 });
  });

  const answer = (
    status: number,
    body: Record<string, unknown>,
    headers?: Record<string, string>,
  ) =>
    machine.service.set("https://postrider.acme.workers.dev", () =>
      Response.json(body, { status, headers: { Date: new Date(0).toUTCString(), ...headers } }),
    );
  const examine = async () => {
    const { api } = await logIn(machine, undefined);
    return judge(await readDeployed(machine, api, config()));
  };
  const exec = (sql: string) => machine.cloudflare.database().exec(sql);
  const worker = () => {
    const found = machine.cloudflare.workers.get("postrider");
    if (!found) throw new Error("there is no Worker");
    return found;
  };
  const setVariable = (name: string, text: string) => {
    const { bindings } = worker();
    worker().bindings = [
      ...bindings.filter((binding) => binding["name"] !== name),
      { type: "plain_text", name, text },
    ];
  };
  const setBaseUrl = (text: string) => setVariable("BASE_URL", text);
  const loseSecret = (name: string) => Reflect.deleteProperty(worker().secrets, name);
  const queue = (name: string) => {
    const found = machine.cloudflare.queues.get(`postrider-${name}`);
    if (!found) throw new Error(`there is no queue ${name}`);
    return found;
  };

  it("finds nothing wrong with a fresh deployment, and changes nothing", async () => {
    machine.cloudflare.calls = [];
    const findings = await examine();
    expect(findings).toHaveLength(10);
    expect(troubles(findings)).toEqual([]);
    expect(machine.cloudflare.changes()).toEqual([]);
  });

  it.each<[check: string, outcome: string, says: string, remedy: string, harm: () => unknown]>([
    ["bindings", "fault", "KV", "npm run deploy", () => dropBinding("KV")],
    ["bindings", "warning", "no image library", "enable R2", () => dropBinding("IMAGES")],
    [
      "secrets",
      "fault",
      "ENCRYPTION_KEY is missing",
      "old value",
      () => loseSecret("ENCRYPTION_KEY"),
    ],
    [
      "secrets",
      "fault",
      "SETUP_TOKEN is missing",
      "npm run deploy",
      () => loseSecret("SETUP_TOKEN"),
    ],
    ["migrations", "fault", ".sql not applied", "npm run deploy", () => exec(FORGET_MIGRATION)],
    ["migrations", "warning", "9999_later", "update", () => exec(UNKNOWN_MIGRATION)],
    [
      "queues",
      "fault",
      "webhook missing",
      "deploy",
      () => machine.cloudflare.queues.delete("postrider-webhook"),
    ],
    [
      "queues",
      "fault",
      "postrider-webhook without a consumer",
      "deploy",
      () => (queue("webhook").consumers = []),
    ],
    [
      "queues",
      "fault",
      "without a consumer",
      "deploy",
      () => (queue("webhook").consumers = [{ script: "shop" }]),
    ],
    [
      "cron triggers",
      "fault",
      '"17 3 * * *" missing',
      "npm run deploy",
      () => machine.cloudflare.crons.pop(),
    ],
    ["dead letters", "warning", "1 waiting for a replay", "18.5", () => exec(DEAD_LETTER)],
    ["dead letters", "warning", "3 on the queue", "18.5", () => (queue("dead").backlog = 3)],
    ["database", "warning", "85.0%", "soon", () => (machine.cloudflare.size = 8.5e9)],
    ["database", "fault", "95.0%", "LOG_RETENTION_DAYS", () => (machine.cloudflare.size = 9.5e9)],
    [
      "database",
      "fault",
      "96.0% of its limit",
      "sends no mail",
      () => {
        setVariable("STORAGE_LIMIT_BYTES", "500000000");
        machine.cloudflare.size = 4.8e8;
      },
    ],
    ["clock", "warning", "61 s ahead", "synchron", () => (machine.now = () => 61_000)],
    ["clock", "warning", "61 s behind", "synchron", () => (machine.now = () => -61_000)],
    ["clock", "fault", "in the future", "clock", () => exec(insertedEntry(86_400_000))],
    ["BASE_URL", "fault", "this machine", "--domain", () => setBaseUrl("http://127.0.0.1:8787")],
    ["BASE_URL", "fault", "ENOTFOUND", "DNS", () => machine.service.clear()],
    ["BASE_URL", "fault", "is not set", "npm run deploy", () => dropBinding("BASE_URL")],
    [
      "BASE_URL",
      "fault",
      "JWT_SECRET",
      "setting",
      () => answer(503, { error: "JWT_SECRET is bad" }),
    ],
    ["BASE_URL", "fault", "a page with status 200", "route", () => answer(200, { hello: "world" })],
  ])(
    "detects a problem with %s (%s: %s) and suggests a remedy",
    async (check, outcome, says, remedy, harm) => {
      harm();
      const findings = await examine();
      expect(troubles(findings)).toEqual([`${check} ${outcome}`]);
      expect(find(findings, check)?.says).toContain(says);
      expect(find(findings, check)?.remedy).toContain(remedy);
    },
  );

  const dropBinding = (name: string) => {
    worker().bindings = worker().bindings.filter((binding) => binding["name"] !== name);
  };

  const SUBDOMAIN = "bounce.acme.example";
  const ROUTED = ["12 route1.mx.cloudflare.net.", "34 route2.mx.cloudflare.net."];
  /** Makes a project with this return path; with `isPolled` it also has a bounce mailbox. */
  const addProject = (returnPath: string, isPolled = false) => {
    const domain = returnPath.slice(returnPath.indexOf("@") + 1);
    const settings = JSON.stringify({ returnPath });
    exec(`INSERT INTO projects (id, workspace_id, created_by, name, description, created_at, updated_at,
      bounce_settings, bounce_domain) VALUES ('p', 'w', 'u', 'n', '', 0, 0, '${settings}', '${domain}')`);
    if (isPolled)
      exec(`INSERT INTO bounce_imap (project_id, enabled, host, port, user, password_sealed, folder)
        VALUES ('p', 1, 'h', 993, 'u', '', 'INBOX')`);
  };
  const addZone = (name: string, change: Partial<FakeZone> = {}) =>
    machine.cloudflare.zones.set("zone", newZone(name, change));
  const rule = (value: string, enabled = true): FakeRule => ({
    enabled,
    matchers: [{ type: "literal", field: "to", value }],
    actions: [{ type: "worker", value: ["postrider"] }],
  });

  it.each<[given: string, outcome: string, says: string, remedy: string, make: () => unknown]>([
    [
      "a rule hands bounces to the Worker",
      "ok",
      `bounces+{token}@${SUBDOMAIN} is read`,
      "",
      () =>
        addZone("acme.example", {
          support_subaddress: true,
          rules: [rule(`bounces@${SUBDOMAIN}`)],
        }),
    ],
    [
      "the rule is switched off",
      "fault",
      "no Email Routing rule",
      `--bounce-domain ${SUBDOMAIN}`,
      () =>
        addZone("acme.example", {
          support_subaddress: true,
          rules: [rule(`bounces@${SUBDOMAIN}`, false)],
        }),
    ],
    [
      "subaddressing is off",
      "fault",
      "no Email Routing rule",
      "--bounce-domain",
      () => addZone("acme.example", { rules: [rule(`bounces@${SUBDOMAIN}`)] }),
    ],
    [
      "the rule is for another address",
      "fault",
      "no Email Routing rule",
      "bounces+{token}@",
      () => addZone("acme.example", { support_subaddress: true, rules: [rule(`b@${SUBDOMAIN}`)] }),
    ],
    [
      "the zone is of another account",
      "warning",
      "cannot read where",
      "Send to a Worker",
      () => addZone("other.example"),
    ],
    [
      "the login may not read the rules",
      "warning",
      "cannot read where",
      "subaddressing",
      () => {
        addZone("acme.example");
        const refusal = { status: 403, code: 10_000, message: "Authentication error" };
        machine.cloudflare.faults.push({ method: "GET", path: /\/rules$/, ...refusal });
      },
    ],
    [
      "the mail goes elsewhere and nobody polls it",
      "warning",
      "goes to 10 mx.acme.example., and 1 project(s)",
      "bounce mailbox",
      () => machine.names?.set(`MX ${SUBDOMAIN}`, ["10 mx.acme.example."]),
    ],
    [
      "the domain has no mail servers",
      "fault",
      "has no mail servers",
      "--bounce-domain",
      () => machine.names?.clear(),
    ],
  ])(
    "checks where bounces go, and suggests a remedy: %s (%s)",
    async (_, outcome, says, remedy, make) => {
      addProject(`bounces+{token}@${SUBDOMAIN}`);
      machine.names?.set(`MX ${SUBDOMAIN}`, ROUTED);
      make();
      machine.cloudflare.calls = [];
      expect(find(await examine(), "bounces")).toMatchObject({
        outcome,
        says: expect.stringContaining(says),
        remedy: expect.stringContaining(remedy),
      });
      expect(machine.cloudflare.changes()).toEqual([]);
    },
  );

  it("accepts a zone's catch-all rule, and a mailbox that is polled", async () => {
    const catchAll = { ...rule(""), matchers: [{ type: "all" }] };
    addZone("acme-bounces.example", { catchAll });
    addProject("{token}@acme-bounces.example");
    machine.names?.set("MX acme-bounces.example", ROUTED);
    expect(find(await examine(), "bounces")?.outcome).toBe("ok");
    exec("DELETE FROM projects");
    addProject("bounces+{token}@elsewhere.example", true);
    machine.names?.set("MX elsewhere.example", ["10 mx.elsewhere.example."]);
    expect(find(await examine(), "bounces")?.outcome).toBe("ok");
  });

  it("reports what it could not read, and reads the rest", async () => {
    const path = /\/queues$/;
    machine.cloudflare.faults.push({
      method: "GET",
      path,
      status: 403,
      code: 10_000,
      message: "no",
    });
    const findings = await examine();
    expect(troubles(findings)).toEqual(["queues fault", "dead letters fault"]);
    expect(find(findings, "queues")?.says).toContain(
      "cannot be read: Cloudflare refused GET /queues: no",
    );
  });

  it("reports that nothing is deployed", async () => {
    machine.cloudflare.workers.clear();
    await expect(examine()).rejects.toThrow("run `npm run deploy`");
  });
});

describe("npm run doctor", () => {
  const db = () => {
    const memory = new DatabaseSync(":memory:");
    memory.exec("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT)");
    for (const name of readdirSync("migrations").filter((file) => file.endsWith(".sql"))) {
      memory.exec(readFileSync(join("migrations", name), "utf8"));
      memory.prepare("INSERT INTO d1_migrations (name) VALUES (?)").run(name);
    }
    return memory;
  };
  const healthy = {
    JWT_SECRET: "j".repeat(32),
    ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
    SETUP_TOKEN: "t",
  };
  let memory: DatabaseSync;
  beforeEach(() => {
    memory = db();
    Object.assign(machine.env, healthy, {
      PORT: "18787",
      STATE_DIR: join(machine.directory, "state"),
    });
    machine.service.set("http://127.0.0.1:18787", () => Response.json({ status: "ok" }));
  });
  const query: Query = async <Row>(sql: string) => memory.prepare(sql).all() as Row[];
  const examine = async () => judge(await readLocal(machine, config(), query));
  const rewrite = (from: RegExp, to: string) => {
    const file = join(machine.directory, "wrangler.toml");
    const toml = readFileSync(file, "utf8");
    expect(toml).toMatch(from);
    writeFileSync(file, toml.replace(from, to));
  };
  const set = (name: string, value: string) => Object.assign(machine.env, { [name]: value });

  it("checks the bindings that the program uses", async () => {
    const { bindings } = config();
    expect(bindings.map(({ name }) => name).toSorted()).toEqual(USED_BINDINGS.toSorted());
  });

  it.each<[check: string, outcome: string, says: string, remedy: string, harm: () => unknown]>([
    [
      "bindings",
      "fault",
      "KV",
      "wrangler.toml",
      () => rewrite(/\[\[kv_namespaces\]\]\nbinding = "KV"/, ""),
    ],
    ["secrets", "fault", "JWT_SECRET is malformed", "npm start", () => set("JWT_SECRET", "short")],
    ["secrets", "fault", "ENCRYPTION_KEY is missing", "npm start", () => set("ENCRYPTION_KEY", "")],
    [
      "secrets",
      "fault",
      "ENCRYPTION_KEY is malformed",
      "copy",
      () => set("ENCRYPTION_KEY", "AAAA"),
    ],
    ["secrets", "fault", "SETUP_TOKEN is missing", "npm start", () => set("SETUP_TOKEN", "")],
    ["migrations", "warning", "9999_later", "update", () => memory.exec(UNKNOWN_MIGRATION)],
    [
      "queues",
      "fault",
      "postrider-webhook without a consumer",
      "wrangler.toml",
      () =>
        rewrite(
          /\[\[queues\.consumers\]\]\nqueue = "postrider-webhook"/,
          '[[queues.consumers]]\nqueue = "other"',
        ),
    ],
    ["dead letters", "warning", "1 wait", "18.5", () => memory.exec(DEAD_LETTER)],
    ["clock", "fault", "in the future", "clock", () => memory.exec(insertedEntry(86_400_000))],
    ["BASE_URL", "fault", "ENOTFOUND", "npm start", () => machine.service.clear()],
  ])(
    "detects a problem with %s (%s: %s) and suggests a remedy",
    async (check, outcome, says, remedy, harm) => {
      expect(troubles(await examine())).toEqual([]);
      harm();
      const findings = await examine();
      expect(troubles(findings)).toEqual([`${check} ${outcome}`]);
      expect(find(findings, check)?.says).toContain(says);
      expect(find(findings, check)?.remedy).toContain(remedy);
    },
  );

  it("reads nothing else from a database with a pending migration", async () => {
    memory.exec(FORGET_MIGRATION);
    const findings = await examine();
    expect(troubles(findings)).toEqual(["migrations fault", "dead letters fault", "clock fault"]);
    expect(find(findings, "migrations")?.remedy).toBe("run `npm start`");
    memory.exec("DROP TABLE d1_migrations");
    expect(find(await examine(), "migrations")?.outcome).toBe("fault");
  });
});
