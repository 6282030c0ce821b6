import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { createInterface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import {
  createAccountStatements,
  resetPasswordStatements,
} from "../../scripts/accounts/account-statements.ts";
import { createAccount } from "../../scripts/accounts/create-account.ts";
import { sqlLiteral } from "../../scripts/accounts/sql-literal.ts";
import { withDatabase } from "../../scripts/accounts/with-database.ts";
import { OperatorError } from "../../scripts/command-line.ts";
import { applyLocalMigrations } from "../../scripts/local/apply-migrations.ts";
import { openLocalDatabase } from "../../scripts/local/local-database.ts";
import { startProcessGroup } from "../../scripts/local/process-group.ts";
import { readAnswer } from "../../scripts/read-answer.ts";
import { throwCause } from "../../scripts/local/explain-failure.ts";
import { readMemory } from "../../scripts/local/memory.ts";
import { createServiceClient } from "../../scripts/local/service-client.ts";
import { createServiceLog } from "../../scripts/local/service-log.ts";
import { openFirstAccount } from "../../scripts/local/first-account.ts";

const NODE = resolve("node_modules/.bin/node");
const directory = mkdtempSync(join(tmpdir(), "postrider-test-"));
afterAll(() => rmSync(directory, { recursive: true }));

describe("the first account", () => {
  /** A service without accounts, and starts on one state directory. */
  const newService = async () => {
    const accounts = new Map<string, string>();
    const service = { accounts, breaksOff: false };
    const server = createServer((request, response) => {
      const reply = async () => {
        const { email, password } = JSON.parse(await text(request));
        if (request.url?.endsWith("/register")) {
          response.statusCode = accounts.size > 0 ? 403 : 201;
          if (accounts.size === 0) accounts.set(email, password);
          if (service.breaksOff) return request.socket.destroy();
        } else if (accounts.get(email) === password) {
          response.setHeader("Set-Cookie", "session=s");
        } else response.statusCode = 401;
        response.end("{}");
      };
      void reply();
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const stateDir = mkdtempSync(join(directory, "state-"));
    const begin = (ownerEmail?: string, ownerPassword?: string) =>
      openFirstAccount({ address, stateDir, setupToken: "t", ownerEmail, ownerPassword });
    return { service, begin, close: () => server.close() };
  };

  it("keeps its owner after a start with a mistyped OWNER_EMAIL", async () => {
    const { service, begin, close } = await newService();
    const owner = { outcome: "logged_in", email: "owner@example.com" };
    expect(await begin()).toMatchObject(owner);
    expect(await begin("onwer@example.com")).toMatchObject({ outcome: "refused" });
    expect(await begin()).toMatchObject(owner);
    service.accounts.set("second@example.com", "second password");
    expect(await begin("second@example.com", "second password")).toMatchObject({
      outcome: "logged_in",
    });
    expect(await begin()).toMatchObject(owner);
    close();
  });

  it("keeps its owner after a start that ended before it recorded the account", async () => {
    const { service, begin, close } = await newService();
    service.breaksOff = true;
    await expect(begin("ann@example.com")).rejects.toThrow("did not answer");
    service.breaksOff = false;
    const owner = { outcome: "logged_in", email: "ann@example.com" };
    expect(await begin()).toMatchObject(owner);
    expect(await begin()).toMatchObject(owner);
    close();
  });

  it("is the default one after a start that ended before it created the account", async () => {
    const { service, begin, close } = await newService();
    service.breaksOff = true;
    await expect(begin("onwer@example.com")).rejects.toThrow("did not answer");
    service.breaksOff = false;
    service.accounts.clear();
    const owner = { outcome: "logged_in", email: "owner@example.com" };
    expect(await begin()).toMatchObject(owner);
    expect(await begin()).toMatchObject(owner);
    close();
  });
});

describe("the memory of earlier starts", () => {
  it.each(["", "{", "null", "[]"])(
    "is rejected with the name of its file if it is %j",
    (damaged) => {
      const stateDir = mkdtempSync(join(directory, "state-"));
      const file = join(stateDir, "postrider-local.json");
      writeFileSync(file, damaged);
      const refusal = `${file} is not a JSON object: repair it or move it away`;
      expect(() => readMemory(stateDir)).toThrow(new OperatorError(refusal));
    },
  );
});

describe("a setup whose service exits", () => {
  const fail = async (failed: Promise<never>, exitWaitMs?: number) => {
    const server = createServer((request) => request.socket.destroy());
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    failed.catch(() => undefined); // it may fail before anybody waits for it
    const log = createServiceLog(() => {});
    log.take("out of memory");
    try {
      await createServiceClient(address)("GET", "/health");
    } catch (error) {
      await throwCause(error, { failed }, log, exitWaitMs);
    } finally {
      server.close();
    }
  };

  it("fails with the error of the service, which comes a moment later", async () => {
    const failed = delay(50).then(() => {
      throw new OperatorError("the service exited");
    });
    await expect(fail(failed)).rejects.toThrow(new OperatorError("the service exited"));
  });

  it("fails with the output of a service that does not exit", async () => {
    const failed = new Promise<never>(() => {});
    await expect(fail(failed, 1)).rejects.toThrow(
      /^out of memory\nthe service did not answer GET \/health \(.+\)$/,
    );
  });
});

describe("a command on the deployed database", () => {
  it("leaves neither wrangler nor its statements behind when it is interrupted", async () => {
    const importing = Promise.withResolvers<{ closed: Promise<unknown> }>();
    const server = createServer((request, response) => {
      if (request.url?.endsWith("/import")) {
        importing.resolve({ closed: once(request.socket, "close") });
        return; // no answer: wrangler waits
      }
      const database = { uuid: "00000000-0000-0000-0000-000000000001", name: "postrider" };
      const counted = [{ results: [{ found: 0 }], success: true, meta: {} }];
      const result = request.method === "GET" ? database : counted;
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify({ success: true, errors: [], messages: [], result }));
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const { port } = server.address() as AddressInfo;
    const TMPDIR = mkdtempSync(join(directory, "tmp-"));
    const account = "create --email a@b.example --name A --password long-enough --remote";
    const child = spawn(NODE, ["scripts/user.ts", ...account.split(" ")], {
      stdio: "ignore",
      env: {
        ...process.env,
        TMPDIR,
        CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
        CLOUDFLARE_API_TOKEN: "token",
        CLOUDFLARE_ACCOUNT_ID: "a".repeat(32),
      },
    });
    const statements = () => readdirSync(TMPDIR).filter((name) => name.startsWith("postrider-"));
    const { closed } = await importing.promise;
    expect(statements()).toHaveLength(1);
    child.kill("SIGINT");
    expect((await once(child, "exit"))[0]).toBe(130);
    expect(statements()).toEqual([]);
    await closed;
    server.close();
  }, 60_000);
});

describe("npm run user", () => {
  it.each([
    ["--name", "x".repeat(201), "--name must have at most 200 characters"],
    ["--password", "x".repeat(7), "the password must have at least 8 characters"],
  ])("rejects what the API rejects: %s %.20j", (option, value, refusal) => {
    const stateDir = mkdtempSync(join(directory, "user-"));
    const given = { "--email": "a@b.example", "--name": "Ann", "--password": "long enough" };
    const options = Object.entries({ ...given, [option]: value, "--state-dir": stateDir }).flat();
    const database = openLocalDatabase(stateDir);
    database.exec("CREATE TABLE users (email TEXT)");
    database.close();
    const { status, stderr } = spawnSync(NODE, ["scripts/user.ts", "create", ...options], {
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(refusal) });
  });

  it("creates one account when two runs create it concurrently, and tells the other", async () => {
    const stateDir = mkdtempSync(join(directory, "user-"));
    applyLocalMigrations(stateDir);
    await withDatabase({ kind: "local", stateDir }, async (database) => {
      const create = () =>
        createAccount(database, { email: "a@b.example", name: "Ann" }, "secret words");
      const runs = await Promise.allSettled([create(), create()]);
      expect(runs.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const reason = new OperatorError("a@b.example has an account already");
      expect(runs).toContainEqual({ status: "rejected", reason });
      const workspaces = await database.query("SELECT name FROM workspaces");
      expect(workspaces).toEqual([{ name: "Ann's workspace" }]);
    });
  });
});

describe("the setup before each command", () => {
  it("writes no existing file of the pages, because a running service would restart", () => {
    const file = "assets/docs/index.html";
    const setUp = () => {
      expect(spawnSync(NODE, ["scripts/build-assets.mjs"], { encoding: "utf8" }).stderr).toBe("");
      return statSync(file, { bigint: true }).mtimeNs;
    };
    const written = setUp();
    expect(setUp()).toBe(written);
  });
});

describe("a command", () => {
  const run = (script: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(NODE, [`scripts/${script}.ts`, ...args], {
      encoding: "utf8",
      timeout: 20_000, // a service that starts after all is stopped
    });
    return { status, stdout, stderr }; // stderr may warn of node:sqlite
  };

  it.each([
    ["user", ["create", "--email", "a@b.example", "--name", "Ann", "Lee"], '"Lee"'],
    ["user", ["help"], "the command must be create or reset-password"],
    ["license", ["keygen", "key", "--key", "/nowhere/key"], '"key"'],
    ["start", ["--port", "9000"], "'--port'"],
  ])("rejects what it would ignore: %s %j", (script, args, names) => {
    const { status, stderr } = run(script, ...args);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(names) });
    expect(stderr).toContain("Usage:");
  });

  it.each([
    ["EACCES", "give this user permission"],
    ["ENOSPC", "free up disk space"],
  ])("gives advice about %s, without a stack trace", (code, remedy) => {
    const fail = `Object.assign(new Error("${code}: refused, open 'x'"), { code: "${code}" })`;
    const module = pathToFileURL(resolve("scripts/command-line.ts")).href;
    const program = `import { runCommand } from "${module}"; await runCommand("", () => { throw ${fail}; });`;
    const { stderr } = spawnSync(NODE, ["--input-type=module", "-e", program], {
      encoding: "utf8",
    });
    expect(stderr).toBe(`${code}: refused, open 'x': ${remedy}\n`);
  });

  it.each(["user", "license", "start", "doctor", "deploy"])(
    "prints its usage: %s --help",
    (script) => {
      const usage = expect.stringMatching(/^Usage:/);
      expect(run(script, "--help")).toMatchObject({ status: 0, stdout: usage });
    },
  );
});

describe("a process group", () => {
  it.runIf(process.platform === "linux")("is forgotten when all of it has ended", async () => {
    const before = process.listenerCount("exit");
    const start = (script: string) =>
      startProcessGroup(["-e", script], process.env, () => undefined);
    expect(await start("").exited).toBe(0);
    expect(process.listenerCount("exit")).toBe(before);
    // This one leaves a child behind, which must not outlive the command.
    const orphan = `require("node:child_process").spawn("sleep", ["60"], { stdio: "ignore" }).unref()`;
    const group = start(orphan);
    expect(await group.exited).toBe(0);
    expect(process.listenerCount("exit")).toBe(before + 1);
    await group.stop();
    expect(process.listenerCount("exit")).toBe(before);
  });
});

describe("npm run soak", () => {
  const SCRIPT = resolve("scripts/soak.ts");

  it.each(["0", "1.5", "2 3"])("rejects %s as a number of runs", (runs) => {
    const cwd = mkdtempSync(join(directory, "soak-"));
    const { status, stderr } = spawnSync(NODE, [SCRIPT, ...runs.split(" ")], {
      cwd,
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining("Usage: npm run soak"),
    });
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.runIf(process.platform === "linux")(
    "leaves no busy process behind when a signal ends it",
    async () => {
      const cwd = mkdtempSync(join(directory, "soak-"));
      const test = `[ -e "$PWD/second" ] && exec sleep 60; touch "$PWD/second"`;
      writeFileSync(join(cwd, "package.json"), JSON.stringify({ scripts: { test } }));
      const soak = spawn(NODE, [SCRIPT, "2"], { cwd, stdio: "ignore" });
      const exit = once(soak, "exit");
      try {
        await expect.poll(() => busyProcessesIn(cwd)).not.toEqual([]);
        soak.kill("SIGTERM");
        expect(await exit).toEqual([143, null]);
        await expect.poll(() => busyProcessesIn(cwd)).toEqual([]);
      } finally {
        for (const pid of busyProcessesIn(cwd)) process.kill(pid, "SIGKILL");
      }
    },
  );

  /** Lists the endless loops that run in a directory. */
  function busyProcessesIn(cwd: string): number[] {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
          return command.includes("for (;;);") && readlinkSync(`/proc/${pid}/cwd`) === cwd;
        } catch {
          return false; // It ended meanwhile, or belongs to somebody else.
        }
      })
      .map(Number);
  }
});

describe("a prompt to the operator", () => {
  const ask = (input: PassThrough) => {
    const terminal = createInterface({ input, output: new PassThrough() });
    return readAnswer(terminal, "Place: ");
  };

  it("returns the line that is typed", async () => {
    const input = new PassThrough();
    const answer = ask(input);
    input.write("weur\n");
    expect(await answer).toBe("weur");
  });

  it("fails if the input ends before an answer", async () => {
    const input = new PassThrough();
    const answer = ask(input);
    input.end();
    await expect(answer).rejects.toThrow(new OperatorError("no answer"));
  });
});

describe("account statements", () => {
  it("contain any text as a literal and reject NUL", () => {
    expect(sqlLiteral("O'Neil'); DROP TABLE users; --")).toBe("'O''Neil''); DROP TABLE users; --'");
    expect(() => sqlLiteral("a\0b")).toThrow("NUL");
  });

  it("create an owner with a workspace, and revoke sessions with the password", () => {
    const account = { email: "a@b.example", name: "A", passwordHash: "h$1", nowMs: 5 };
    const created = createAccountStatements(account).join("\n");
    expect(created).toContain("'A''s workspace'");
    expect(created).toContain("'owner', 5");
    const reset = resetPasswordStatements({ email: "a@b.example", passwordHash: "h", nowMs: 5 });
    expect(reset[1]).toMatch(/^DELETE FROM sessions WHERE user_id IN .*'a@b\.example'/);
  });
});

describe("an installation", () => {
  it("runs the only install script that the project needs, even if npm blocks all others", () => {
    const read = (path: string) => JSON.parse(readFileSync(path, "utf8"));
    const { packages }: { packages: Record<string, { hasInstallScript?: boolean }> } =
      read("package-lock.json");
    const withScript = Object.entries(packages)
      .filter(([path, { hasInstallScript }]) => path !== "" && hasInstallScript)
      .map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
    const { allowScripts } = read("package.json");
    expect(Object.keys(allowScripts).toSorted()).toEqual([...new Set(withScript)].toSorted());
    expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(["node"]);
  });

  it("is part of each command, because npm runs no pre-scripts with ignore-scripts", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(Object.keys(scripts).filter((name) => /^(?:pre|post)/.test(name))).toEqual([
      "postinstall",
    ]);
    const own = Object.values<string>(scripts).filter((text) => /\w\.ts\b|vitest/.test(text));
    expect(own.length).toBeGreaterThan(10);
    for (const text of own)
      expect(text).toMatch(/^node scripts\/setup\.mjs( all)?( assets)? && exec /);
  });
});
