import type { ServiceConfig } from "../cloudflare/service-config.ts";
import type { DeployOptions } from "./options.ts";

/** Steps of a deployment, in order. */
export const STEPS = [
  "login",
  "types",
  "build",
  "address",
  "database",
  "namespaces",
  "bucket",
  "queues",
  "migrations",
  "secrets",
  "deploy",
  "health",
  "account",
] as const;

/** The last step, only with `--bounce-domain`. */
export const BOUNCES = "bounces";

export type StepName = (typeof STEPS)[number];

/** Describes each step as far as possible without contacting Cloudflare. */
export function planSteps(
  config: ServiceConfig,
  options: DeployOptions,
  migrations: number,
): Record<StepName, string> {
  const { worker, database, namespaces, bucket, queues } = config;
  const titles = namespaces.map(({ name }) => name).join(", ");
  const place = options.location ? ` in ${options.location}` : "";
  const address = options.domain
    ? `BASE_URL becomes https://${options.domain}, a custom domain of the Worker`
    : "BASE_URL stays as deployed; initially it is the workers.dev URL";
  const license = options.signsLicense ? ", and sign a license if there is none" : "";
  return {
    login: "use the account of `npx wrangler login`",
    types: "check the types of the whole project",
    build: `bundle ${worker} and check its configuration`,
    address,
    database: `find the D1 database ${database.name}, or create it${place}`,
    namespaces: `find the KV namespace ${titles}, or create it`,
    bucket: `find the R2 bucket ${bucket?.name ?? ""}, or create it; without R2, leave images out`,
    queues: `find or create ${queues.join(", ")}`,
    migrations: `apply the missing ones of ${migrations}`,
    secrets: `create the missing ones${license}; ENCRYPTION_KEY and JWT_SECRET are never replaced`,
    deploy: `upload ${worker} with its cron triggers and queue consumers`,
    health: "wait until /health responds",
    account: "print the setup link if there are no accounts",
  };
}
