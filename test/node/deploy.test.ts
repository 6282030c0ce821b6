import { existsSync, readFileSync, rmSync, statSync, writeFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readServiceConfig } from "../../scripts/cloudflare/service-config.ts";
import { OperatorError } from "../../scripts/command-line.ts";
import { chooseBaseUrl, refusalOf } from "../../scripts/deploy/base-url.ts";
import { dryRun } from "../../scripts/deploy/dry-run.ts";
import { readOptions } from "../../scripts/deploy/options.ts";
import { STEPS } from "../../scripts/deploy/plan.ts";
import type { Deps } from "../../src/deps.ts";
import { licenseFacts, LICENSED_FEATURES } from "../../src/services/licensing/index.ts";
import { ACCOUNT } from "./support/fake-cloudflare.ts";
import { failed, startFakeMachine, type FakeMachine } from "./support/fake-machine.ts";

const COPY_FILE = `.secrets/postrider-${ACCOUNT.id}.json`;

const LICENSE = { SERVICE_LICENSE_KEY: expect.any(String) };

let machine: FakeMachine;
beforeEach(async () => {
  machine = await startFakeMachine();
});
afterEach(async () => {
  await machine.cloudflare.stop();
  rmSync(machine.directory, { recursive: true });
});

const output = () => machine.said.join("\n");
const worker = () => machine.cloudflare.workers.get("postrider");
const readCopy = (): Record<string, string> =>
  JSON.parse(readFileSync(join(machine.directory, COPY_FILE), "utf8"));
const variable = (name: string) =>
  worker()?.bindings.find((binding) => binding["name"] === name)?.["text"];
const writeCopy = (text: string) => {
  mkdirSync(join(machine.directory, ".secrets"));
  writeFileSync(join(machine.directory, COPY_FILE), text);
};
const register = () =>
  machine.cloudflare
    .database()
    .exec(
      "INSERT INTO users (id, email, name, password_hash, created_at, updated_at) VALUES ('u', 'a@b.example', 'A', 'h', 0, 0)",
    );

/** Makes the API refuse one call. */
const refuse =
  (method: string, path: RegExp, code = 10_000, message = "internal error") =>
  () =>
    machine.cloudflare.faults.push({ method, path, status: 500, code, message });
/** Makes one command of wrangler fail. */
const break_ =
  (command: string, stderr = "✘ [ERROR] fetch failed") =>
  () =>
    machine.wranglerFaults.set(command, failed(stderr));

describe("npm run deploy", () => {
  it.each<[step: string, says: string, fault: () => unknown]>([
    ["login", "npx wrangler login", () => notLoggedIn()],
    ["login", "fetch failed", break_("whoami")],
    ["login", "`wrangler auth token` failed", break_("auth token")],
    ["types", "error TS2322", () => breakTypes()],
    ["build", "Could not resolve", break_("deploy --dry-run", "✘ [ERROR] Could not resolve")],
    ["address", "internal error [code: 10000]", refuse("GET", /scripts\/postrider\/settings/)],
    ["address", "internal error", refuse("GET", /workers\/subdomain/)],
    ["address", "--domain", () => (machine.cloudflare.subdomain = undefined)],
    ["address", "internal error", refuse("GET", /queues/)],
    ["database", "internal error", refuse("GET", /d1\/database/)],
    ["database", "maximum number", refuse("POST", /d1\/database$/, 7406, "maximum number")],
    ["namespaces", "internal error", refuse("GET", /kv\/namespaces/)],
    ["namespaces", "internal error", refuse("POST", /kv\/namespaces/)],
    ["bucket", "internal error", refuse("POST", /r2\/buckets/)],
    ["queues", "internal error", refuse("POST", /queues/)],
    ["migrations", "fetch failed", break_("d1 migrations apply")],
    ["migrations", "internal error", refuse("POST", /d1\/database\/[^/]+\/query/)],
    ["migrations", "0000", () => machine.wranglerFaults.set("d1 migrations", ranWell)],
    ["secrets", "internal error", () => refuseQuery(4)],
    ["secrets", "is not a JSON object", () => writeCopy("{")],
    ["secrets", "cannot write", () => writeFileSync(join(machine.directory, ".secrets"), "")],
    ["deploy", "fetch failed", break_("deploy --config")],
    ["health", "did not answer within 5 minutes (getaddrinfo", () => machine.service.clear()],
    ["health", "refuses to work: JWT_SECRET is", () => answer(503, { error: "JWT_SECRET is …" })],
  ])(
    "stops at %s (%s), lists what is left, and continues from there",
    async (step, says, fault) => {
      const service = new Map(machine.service);
      fault();
      const refusal = await machine.deploy().catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(OperatorError);
      const at = STEPS.findIndex((name) => name === step);
      expect(String(refusal)).toContain(`Done: ${STEPS.slice(0, at).join(", ") || "nothing"}.`);
      expect(String(refusal)).toContain(`Remaining: ${STEPS.slice(at).join(", ")}.`);
      expect(output()).toMatch(new RegExp(`^FAILED  ${step} `, "m"));
      expect(output()).toContain(says);
      const made =
        existsSync(join(machine.directory, COPY_FILE)) && step !== "secrets" && readCopy();

      // The cause is removed, and the same command completes the deployment.
      machine.cloudflare.subdomain = "acme";
      machine.service = service;
      machine.runCompiler = async () => ({ status: 0, stdout: "", stderr: "" });
      if (step === "secrets")
        rmSync(join(machine.directory, ".secrets"), { recursive: true, force: true });
      await machine.deploy();
      expect(machine.cloudflare.databases.size).toBe(1);
      expect(machine.cloudflare.namespaces.size).toBe(1);
      expect(
        machine.cloudflare.changes().filter((call) => call === "POST /queues").length,
      ).toBeLessThan(9);
      expect(machine.cloudflare.queues.size).toBe(5);
      expect(worker()?.secrets).toEqual({ ...readCopy(), ...LICENSE });
      if (made) expect(readCopy()).toEqual(made);
    },
  );

  it("names the variable that a proxy needs if the API does not respond", async () => {
    const advice = "Behind a proxy, set NODE_USE_ENV_PROXY=1 besides HTTPS_PROXY";
    machine.fetch = () => Promise.reject(new TypeError("fetch failed"));
    const saysIn = async (env: Record<string, string>) => {
      Object.assign(machine.env, env);
      await expect(machine.deploy()).rejects.toThrow(OperatorError);
      return machine.said.splice(0).join("\n");
    };
    expect(await saysIn({})).not.toContain("proxy");
    expect(await saysIn({ HTTPS_PROXY: "http://proxy.example" })).toContain(
      `could not be reached (GET /workers/scripts/postrider/settings): fetch failed. ${advice}`,
    );
    expect(await saysIn({ NODE_USE_ENV_PROXY: "1" })).not.toContain(advice);
  });

  it("creates nothing if another Worker of the account consumes its queues", async () => {
    machine.env["WRANGLER_CI_OVERRIDE_NAME"] = "second";
    machine.cloudflare.queues.set("postrider-webhook", {
      consumers: [{ script: "postrider" }],
      backlog: 0,
    });
    await expect(machine.deploy()).rejects.toThrow("Done: login, types, build.");
    expect(output()).toContain(
      'the Worker "postrider" of this account consumes the queue postrider-webhook',
    );
    expect(machine.cloudflare.changes()).toEqual([]);
  });

  const ranWell = { status: 0, stdout: "", stderr: "" };
  /** Refuses the query after some others. */
  const refuseQuery = (nth: number) => {
    const send = machine.fetch;
    let queries = 0;
    machine.fetch = async (url, init) => {
      if (!url.endsWith("/query")) return send(url, init);
      queries += 1;
      if (queries === nth) refuse("POST", /query/)();
      return send(url, init);
    };
  };
  const notLoggedIn = () =>
    machine.wranglerFaults.set("whoami", failed("", '{\n  "loggedIn": false\n}'));
  const breakTypes = () => {
    machine.runCompiler = async () => failed("", "src/a.ts(1,1): error TS2322: no");
  };
  const answer = (status: number, body: Record<string, string>) =>
    machine.service.set("https://postrider.acme.workers.dev", () =>
      Response.json(body, { status }),
    );

  it("leaves a Worker after an interrupted first upload with its keys, and keeps them", async () => {
    const upload = machine.runWrangler;
    machine.runWrangler = async (args) => {
      const run = await upload(args);
      return args[1] === "--config" ? failed("✘ [ERROR] the triggers were not deployed") : run;
    };
    await expect(machine.deploy()).rejects.toThrow("Remaining: deploy, health, account");
    const keys = { ...worker()?.secrets };
    machine.runWrangler = upload;
    await machine.deploy();
    expect(worker()?.secrets).toEqual(keys);
  });

  it("uploads no secret file that others can read and leaves none behind", async () => {
    const upload = machine.runWrangler;
    const modes: number[] = [];
    const file = join(machine.directory, ".cache/deploy/secrets.json");
    machine.runWrangler = async (args) => {
      if (args.includes("--secrets-file")) modes.push(statSync(file).mode & 0o777);
      return upload(args);
    };
    await machine.deploy();
    expect(modes).toEqual([0o600]);
    expect(existsSync(file)).toBe(false);
    expect(statSync(join(machine.directory, COPY_FILE)).mode & 0o777).toBe(0o600);
    for (const secret of Object.values(readCopy())) {
      expect(machine.wranglerCalls.join("\n")).not.toContain(secret);
    }
    expect(readFileSync(".gitignore", "utf8")).toMatch(/^\.secrets\/$/m);
  });

  it("updates with the migrations first, creates nothing again and asks for no setup", async () => {
    await machine.deploy();
    register();
    const migration = join(machine.directory, "migrations", "9998_update.sql");
    writeFileSync(migration, "CREATE TABLE of_the_update (id TEXT);");
    machine.cloudflare.calls = [];
    machine.wranglerCalls = [];
    machine.said.length = 0;
    const before = structuredClone(worker());
    await machine.deploy();
    expect(machine.cloudflare.changes()).toEqual([]);
    expect(worker()).toEqual(before);
    const changing = machine.wranglerCalls.filter((call) => call.includes("--config"));
    expect(machine.cloudflare.database().prepare("SELECT * FROM of_the_update").all()).toEqual([]);
    expect(changing.map((call) => call.split(" --")[0])).toEqual([
      "d1 migrations apply DB",
      "deploy",
    ]);
    machine.wranglerCalls = [];
    await machine.deploy();
    expect(machine.wranglerCalls.join("\n")).not.toContain("migrations");
    expect(output()).not.toContain("setup");
  });

  it("asks for a workers.dev subdomain if the account has none, and registers it", async () => {
    machine.cloudflare.subdomain = undefined;
    const answers = ["-no-", "Acme"];
    machine.ask = async (question) =>
      question.startsWith("Where") ? "weur" : (answers.shift() ?? "");
    await expect(machine.deploy()).rejects.toThrow("Remaining: address");
    await machine.deploy();
    expect(machine.cloudflare.subdomain).toBe("acme");
    expect(variable("BASE_URL")).toBe("https://postrider.acme.workers.dev");
  });

  it("needs no workers.dev subdomain for a custom domain", async () => {
    machine.cloudflare.subdomain = undefined;
    machine.service.set("https://mail.acme.example", () => Response.json({ status: "ok" }));
    await machine.deploy({ domain: "mail.acme.example" });
    expect(machine.cloudflare.subdomain).toBeUndefined();
    expect(variable("BASE_URL")).toBe("https://mail.acme.example");
  });

  it("keeps the database of the deployed Worker although another one has the name", async () => {
    await machine.deploy();
    const bound = variableId("DB");
    const [[first, database] = []] = machine.cloudflare.databases;
    if (!first || !database) throw new Error("no database");
    machine.cloudflare.databases.set(first, { ...database, name: "renamed" });
    machine.cloudflare.createDatabase("postrider");
    await machine.deploy();
    expect(variableId("DB")).toBe(bound);
    expect(machine.cloudflare.databases.size).toBe(2);
  });

  const variableId = (name: string) =>
    worker()?.bindings.find((binding) => binding["name"] === name)?.["id"];

  const bucketOf = () => worker()?.bindings.find(({ name }) => name === "IMAGES")?.["bucket_name"];

  it("binds the bucket of images, and keeps the one that the Worker has", async () => {
    await machine.deploy({ location: "weur" });
    expect(machine.cloudflare.buckets).toEqual(new Map([["postrider-images", "weur"]]));
    expect(bucketOf()).toBe("postrider-images");
    const bound = worker()?.bindings.find(({ name }) => name === "IMAGES");
    Object.assign(bound ?? {}, { bucket_name: "renamed" });
    await machine.deploy();
    expect(bucketOf()).toBe("renamed");
    expect(machine.cloudflare.buckets.size).toBe(1);
  });

  it.each([
    [403, 10_042, "Please enable R2 through the Cloudflare Dashboard."],
    [403, 10_000, "Authentication error"],
  ])(
    "deploys without images if R2 answers %i (code %i), and with them later",
    async (...refused) => {
      const [status, code, message] = refused;
      machine.cloudflare.faults.push({
        method: "POST",
        path: /r2\/buckets/,
        status,
        code,
        message,
      });
      await machine.deploy();
      expect(bucketOf()).toBeUndefined();
      expect(output()).toMatch(/^ok {6}bucket .*no image library .*enable R2/m);
      // A bucket of an earlier attempt is found.
      machine.cloudflare.buckets.set("postrider-images", undefined);
      await machine.deploy();
      expect(bucketOf()).toBe("postrider-images");
    },
  );

  it("does not replace another program of the same name", async () => {
    machine.cloudflare.upload("postrider", [{ type: "plain_text", name: "X", text: "y" }]);
    await expect(machine.deploy()).rejects.toThrow("Remaining: address");
    expect(output()).toContain('another Worker named "postrider"');
    expect(machine.cloudflare.changes()).toEqual([]);
  });

  it("asks once for the location of a new database, and only then", async () => {
    const questions: string[] = [];
    machine.ask = async (question) => {
      questions.push(question);
      return "weur";
    };
    await machine.deploy();
    await machine.deploy();
    expect(questions).toHaveLength(1);
    expect([...machine.cloudflare.databases.values()]).toEqual([
      expect.objectContaining({ location: "weur" }),
    ]);
  });

  it("asks again after a mistyped location, and lists the locations", async () => {
    const questions: string[] = [];
    const answers = ["mars", "WEUR"];
    machine.ask = async (question) => {
      questions.push(question);
      return answers.shift() ?? "";
    };
    await machine.deploy();
    expect(questions).toEqual([
      expect.stringContaining("Where should the database be?"),
      expect.stringMatching(/^The location must be one of weur, eeur, .*\nLocation /),
    ]);
    expect([...machine.cloudflare.databases.values()]).toEqual([
      expect.objectContaining({ location: "weur" }),
    ]);
  });

  it("does not choose an account arbitrarily", async () => {
    machine.cloudflare.accounts = [ACCOUNT, { id: "f".repeat(32), name: "Other" }];
    await expect(machine.deploy()).rejects.toThrow("Remaining: login");
    expect(output()).toContain(`--account ID:\n  ${ACCOUNT.id}  Acme`);
    await machine.deploy({ account: ACCOUNT.id });
    expect(machine.env["CLOUDFLARE_ACCOUNT_ID"]).toBe(ACCOUNT.id);
  });

  it("prints a setup link and the request that uses its token until there is an account", async () => {
    await machine.deploy();
    const { SETUP_TOKEN: token } = readCopy();
    expect(output()).toContain(`https://postrider.acme.workers.dev/setup#token=${token}`);
    const body = /-d '(.+)'/.exec(output())?.[1] ?? "";
    expect(JSON.parse(body)).toMatchObject({ setup_token: token, email: expect.any(String) });
    // docs/deployment.md goes on with this session.
    expect(output()).toContain(`-d '${body}' -c cookies.txt`);
    machine.said.length = 0;
    await machine.deploy();
    expect(output()).toContain(`/setup#token=${token}`);
  });
});

describe("the secrets of a deployment", () => {
  it("are kept, except for a new setup token if this machine does not know the old one", async () => {
    await machine.deploy();
    const first = { ...worker()?.secrets };
    rmSync(join(machine.directory, ".secrets"), { recursive: true });
    await machine.deploy();
    const { SETUP_TOKEN: token, ...keys } = worker()?.secrets ?? {};
    const { SETUP_TOKEN: _, ...lasting } = first;
    expect(keys).toEqual(lasting);
    expect(token).not.toBe(first["SETUP_TOKEN"]);
    expect(readCopy()).toEqual({ SETUP_TOKEN: token });
  });

  it("are added to the existing copy", async () => {
    writeCopy('{"JWT_SECRET":"kept"}');
    await machine.deploy();
    expect(readCopy()).toMatchObject({ JWT_SECRET: "kept", ENCRYPTION_KEY: expect.any(String) });
    expect(worker()?.secrets).toEqual({ ...readCopy(), ...LICENSE });
  });

  it("are restored from the copy if the Worker was deleted", async () => {
    await machine.deploy();
    const first = { ...worker()?.secrets };
    register();
    machine.cloudflare.workers.clear();
    await machine.deploy();
    const { SETUP_TOKEN: _, ...keys } = first;
    expect(worker()?.secrets).toEqual({ ...keys, ...LICENSE });
  });

  it("are not regenerated for a database that is in use", async () => {
    await machine.deploy();
    register();
    machine.cloudflare.workers.clear();
    rmSync(join(machine.directory, ".secrets"), { recursive: true });
    await expect(machine.deploy()).rejects.toThrow("Remaining: secrets");
    expect(output()).toContain("lacks JWT_SECRET and ENCRYPTION_KEY");
    expect(output()).toContain(COPY_FILE);
    expect(worker()).toBeUndefined();
  });

  it("are neither generated nor printed in CI builds, because nobody would have the copy", async () => {
    machine.env["CI"] = "true";
    await machine.deploy();
    expect(worker()?.secrets).toEqual(LICENSE);
    expect(existsSync(join(machine.directory, COPY_FILE))).toBe(false);
    expect(output()).toContain("set JWT_SECRET, ENCRYPTION_KEY, SETUP_TOKEN in the dashboard");
    const license = worker()?.secrets["SERVICE_LICENSE_KEY"] ?? "";
    const keys = {
      JWT_SECRET: "j",
      ENCRYPTION_KEY: "e",
      SETUP_TOKEN: "the-token",
      SERVICE_LICENSE_KEY: license,
    };
    worker()!.secrets = { ...keys };
    await machine.deploy();
    expect(worker()?.secrets).toEqual(keys);
    expect(output()).not.toContain("the-token");
  });
});

describe("the license of a deployment", () => {
  /** Features that the deployed Worker has. */
  const features = async () => {
    const licenseKey = worker()?.secrets["SERVICE_LICENSE_KEY"] ?? "";
    const licensePublicKey = variable("LICENSE_PUBLIC_KEY") ?? "";
    const config = { licenseKey, licensePublicKey, deploymentMode: "cloud" };
    return (await licenseFacts({ config, now: () => Date.now() } as unknown as Deps)).features;
  };

  it("covers all features and is the same after an update, without a key on this machine", async () => {
    await machine.deploy();
    expect(output()).toContain("signed a license for all features");
    expect(await features()).toEqual(LICENSED_FEATURES);
    expect(Object.keys(readCopy())).toEqual(["JWT_SECRET", "ENCRYPTION_KEY", "SETUP_TOKEN"]);
    const license = worker()?.secrets["SERVICE_LICENSE_KEY"];
    machine.said.length = 0;
    await machine.deploy({ signsLicense: false });
    await machine.deploy();
    expect(output()).not.toContain("license");
    expect(worker()?.secrets["SERVICE_LICENSE_KEY"]).toBe(license);
    expect(await features()).toEqual(LICENSED_FEATURES);
  });

  it("is not signed with --no-license, and later without it", async () => {
    await machine.deploy({ signsLicense: false });
    expect(worker()?.secrets).not.toHaveProperty("SERVICE_LICENSE_KEY");
    expect(await features()).toEqual([]);
    await machine.deploy();
    expect(await features()).toEqual(LICENSED_FEATURES);
  });

  it("is the operator's if wrangler.toml has a public key or the Worker has a license", async () => {
    const file = join(machine.directory, "wrangler.toml");
    const toml = readFileSync(file, "utf8");
    writeFileSync(file, toml.replace("[vars]", '[vars]\nLICENSE_PUBLIC_KEY = "own"'));
    await machine.deploy();
    expect(variable("LICENSE_PUBLIC_KEY")).toBe("own");
    expect(worker()?.secrets).not.toHaveProperty("SERVICE_LICENSE_KEY");
    writeFileSync(file, toml);
    worker()!.secrets["SERVICE_LICENSE_KEY"] = "theirs";
    await machine.deploy();
    expect(variable("LICENSE_PUBLIC_KEY")).toBe("own");
    expect(worker()?.secrets["SERVICE_LICENSE_KEY"]).toBe("theirs");
  });
});

describe("the public URL of a deployment", () => {
  const none = {
    domain: undefined,
    configured: undefined,
    deployed: undefined,
    workersDevHost: undefined,
  };

  it.each([
    ["http://127.0.0.1:8787", "this machine"],
    ["https://127.8.8.8", "this machine"],
    ["https://localhost", "this machine"],
    ["https://mail.localhost", "this machine"],
    ["https://[::1]", "this machine"],
    ["https://[::ffff:127.0.0.1]", "this machine"],
    ["https://0.0.0.0", "this machine"],
    ["https://10.0.0.1", "this machine"],
    ["https://postrider", "this machine"],
    ["http://mail.example.com", "https"],
    ["https://mail.example.com/x", "path"],
    ["mail.example.com", "not a URL"],
  ])("is never %s", (address, says) => {
    expect(refusalOf(address)).toContain(says);
    expect(() => chooseBaseUrl({ ...none, configured: address })).toThrow(says);
    // A Worker that was deployed with it gets a public one.
    const workersDevHost = "p.acme.workers.dev";
    const { baseUrl } = chooseBaseUrl({ ...none, deployed: address, workersDevHost });
    expect(baseUrl).toBe("https://p.acme.workers.dev");
  });

  it("aborts a deployment before anything is created if wrangler.toml has a loopback one", async () => {
    const file = join(machine.directory, "wrangler.toml");
    const toml = readFileSync(file, "utf8");
    writeFileSync(file, toml.replace("[vars]", '[vars]\nBASE_URL = "http://127.0.0.1:8787"'));
    await expect(machine.deploy()).rejects.toThrow("Remaining: address");
    expect(output()).toContain("BASE_URL http://127.0.0.1:8787 points to this machine");
    expect(machine.cloudflare.changes()).toEqual([]);
  });

  it("is the custom domain, remains so on an update, and comes with a warning about emailed links", async () => {
    await machine.deploy();
    machine.service.set("https://mail.acme.example", () => Response.json({ status: "ok" }));
    await machine.deploy({ domain: "mail.acme.example" });
    expect(variable("BASE_URL")).toBe("https://mail.acme.example");
    expect(machine.cloudflare.domains.get("mail.acme.example")).toBe("postrider");
    expect(output()).toContain("links in sent emails point to https://postrider.acme.workers.dev");
    machine.names?.set("mail.acme.example", ["104.16.0.1"]);
    await machine.deploy();
    await machine.deploy({ domain: "mail.acme.example" });
    expect(variable("BASE_URL")).toBe("https://mail.acme.example");
  });

  it.each<[string, string, () => unknown]>([
    [
      "the mail server",
      "203.0.113.5",
      () => machine.names?.set("mail.acme.example", ["203.0.113.5"]),
    ],
    ["another Worker", '"shop"', () => machine.cloudflare.domains.set("mail.acme.example", "shop")],
    ["nobody knows what", "code 2", () => (machine.names = undefined)],
  ])("does not take a name that points to %s", async (_, says, fault) => {
    fault();
    await expect(machine.deploy({ domain: "mail.acme.example" })).rejects.toThrow(
      "Remaining: address",
    );
    expect(output()).toContain(says);
    expect(machine.cloudflare.changes()).toEqual([]);
  });

  it("replaces DNS records if the operator requests it", async () => {
    machine.names?.set("mail.acme.example", ["203.0.113.5"]);
    machine.service.set("https://mail.acme.example", () => Response.json({ status: "ok" }));
    await machine.deploy({ domain: "mail.acme.example", replacesDns: true });
    expect(machine.cloudflare.domains.get("mail.acme.example")).toBe("postrider");
  });
});

describe("npm run deploy -- --dry-run", () => {
  it("shows every step, bundles what would be uploaded, and needs neither login nor network", async () => {
    machine.fetch = () => Promise.reject(new Error("no network"));
    const config = readServiceConfig(machine.directory, {});
    const flags = { replacesDns: false, signsLicense: true, isDryRun: true };
    const options = { location: "weur", account: undefined, ...flags };
    await dryRun(machine, config, { ...options, domain: "mail.acme.example" });
    for (const step of STEPS) expect(output()).toMatch(new RegExp(`^plan    ${step} `, "m"));
    expect(output()).toContain("https://mail.acme.example");
    expect(output()).toContain("create it in weur");
    expect(machine.wranglerCalls).toEqual([
      "deploy --dry-run --config .cache/deploy/wrangler.json",
    ]);
    expect(machine.cloudflare.calls).toEqual([]);
    expect(existsSync(join(machine.directory, COPY_FILE))).toBe(false);
    machine.wranglerFaults.set("deploy --dry-run", failed("✘ [ERROR] Could not resolve"));
    await expect(dryRun(machine, config, { ...options, domain: undefined })).rejects.toThrow(
      "resolve",
    );
  });
});

describe("the options of a deployment", () => {
  it("are read from the command line, and the account also from the environment", () => {
    const args = ["--domain", "Mail.Example.com", "--location", "apac", "--replace-dns"];
    expect(readOptions(args, { CLOUDFLARE_ACCOUNT_ID: "a" })).toEqual({
      domain: "mail.example.com",
      location: "apac",
      account: "a",
      replacesDns: true,
      signsLicense: true,
      isDryRun: false,
    });
    for (const option of ["--no-license", "--no-licence"])
      expect(readOptions([option], {}).signsLicense).toBe(false);
  });

  it.each([
    ["--domain", "localhost"],
    ["--domain", "127.0.0.1"],
    ["--domain", "https://mail.example.com"],
    ["--domain", "x.acme.workers.dev"],
    ["--location", "mars"],
  ])("%s is not %s", (option, value) => {
    expect(() => readOptions([option, value], {})).toThrow(`${option} `);
  });
});

describe("the form of Deploy to Cloudflare", () => {
  it("asks for the secrets of a deployment without proposing any, and explains every setting", async () => {
    const example = parseEnv(readFileSync(".dev.vars.example", "utf8"));
    expect(example).toEqual({ JWT_SECRET: "", ENCRYPTION_KEY: "", SETUP_TOKEN: "" });
    const { cloudflare, scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    const { variables } = readServiceConfig(machine.directory, {});
    for (const name of [...Object.keys(example), ...Object.keys(variables), "DB", "KV"]) {
      expect(cloudflare.bindings[name].description).toMatch(/\.$/);
    }
    expect(scripts.deploy).toMatch(/ scripts\/deploy\.ts$/);
  });
});
