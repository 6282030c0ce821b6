import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { ServiceConfig } from "../cloudflare/service-config.ts";

/** Directory of generated deployment files. */
const DIRECTORY = ".cache/deploy";

/** Values of one deployment that are not in wrangler.toml. */
export interface DeploymentFacts {
  baseUrl: string;
  /** LICENSE_PUBLIC_KEY; `undefined` without a license. */
  licensePublicKey: string | undefined;
  databaseId: string;
  /** Ids by binding. */
  namespaceIds: Record<string, string>;
  /** The bucket of images; `undefined` in an account without R2. */
  bucketName: string | undefined;
  /** Custom domain to attach. */
  domain: string | undefined;
  /** True to also serve the Worker at workers.dev. */
  workersDev: boolean;
}

/**
 * Completes wrangler.toml with the values of a deployment; paths are relative to the generated
 * file.
 */
export function completeConfig(config: ServiceConfig, facts: DeploymentFacts) {
  const { worker, database } = config;
  const { r2_buckets: buckets = [], ...raw } = config.raw;
  const [first, ...others] = raw.d1_databases ?? [];
  const up = relative(DIRECTORY, ".").replaceAll("\\", "/");
  const route = facts.domain ? [{ pattern: facts.domain, custom_domain: true }] : [];
  return {
    ...raw,
    name: worker,
    main: `${up}/${raw.main}`,
    workers_dev: facts.workersDev,
    ...(raw.assets?.directory === undefined
      ? {}
      : { assets: { ...raw.assets, directory: `${up}/${raw.assets.directory}` } }),
    vars: {
      ...raw.vars,
      BASE_URL: facts.baseUrl,
      ...(facts.licensePublicKey ? { LICENSE_PUBLIC_KEY: facts.licensePublicKey } : {}),
    },
    d1_databases: [
      {
        ...first,
        database_id: facts.databaseId,
        migrations_dir: `${up}/${database.migrationsDir}`,
      },
      ...others,
    ],
    kv_namespaces: (raw.kv_namespaces ?? []).map((namespace) => {
      const id = facts.namespaceIds[namespace.binding];
      return id ? { ...namespace, id } : namespace;
    }),
    ...(facts.bucketName
      ? { r2_buckets: buckets.map((bucket) => ({ ...bucket, bucket_name: facts.bucketName })) }
      : {}),
    ...(route.length > 0 ? { routes: [...(raw.routes ?? []), ...route] } : {}),
  };
}

/** Writes the completed configuration and returns its path relative to the root. */
export function writeDeployConfig(
  directory: string,
  config: ServiceConfig,
  facts: DeploymentFacts,
): string {
  const file = join(DIRECTORY, "wrangler.json");
  mkdirSync(join(directory, DIRECTORY), { recursive: true });
  writeFileSync(
    join(directory, file),
    `${JSON.stringify(completeConfig(config, facts), null, 2)}\n`,
  );
  return file;
}

/** Returns the path, relative to the root, of a generated deployment file. */
export function generatedFile(name: string): string {
  return join(DIRECTORY, name);
}
