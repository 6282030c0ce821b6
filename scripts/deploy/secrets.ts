import { randomBytes } from "node:crypto";
import { variableOf, type DeployedWorker } from "../cloudflare/account-state.ts";
import type { ServiceConfig } from "../cloudflare/service-config.ts";
import { OperatorError } from "../command-line.ts";
import { signOwnLicense } from "../sign-license.ts";

/** Required secrets; replacing one makes stored data unreadable. */
export const LASTING_SECRETS = ["JWT_SECRET", "ENCRYPTION_KEY"] as const;
/** Secret that authorizes registering the first account. */
export const SETUP_TOKEN = "SETUP_TOKEN";

const NEW_SECRETS: Record<string, () => string> = {
  JWT_SECRET: () => randomBytes(48).toString("base64url"),
  ENCRYPTION_KEY: () => randomBytes(32).toString("base64"),
  [SETUP_TOKEN]: () => randomBytes(24).toString("base64url"),
};

/** Inputs that decide which secrets to upload. */
export interface SecretSources {
  /** Names of the secrets on the deployed Worker. */
  deployed: string[];
  /** The copy on this machine. */
  copy: Record<string, string>;
  /** True if the database has accounts, so that data is sealed and links have been emailed. */
  hasAccounts: boolean;
  /** True if a new copy would be lost with this machine. */
  isCi: boolean;
  copyFile: string;
}

export interface SecretPlan {
  /** Secrets to upload with the next deployment. */
  upload: Record<string, string>;
  /** Names in `upload` that were generated now, and must be copied first. */
  made: string[];
  /** Missing secrets that a CI run does not generate. */
  missing: string[];
  /** Token of the setup link; `undefined` if it is not needed or unknown here. */
  setupToken: string | undefined;
}

/**
 * Plans the secrets. Keeps those of the Worker, except a SETUP_TOKEN without a local copy while no
 * one has registered. Throws OperatorError rather than generate a new key for a database with data
 * sealed by an old key.
 */
export function planSecrets(sources: SecretSources): SecretPlan {
  const { deployed, copy, hasAccounts, isCi, copyFile } = sources;
  const wanted: string[] = LASTING_SECRETS.filter((name) => !deployed.includes(name));
  const needsToken = !hasAccounts && !(deployed.includes(SETUP_TOKEN) && copy[SETUP_TOKEN]);
  const leavesToken = isCi && deployed.includes(SETUP_TOKEN);
  if (needsToken && !leavesToken) wanted.push(SETUP_TOKEN);

  const unknown = wanted.filter((name) => !copy[name]);
  const lost = unknown.filter((name) => name !== SETUP_TOKEN);
  if (hasAccounts && lost.length > 0) {
    throw new OperatorError(
      `the Worker lacks ${lost.join(" and ")}, but the database is in use, and a new value would ` +
        `make stored passwords unreadable or links in sent emails invalid. Put the old value in ${copyFile} ` +
        `({"${lost[0]}": "…"}) and run the command again. If it is lost, set a new one with ` +
        `\`npx wrangler secret put ${lost[0]}\``,
    );
  }
  const made = isCi ? [] : unknown;
  const values = Object.fromEntries(
    made.map((name) => [name, NEW_SECRETS[name]?.() ?? ""] as const),
  );
  const upload = Object.fromEntries(
    wanted.flatMap((name) => {
      const value = values[name] ?? copy[name];
      return value ? [[name, value]] : [];
    }),
  );
  return {
    upload,
    made,
    missing: isCi ? unknown : [],
    setupToken: hasAccounts ? undefined : (upload[SETUP_TOKEN] ?? copy[SETUP_TOKEN]),
  };
}

/** The license of a deployment. */
export interface LicensePlan {
  /** LICENSE_PUBLIC_KEY; `undefined` without a license. */
  publicKey: string | undefined;
  /** Uploaded with the next deployment. */
  upload: Record<string, string>;
}

/** Signs a license for all features, unless the Worker or wrangler.toml already has part of one. */
export function planLicense(
  config: ServiceConfig,
  worker: DeployedWorker | undefined,
  signsLicense: boolean,
): LicensePlan {
  const name = "LICENSE_PUBLIC_KEY";
  const publicKey = config.variables[name] || variableOf(worker, name) || undefined;
  const isLicensed = publicKey !== undefined || worker?.secrets.includes("SERVICE_LICENSE_KEY");
  if (isLicensed || !signsLicense) return { publicKey, upload: {} };
  const { LICENSE_PUBLIC_KEY, ...upload } = signOwnLicense();
  return { publicKey: LICENSE_PUBLIC_KEY, upload };
}
