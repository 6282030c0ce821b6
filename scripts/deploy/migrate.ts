import { queryD1 } from "../cloudflare/account-state.ts";
import type { AccountApi } from "../cloudflare/api.ts";
import type { ServiceConfig } from "../cloudflare/service-config.ts";
import { OperatorError } from "../command-line.ts";
import { readApplied, type Query } from "../doctor/read-facts.ts";
import { wantedMigrations } from "../doctor/wanted.ts";
import type { Machine } from "./machine.ts";
import { mustRun } from "./must-run.ts";
import type { StepResult } from "./progress.ts";

/**
 * Applies pending migrations and verifies that all are applied, so that the new version never runs
 * on an old schema. Throws OperatorError.
 */
export async function applyMigrations(options: {
  machine: Machine;
  api: AccountApi;
  config: ServiceConfig;
  databaseId: string;
  /** Command-line arguments that select the configuration. */
  args: string[];
}): Promise<StepResult<undefined>> {
  const { machine, api, config, databaseId, args } = options;
  const query: Query = async <Row>(sql: string) => (await queryD1<Row>(api, databaseId, sql)).rows;
  const wanted = wantedMigrations(machine.directory, config);
  const before = await readApplied(query);
  if (wanted.every((name) => before.includes(name))) {
    return { did: `all ${wanted.length} are applied`, value: undefined };
  }
  const command = ["d1", "migrations", "apply", config.database.binding, "--remote"];
  await mustRun(machine.runWrangler, [...command, ...args]);
  const after = await readApplied(query);
  const missing = wanted.filter((name) => !after.includes(name));
  if (missing.length > 0) throw new OperatorError(`${missing.join(", ")} were not applied`);
  return { did: `applied ${after.length - before.length}`, value: undefined };
}
