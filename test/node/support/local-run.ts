// Runs of `npm start` in their own directories and on their own ports, and their leftovers.
import { execFile, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { freePorts } from "../../support/free-port.ts";
import { memoryDirectory } from "../../support/memory-directory.ts";
import { TEST_SETTINGS } from "../../support/settings.ts";

// Waits without blocking: a blocked process would not notice that the service closes a connection.
const execute = promisify(execFile);

/** Node.js that npm's scripts run under. */
export const NODE = "node_modules/.bin/node";

/** Last line of the runner: the service is ready. */
export const ANNOUNCED = /^curl [^]*'\n\n/m;

/** A runner with its output so far, and its exit code once it is stopped. */
export interface Run {
  output: string;
  ports: { PORT: number; MAILBOX_SMTP_PORT: number; MAILBOX_PORT: number };
  /** The exit code, once the runner has ended. */
  ended: Promise<number | null>;
  stop: (signal: NodeJS.Signals) => Promise<number | null>;
}

// The test runner sets a BASE_URL of its own, which would override everything in the service.
Reflect.deleteProperty(process.env, "BASE_URL");

/** Inherited by every process of a run, so that leftovers can be found. */
const marker = `postrider-test-${randomUUID()}`;
const KILL_POLL_MS = 20;
const stateDirs: string[] = [];
const children: ChildProcess[] = [];

/** Starts the runner and resolves when it has printed `until`; rejects when it ended before. */
export async function start(
  stateDir: string,
  until: RegExp = ANNOUNCED,
  env: Record<string, string> = {},
  [command, ...parameters]: [string, ...string[]] = [NODE, "scripts/start.ts"],
): Promise<Run> {
  const [PORT = 0, MAILBOX_SMTP_PORT = 0, MAILBOX_PORT = 0] = await freePorts(3);
  const ports = { PORT, MAILBOX_SMTP_PORT, MAILBOX_PORT };
  const child = spawn(command, parameters, {
    env: {
      ...process.env,
      ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])),
      STATE_DIR: stateDir,
      RUN_MARKER: marker,
      DOH_URL: TEST_SETTINGS.DOH_URL,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  const exit = once(child, "exit");
  const ended = once(child, "close").then(([code]) => code);
  const run: Run = {
    output: "",
    ports,
    ended,
    stop: async (signal) => {
      child.kill(signal);
      const [code] = await exit;
      return code;
    },
  };
  let isAnnounced = false; // afterwards the output grows by a line for each call
  const announced = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        run.output += chunk.toString();
        isAnnounced ||= until.test(run.output) || /refuses to work/.test(run.output);
        if (isAnnounced) resolve();
      });
    }
  });
  const failed = exit.then(() => {
    throw new Error(`the runner ended before it said ${until}:\n${run.output}`);
  });
  await Promise.race([announced, failed]);
  return run;
}

/** New directory for the state of a service, in memory if it has room; `endEverything` removes it. */
export function makeStateDir(): string {
  const stateDir = mkdtempSync(join(memoryDirectory() ?? tmpdir(), "postrider-state-"));
  stateDirs.push(stateDir);
  return stateDir;
}

/** Text that the runner printed after a label such as `Address` or `Email`. */
export function readLine({ output }: Run, label: string): string {
  return new RegExp(`^ {2}${label} +(\\S+)$`, "m").exec(output)?.[1] ?? "";
}

/** Runs the printed command as a reader would, or the same request without curl. */
export async function runCurl({ output }: Run): Promise<unknown> {
  const command = ANNOUNCED.exec(output)?.[0].trim() ?? "";
  if (spawnSync("curl", ["--version"]).status === 0) {
    const env = { ...process.env, NO_PROXY: "127.0.0.1" }; // curl would ask a proxy for this machine
    const { stdout } = await execute("sh", ["-c", `${command} --silent --show-error`], { env });
    return JSON.parse(stdout);
  }
  const [url = ""] = /http:\S+/.exec(command) ?? [];
  const headers = [...command.matchAll(/-H '(.*?): (.*?)'/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  const body = /-d '([^]*)'/.exec(command)?.[1] ?? "";
  const init = { method: "POST", headers: Object.fromEntries(headers), body };
  return readJson(await fetch(url, init));
}

export async function readJson<T>(response: Response): Promise<T> {
  return JSON.parse(await response.text());
}

export function requestLogIn(run: Run, email: string, password: string): Promise<Response> {
  return fetch(`${readLine(run, "Address")}/api/v1/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
}

/**
 * Logs in, by default as the owner, and returns the session cookie. Waits as long as the service
 * says when a quick run has used up the logins of its address.
 */
export async function logIn(
  run: Run,
  email = readLine(run, "Email"),
  password = readLine(run, "Password"),
): Promise<string> {
  const response = await requestLogIn(run, email, password);
  if (response.status === 429) {
    await delay(Number(response.headers.get("Retry-After") ?? 1) * 1_000);
    return logIn(run, email, password);
  }
  if (response.status !== 200) throw new Error(`the login was refused with ${response.status}`);
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

/** Runs the handler of every minute ahead of its time. */
export async function sweep(run: Run): Promise<void> {
  const path = `/cdn-cgi/handler/scheduled?cron=${encodeURIComponent("* * * * *")}`;
  const { status } = await fetch(readLine(run, "Address") + path);
  if (status !== 200) throw new Error(`the handler of every minute answered ${status}`);
}

/**
 * Remaining processes of these runs, with `settings` in their environment; Linux shows the
 * environment of each in /proc.
 */
export function leftovers(...settings: string[]): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
        return [marker, ...settings].every((text) => environment.includes(text));
      } catch {
        return false; // It ended meanwhile, or belongs to another run.
      }
    })
    .map(Number);
}

/** Kills every process of these runs without a clean shutdown, and waits until all are gone. */
export async function killEverything(): Promise<void> {
  for (let left = leftovers(); left.length > 0; left = leftovers()) {
    left.forEach(kill);
    await delay(KILL_POLL_MS);
  }
}

/** Kills the service of a run with its process group, of which its runner is no part. */
export function killService({ ports }: Run): void {
  leftovers(`\0PORT=${ports.PORT}\0`, "\0WRANGLER_HIDE_BANNER=true\0").forEach((pid) => kill(-pid));
}

function kill(pid: number) {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // It ended since it was listed.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Stops the remaining runs and removes their directories. */
export async function endEverything(): Promise<void> {
  const running = children.filter(({ exitCode, signalCode }) => exitCode === null && !signalCode);
  for (const child of running) {
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    await exit;
  }
  for (const stateDir of stateDirs) rmSync(stateDir, { recursive: true, force: true });
}
