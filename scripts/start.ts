// `npm start`: runs the whole service on this machine, with a mailbox that catches its mail.
// Everything listens on 127.0.0.1; docs/deployment.md lists the variables.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readServiceConfig } from "./cloudflare/service-config.ts";
import { OperatorError, runCommand } from "./command-line.ts";
import { applyLocalMigrations } from "./local/apply-migrations.ts";
import { formatAnnouncement, formatRefusal } from "./local/announcement.ts";
import { bundleWorker } from "./local/bundle-worker.ts";
import { startCronClock } from "./local/cron-clock.ts";
import { openDemoProject, recallDemoProject } from "./local/demo-project.ts";
import { loadDevVars } from "./local/dev-vars.ts";
import { throwCause } from "./local/explain-failure.ts";
import { openFirstAccount } from "./local/first-account.ts";
import { refuseTakenPorts } from "./local/ports.ts";
import { waitForHealth } from "./local/service-health.ts";
import { createServiceLog, type ServiceLog } from "./local/service-log.ts";
import { readLocalSettings, type LocalSettings } from "./local/settings.ts";
import { collectWorkerVariables, formatEnvFile } from "./local/worker-variables.ts";
import { startWrangler } from "./local/wrangler.ts";
import { startMailbox, type Mailbox } from "./mailbox/mailbox.ts";
import { NO_LICENSE_OPTIONS } from "./sign-license.ts";

const DEV_VARS_FILE = ".dev.vars";
const ENV_FILE = "postrider-local.env";
const BUNDLE = "worker";

/** Stops something that was started; cleanups run in reverse order. */
type CleanUp = () => Promise<void> | void;

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const USAGE = `Usage: npm start [-- --quiet --watch --no-license]
  --quiet            print only warnings and errors of the service
  --watch            build the service again after each change of its sources
  --no-license       do not sign a license for all features
Environment variables configure it, as in \`PORT=9000 npm start\`: PORT, MAILBOX_SMTP_PORT,
MAILBOX_PORT, STATE_DIR, OWNER_EMAIL and OWNER_PASSWORD (docs/deployment.md).`;

const OPTIONS = {
  ...NO_LICENSE_OPTIONS,
  quiet: { type: "boolean", default: false },
  watch: { type: "boolean", default: false },
} as const;

interface RunSettings extends LocalSettings {
  signsLicense: boolean;
  isQuiet: boolean;
  isWatching: boolean;
}

await runCommand(USAGE, async () => {
  const { values } = parseArgs({ options: OPTIONS });
  const signsLicense = !values["no-license"] && !values["no-licence"];
  const stopping = stopOnSignals();
  const cleanUps: CleanUp[] = [];
  try {
    const { quiet: isQuiet, watch: isWatching } = values;
    const options = { signsLicense, isQuiet, isWatching };
    await run({ ...readLocalSettings(process.env), ...options }, cleanUps, stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  } finally {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  }
});

async function run(settings: RunSettings, cleanUps: CleanUp[], signal: AbortSignal) {
  const { port, mailboxSmtpPort, mailboxPort, stateDir, signsLicense } = settings;
  const address = `http://127.0.0.1:${port}`;
  await refuseTakenPorts({
    PORT: port,
    MAILBOX_SMTP_PORT: mailboxSmtpPort,
    MAILBOX_PORT: mailboxPort,
  });
  mkdirSync(stateDir, { recursive: true });
  const devVars = loadDevVars(DEV_VARS_FILE);
  const defaults = { localAddress: address, signsLicense };
  const variables = collectWorkerVariables(process.env, devVars, defaults);
  const { crons } = readServiceConfig(process.cwd(), process.env);

  say("Applying migrations…");
  applyLocalMigrations(stateDir);

  say("Starting the service…");
  const mailbox = await startMailbox({
    smtpPort: mailboxSmtpPort,
    httpPort: mailboxPort,
    imageOrigin: readOrigin(variables["BASE_URL"], address),
    serviceOrigin: address,
  });
  cleanUps.push(mailbox.close);
  const log = createServiceLog((text) => process.stdout.write(text));
  const built = settings.isWatching ? [] : await untilStopped(build(stateDir, cleanUps), signal);
  const service = startService(settings, built, variables, log, cleanUps);

  const announce = async () => {
    const announcement = await setUp(settings, address, mailbox, variables, signal);
    signal.throwIfAborted(); // the cleanups already ran, so nothing would stop the clock
    process.stdout.write(announcement);
    if (process.stdin.isTTY) {
      process.stdin.on("data", () => process.stdout.write(announcement));
      cleanUps.push(() => void process.stdin.destroy());
    }
    log.passOn();
    const clock = startCronClock(address, crons, log.take);
    cleanUps.push(clock.stop);
  };
  const announced = announce().catch((error: unknown) => throwCause(error, service, log));
  await untilStopped(Promise.race([announced, service.failed]), signal);
  await untilStopped(service.failed, signal);
}

/**
 * Builds the Worker, and returns the arguments that let `wrangler dev` run it. A service without its
 * sources is independent of `node_modules`, which another `npm ci` may replace.
 */
async function build(stateDir: string, cleanUps: CleanUp[]): Promise<string[]> {
  const directory = join(stateDir, BUNDLE);
  const { finished, stop } = bundleWorker(directory);
  cleanUps.push(stop);
  await finished;
  return [join(directory, "index.js"), "--no-bundle", "--config", "wrangler.toml"];
}

/** Starts `wrangler dev`; `failed` rejects if it exits unexpectedly. */
function startService(
  { port, stateDir, isQuiet }: RunSettings,
  built: string[],
  variables: Record<string, string>,
  log: ServiceLog,
  cleanUps: CleanUp[],
) {
  const envFile = join(stateDir, ENV_FILE);
  rmSync(envFile, { force: true });
  writeFileSync(envFile, formatEnvFile(variables), { mode: 0o600 });
  cleanUps.push(() => rmSync(envFile, { force: true }));
  const place = ["--local", "--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0"];
  const files = ["--persist-to", stateDir, "--env-file", envFile];
  const noise = ["--show-interactive-dev-session=false", ...(isQuiet ? ["--log-level=warn"] : [])];
  const service = startWrangler(["dev", ...built, ...place, ...files, ...noise], log.take);
  cleanUps.push(service.stop);
  const fail = async (): Promise<never> => {
    const status = await service.exited;
    throw new OperatorError(`${log.heldBack()}\nthe service exited unexpectedly (${status})`);
  };
  return { failed: fail() };
}

/** Creates the first account and the demo project, and returns the startup message. */
async function setUp(
  settings: LocalSettings,
  address: string,
  mailbox: Mailbox,
  variables: Record<string, string>,
  signal: AbortSignal,
): Promise<string> {
  const inboxUrl = mailbox.url;
  const health = await waitForHealth(address, signal);
  if (health.outcome === "refusing") {
    return formatRefusal({ address, inboxUrl, reason: health.reason });
  }
  const { stateDir, ownerEmail, ownerPassword, mailboxSmtpPort } = settings;
  const setupToken = variables["SETUP_TOKEN"] ?? "";
  const mailboxReachable = variables["ALLOW_PRIVATE_TARGETS"] === "true";
  const owner = { address, stateDir, setupToken, ownerEmail, ownerPassword };
  const login = await openFirstAccount(owner);
  const demo =
    login.outcome === "logged_in"
      ? await openDemoProject({
          address,
          stateDir,
          mailboxSmtpPort,
          mailboxReachable,
          inboxUrl,
          ...login,
        })
      : recallDemoProject(stateDir);
  if (demo?.publicKey) mailbox.showQuickstart({ address, publicKey: demo.publicKey });
  const isInteractive = process.stdin.isTTY;
  return formatAnnouncement({ address, inboxUrl, login, demo, mailboxReachable, isInteractive });
}

/**
 * Returns a controller that the first SIGINT, SIGTERM or SIGHUP aborts; later signals are ignored.
 */
function stopOnSignals(): AbortController {
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => stopping.abort());
  }
  return stopping;
}

/** Waits for `work`, or until the run is aborted. */
async function untilStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Returns the origin of images in mails: the local service's, if BASE_URL is not a URL. */
function readOrigin(baseUrl: string | undefined, otherwise: string): string {
  return baseUrl && URL.canParse(baseUrl) ? new URL(baseUrl).origin : otherwise;
}

function say(line: string) {
  process.stdout.write(`${line}\n`);
}
