import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { D1_LIMIT_BYTES } from "../../src/lib/storage-fill.ts";
import type { ServiceConfig } from "../cloudflare/service-config.ts";
import type { Machine } from "../deploy/machine.ts";
import { SETUP_TOKEN } from "../deploy/secrets.ts";
import { askHealth } from "../deploy/wait-for-service.ts";
import { readStateDir, type Environment } from "../local/settings.ts";
import { readApplied, readFacts, type Query } from "./read-facts.ts";
import { readPart, type QueueReading, type Reading, type SecretState } from "./reading.ts";
import { USED_BINDINGS, wantedMigrations } from "./wanted.ts";

const DEFAULT_PORT = "8787";
const MIN_JWT_SECRET_CHARACTERS = 32;
const ENCRYPTION_KEY_BYTES = 32;

/** Reads the service of `npm start`: its files, its database, and its health. Changes nothing. */
export async function readLocal(
  machine: Pick<Machine, "directory" | "env" | "fetch" | "now">,
  config: ServiceConfig,
  query: Query,
): Promise<Reading> {
  const { directory, env } = machine;
  const settings = { ...readDevVars(join(directory, ".dev.vars")), ...env };
  const baseUrl = settings["BASE_URL"] || `http://127.0.0.1:${env["PORT"] || DEFAULT_PORT}`;
  const health = await askHealth(machine.fetch, baseUrl);
  const wanted = wantedMigrations(directory, config);
  const migrations = await readPart(async () => ({ wanted, applied: await readApplied(query) }));
  const isComplete =
    "value" in migrations && wanted.every((name) => migrations.value.applied.includes(name));
  const facts = await readPart(() => {
    if (!isComplete) throw new Error("the database lacks migrations");
    return readFacts(query);
  });
  const needsSetup = "value" in facts && !facts.value.hasAccounts;
  return {
    place: "local",
    bindings: { value: { wanted: USED_BINDINGS, found: config.bindings.map(({ name }) => name) } },
    secrets: { value: readSecrets(settings, needsSetup) },
    migrations,
    queues: { value: readQueues(config) },
    crons: undefined,
    deadLetters:
      "value" in facts ? { value: { waiting: facts.value.waitingLetters, unstored: 0 } } : facts,
    size: await readPart(() => ({
      bytes: sizeOf(readStateDir(env)),
      limit: Number(settings["STORAGE_LIMIT_BYTES"] || D1_LIMIT_BYTES),
    })),
    clock:
      "value" in facts
        ? {
            value: {
              here: machine.now(),
              there: health.date ? Date.parse(health.date) : undefined,
              newest: facts.value.newest,
            },
          }
        : facts,
    returnPaths: { value: undefined },
    address: { value: { baseUrl, health } },
  };
}

function readDevVars(file: string): Environment {
  return existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {};
}

function readSecrets(settings: Environment, needsSetup: boolean): Record<string, SecretState> {
  const { JWT_SECRET: secret, ENCRYPTION_KEY: key, [SETUP_TOKEN]: token } = settings;
  const isKey = Buffer.from(key ?? "", "base64").length === ENCRYPTION_KEY_BYTES;
  return {
    JWT_SECRET: stateOf(secret, (secret ?? "").length >= MIN_JWT_SECRET_CHARACTERS),
    ENCRYPTION_KEY: stateOf(key, isKey),
    ...(needsSetup ? { [SETUP_TOKEN]: stateOf(token, true) } : {}),
  };
}

function stateOf(value: string | undefined, isFit: boolean): SecretState {
  if (!value) return "missing";
  return isFit ? "present" : "malformed";
}

/** Counts the consumers of every queue with a producer. */
function readQueues(config: ServiceConfig): QueueReading[] {
  return config.queues.map((name) => ({
    name,
    exists: true, // the local runtime creates every queue in wrangler.toml
    consumers: config.consumers.filter(({ queue }) => queue === name).length,
  }));
}

/** Returns the total size of the local database files. */
function sizeOf(stateDir: string): number {
  const files = globSync(join(stateDir, "v3/d1/*/*.sqlite").replaceAll("\\", "/"));
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}
