import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  queryD1,
  readWorker,
  variableOf,
  type DeployedWorker,
} from "../cloudflare/account-state.ts";
import type { AccountApi } from "../cloudflare/api.ts";
import { logIn } from "../cloudflare/login.ts";
import { outputOf, type RunTool } from "../cloudflare/run-tool.ts";
import type { ServiceConfig } from "../cloudflare/service-config.ts";
import { OperatorError } from "../command-line.ts";
import { chooseBaseUrl } from "./base-url.ts";
import { routeBounces } from "./bounce-domain.ts";
import { checkDomain, resolverOf } from "./check-domain.ts";
import { generatedFile, writeDeployConfig } from "./deploy-config.ts";
import { formatFirstAccount } from "./first-account.ts";
import type { Machine } from "./machine.ts";
import type { DeployOptions } from "./options.ts";
import { BOUNCES, STEPS } from "./plan.ts";
import { applyMigrations } from "./migrate.ts";
import { mustRun } from "./must-run.ts";
import { startProgress, type StepResult } from "./progress.ts";
import {
  provideBucket,
  provideDatabase,
  provideNamespaces,
  provideQueues,
  refuseForeignQueues,
} from "./resources.ts";
import { readSecretCopy, secretCopyFile, writeSecretCopy } from "./secret-copy.ts";
import { planLicense, planSecrets, type LicensePlan, type SecretPlan } from "./secrets.ts";
import { provideSubdomain } from "./subdomain.ts";
import { waitForService } from "./wait-for-service.ts";

/**
 * Deploys or updates the service. Throws OperatorError that lists the completed and remaining
 * steps.
 */
export async function deployService(
  machine: Machine,
  config: ServiceConfig,
  options: DeployOptions,
): Promise<void> {
  const { bounceDomain } = options;
  const { step } = startProgress(bounceDomain ? [...STEPS, BOUNCES] : STEPS, machine.say);
  const api = await step("login", async () => {
    const { account, api: opened } = await logIn(machine, options.account);
    return { did: `account ${account.name}`, value: opened };
  });
  await step("types", () => checkTypes(machine));
  await step("build", () => build(machine.runWrangler));
  const withConfig = ["--config", join(".", generatedFile("wrangler.json"))];

  const found = await step("address", () => findAddress(machine, api, config, options));
  const { worker, baseUrl, hasSubdomain } = found;
  const choice = { location: options.location, ask: machine.ask };
  const databaseId = await step("database", () => provideDatabase(api, config, worker, choice));
  const namespaceIds = await step("namespaces", () => provideNamespaces(api, config, worker));
  const bucketName = await step("bucket", () =>
    provideBucket(api, config, worker, options.location),
  );
  await step("queues", () => provideQueues(api, config));
  const license = planLicense(config, worker, options.signsLicense);
  writeDeployConfig(machine.directory, config, {
    baseUrl,
    licensePublicKey: license.publicKey,
    databaseId,
    namespaceIds,
    bucketName,
    domain: options.domain,
    // Without a subdomain, wrangler would prompt for one.
    workersDev: config.workersDev && hasSubdomain,
  });
  await step("migrations", () =>
    applyMigrations({ machine, api, config, databaseId, args: withConfig }),
  );

  const copyFile = secretCopyFile(machine.directory, config.worker, api.accountId);
  const secrets = await step("secrets", () =>
    prepareSecrets(machine, api, { databaseId, worker, copyFile, license }),
  );
  await step("deploy", () => upload(machine, ["deploy", ...withConfig], secrets.upload));
  await step("health", async () => {
    await waitForService(machine, baseUrl);
    return { did: `${baseUrl} answers`, value: undefined };
  });
  await step("account", async () => {
    const did = secrets.hasAccounts ? "the service has accounts" : "see below";
    return { did, value: undefined };
  });
  if (bounceDomain) await step(BOUNCES, () => routeBounces(machine, api, config, bounceDomain));
  if (secrets.hasAccounts) return;
  // Build logs are visible to more people than the operator.
  const setupToken = isCi(machine) ? undefined : secrets.setupToken;
  machine.say(formatFirstAccount({ baseUrl, setupToken, copyFile }));
}

async function checkTypes({ runCompiler }: Machine): Promise<StepResult<undefined>> {
  const run = await runCompiler(["-p", "."]);
  if (run.status !== 0) throw new OperatorError(`type check failed:\n${outputOf(run)}`);
  return { did: "checked", value: undefined };
}

async function build(runWrangler: RunTool): Promise<StepResult<undefined>> {
  const { stdout } = await mustRun(runWrangler, ["deploy", "--dry-run"]);
  const size = /gzip: ([\d.]+ \w+)/.exec(stdout)?.[1];
  return { did: size ? `${size} after compression` : "done", value: undefined };
}

interface FoundAddress {
  worker: DeployedWorker | undefined;
  baseUrl: string;
  /** True if the account has a workers.dev subdomain. */
  hasSubdomain: boolean;
}

/** Determines the public URL before anything is created. */
async function findAddress(
  machine: Machine,
  api: AccountApi,
  config: ServiceConfig,
  { domain, replacesDns }: DeployOptions,
): Promise<StepResult<FoundAddress>> {
  const worker = await readWorker(api, config.worker);
  refuseForeignWorker(config, worker);
  await refuseForeignQueues(api, config);
  const known = {
    domain,
    configured: config.variables["BASE_URL"],
    deployed: variableOf(worker, "BASE_URL"),
  };
  const isNeeded = config.workersDev && !domain && !known.configured && !known.deployed;
  const subdomain = await provideSubdomain(api, machine.ask, isNeeded);
  const isServedThere = config.workersDev && subdomain !== undefined;
  const { baseUrl, replaced } = chooseBaseUrl({
    ...known,
    workersDevHost: isServedThere ? `${config.worker}.${subdomain}.workers.dev` : undefined,
  });
  if (domain) {
    const { fetch } = machine;
    const dohUrl = resolverOf(config);
    await checkDomain(api, { domain, worker: config.worker, replacesDns, fetch, dohUrl });
  }
  const warning = replaced
    ? ` (links in sent emails point to ${replaced}: keep that address, too)`
    : "";
  const hasSubdomain = subdomain !== undefined;
  return { did: `${baseUrl}${warning}`, value: { worker, baseUrl, hasSubdomain } };
}

/** Refuses to overwrite a Worker of the same name that belongs to another application. */
function refuseForeignWorker(config: ServiceConfig, worker: DeployedWorker | undefined) {
  const others = worker?.bindings.filter(({ type }) => type !== "secret_text") ?? [];
  const isOurs = others.some(({ type, name }) => type === "d1" && name === config.database.binding);
  if (others.length === 0 || isOurs) return;
  throw new OperatorError(
    `the account has another Worker named "${config.worker}": choose another name in wrangler.toml`,
  );
}

async function prepareSecrets(
  machine: Machine,
  api: AccountApi,
  facts: {
    databaseId: string;
    worker: DeployedWorker | undefined;
    copyFile: string;
    license: LicensePlan;
  },
): Promise<StepResult<SecretPlan & { hasAccounts: boolean }>> {
  const { databaseId, worker, copyFile, license } = facts;
  const question = "SELECT EXISTS (SELECT 1 FROM users) AS found";
  const { rows } = await queryD1<{ found: number }>(api, databaseId, question);
  const hasAccounts = rows[0]?.found !== 0; // without a result, assumes that there are accounts, so nothing is replaced
  const plan = planSecrets({
    deployed: worker?.secrets ?? [],
    copy: readSecretCopy(copyFile),
    hasAccounts,
    isCi: isCi(machine),
    copyFile,
  });
  const made = Object.fromEntries(plan.made.map((name) => [name, plan.upload[name] ?? ""]));
  if (plan.made.length > 0) keepCopy(copyFile, made);
  const did = [
    plan.made.length > 0 ? `created ${plan.made.join(", ")}; a copy is in ${copyFile}` : "",
    plan.missing.length > 0 ? `set ${plan.missing.join(", ")} in the dashboard` : "",
    Object.keys(license.upload).length > 0 ? "signed a license for all features" : "",
  ].filter((text) => text !== "");
  return {
    did: did.join("; ") || "all set",
    value: { ...plan, upload: { ...plan.upload, ...license.upload }, hasAccounts },
  };
}

function keepCopy(file: string, made: Record<string, string>) {
  try {
    writeSecretCopy(file, made);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`cannot write the copy of the secrets: ${String(error)}`);
  }
}

/** Uploads the Worker along with its missing secrets, in the same version. */
async function upload(
  machine: Machine,
  args: string[],
  secrets: Record<string, string>,
): Promise<StepResult<undefined>> {
  // JSON, because in dotenv files wrangler expands `$` and prefers the environment.
  const file = generatedFile("secrets.json");
  const path = join(machine.directory, file);
  const hasSecrets = Object.keys(secrets).length > 0;
  rmSync(path, { force: true });
  try {
    if (hasSecrets) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify(secrets), { mode: 0o600 });
    }
    const all = hasSecrets ? [...args, "--secrets-file", file] : args;
    const { stdout } = await mustRun(machine.runWrangler, all);
    const version = /Version ID: (\S+)/.exec(stdout)?.[1];
    return { did: version ? `version ${version}` : "done", value: undefined };
  } finally {
    rmSync(path, { force: true });
  }
}

const isCi = ({ env }: Machine) => Boolean(env["CI"] || env["WORKERS_CI"]);
