import { refusal } from "./errors.ts";
import { fromBase64 } from "./lib/encoding.ts";
import { importSealingKey, type SealingKey, type SealingKeys } from "./lib/seal.ts";
import { D1_LIMIT_BYTES } from "./lib/storage-fill.ts";

/** Secrets set with `wrangler secret put NAME` or in `.dev.vars`; see docs/configuration.md. */
export interface Secrets {
  JWT_SECRET?: string;
  JWT_SECRET_PREVIOUS?: string;
  ENCRYPTION_KEY?: string;
  ENCRYPTION_KEY_PREVIOUS?: string;
  SERVICE_LICENSE_KEY?: string;
  SETUP_TOKEN?: string;
}

/** Optional variables that wrangler.toml does not list. */
export interface UnlistedVariables {
  BASE_URL?: string;
  LICENSE_PUBLIC_KEY?: string;
  LEASE_SECONDS?: string;
  RESEND_HOST?: string;
  WORKSPACE_STORAGE_BYTES?: string;
}

/** `npm run deploy` omits IMAGES in an account without R2. */
export type Bindings = Omit<Env, "DEPLOYMENT_MODE" | "IMAGES"> & {
  DEPLOYMENT_MODE: string;
  IMAGES?: R2Bucket | undefined;
} & Secrets &
  UnlistedVariables;

/** The checked settings of one deployment. */
export interface Config {
  /** Public origin without a trailing slash. */
  baseUrl: string;
  /** Host whose root is the Resend-compatible API; empty without one. */
  resendHost: string;
  deploymentMode: "self_hosted" | "cloud";
  /** HMAC secrets of the links in mails: the first signs, both verify. */
  linkSecrets: { current: string; previous: string | undefined };
  sealingKeys: SealingKeys;
  licenseKey: string;
  licensePublicKey: string;
  setupToken: string;
  dohUrl: string;
  /** Days for which the service keeps an email log entry; 0 keeps it forever. */
  logRetentionDays: number;
  /** Days for which the bytes of a deleted image remain. */
  imageRetentionDays: number;
  /** Size limit of the database, in bytes. */
  storageLimitBytes: number;
  /**
   * Storage quota of one workspace, in bytes; null in a self-hosted deployment, which has no quota.
   */
  workspaceStorageBytes: number | null;
  /**
   * Lease of a worker in milliseconds. A worker that records nothing for this long counts as dead.
   */
  leaseMs: number;
  allowPrivateTargets: boolean;
  trustForwardedFor: boolean;
}

/** Minimum key length: an HMAC-SHA256 key shorter than the hash output is weaker (RFC 2104 §3). */
const MIN_JWT_SECRET_CHARACTERS = 32;
const ENCRYPTION_KEY_BYTES = 32;

/**
 * Bounds of a lease. A lease must outlive one response of a slow SMTP server, but a long lease
 * delays the recovery of a dead worker's work.
 */
const LEASE_SECONDS = { min: 10, max: 600, default: 120 };

/** Default storage quota of a workspace in a cloud deployment, as a fraction of the database. */
const WORKSPACE_SHARE = 0.05;

const misconfigured = (name: string, expected: string) =>
  refusal("misconfigured", { name, expected });

/**
 * Reads and validates every variable and secret; no other code reads them. No secret has a default.
 * Throws `misconfigured` with the name of the variable.
 */
export async function readConfig(env: Bindings): Promise<Config> {
  const deploymentMode = readMode(env.DEPLOYMENT_MODE);
  const storageLimitBytes = readBytes(
    "STORAGE_LIMIT_BYTES",
    env.STORAGE_LIMIT_BYTES,
    D1_LIMIT_BYTES,
  );
  const share = Math.ceil(storageLimitBytes * WORKSPACE_SHARE);
  return {
    baseUrl: readOrigin(env.BASE_URL),
    resendHost: readHost("RESEND_HOST", env.RESEND_HOST, env.BASE_URL),
    deploymentMode,
    linkSecrets: {
      current: readLinkSecret("JWT_SECRET", env.JWT_SECRET),
      previous: env.JWT_SECRET_PREVIOUS
        ? readLinkSecret("JWT_SECRET_PREVIOUS", env.JWT_SECRET_PREVIOUS)
        : undefined,
    },
    sealingKeys: {
      current: await readSealingKey("ENCRYPTION_KEY", env.ENCRYPTION_KEY),
      previous: env.ENCRYPTION_KEY_PREVIOUS
        ? await readSealingKey("ENCRYPTION_KEY_PREVIOUS", env.ENCRYPTION_KEY_PREVIOUS)
        : undefined,
    },
    licenseKey: env.SERVICE_LICENSE_KEY ?? "",
    licensePublicKey: env.LICENSE_PUBLIC_KEY ?? "",
    setupToken: env.SETUP_TOKEN ?? "",
    dohUrl: env.DOH_URL,
    logRetentionDays: readDays("LOG_RETENTION_DAYS", env.LOG_RETENTION_DAYS),
    imageRetentionDays: readDays("IMAGE_RETENTION_DAYS", env.IMAGE_RETENTION_DAYS),
    storageLimitBytes,
    workspaceStorageBytes:
      deploymentMode === "cloud"
        ? readBytes("WORKSPACE_STORAGE_BYTES", env.WORKSPACE_STORAGE_BYTES, share)
        : null,
    leaseMs: readLeaseSeconds(env.LEASE_SECONDS) * 1_000,
    allowPrivateTargets: env.ALLOW_PRIVATE_TARGETS === "true",
    trustForwardedFor: env.TRUST_X_FORWARDED_FOR === "true",
  };
}

function readHost(name: string, value = "", baseUrl = ""): string {
  const host = URL.parse(`https://${value}`)?.host;
  if (value === "" || (host === value && host !== URL.parse(baseUrl)?.host)) return value;
  throw misconfigured(name, "a host name of its own, such as resend.example.com");
}

function readOrigin(value: string | undefined): string {
  const url = value && URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== "/" || url.search !== "")
    throw misconfigured(
      "BASE_URL",
      "the public origin of this service, such as https://mail.example.com",
    );
  return url.origin;
}

function readMode(value: string | undefined): Config["deploymentMode"] {
  if (value === "self_hosted" || value === "cloud") return value;
  throw misconfigured("DEPLOYMENT_MODE", '"self_hosted" or "cloud"');
}

function readLinkSecret(name: string, value: string | undefined): string {
  if (!value || value.length < MIN_JWT_SECRET_CHARACTERS)
    throw misconfigured(name, `a text of at least ${MIN_JWT_SECRET_CHARACTERS} characters`);
  return value;
}

async function readSealingKey(name: string, value: string | undefined): Promise<SealingKey> {
  const raw = fromBase64(value ?? "");
  if (!raw.ok || raw.bytes.length !== ENCRYPTION_KEY_BYTES)
    throw misconfigured(name, `${ENCRYPTION_KEY_BYTES} bytes in base64`);
  return importSealingKey(raw.bytes);
}

function readDays(name: string, value: string | undefined): number {
  const days = Number(value ?? "");
  if (!value || !Number.isInteger(days) || days < 0)
    throw misconfigured(name, "a whole number of days, 0 or more");
  return days;
}

/** Reads a number of bytes, or returns `usual` if the variable is unset. */
function readBytes(name: string, value: string | undefined, usual: number): number {
  const bytes = Number(value || usual);
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  throw misconfigured(name, "a whole number of bytes, more than 0");
}

function readLeaseSeconds(value: string | undefined): number {
  const { min, max, default: usual } = LEASE_SECONDS;
  const seconds = Number(value || usual);
  if (Number.isInteger(seconds) && seconds >= min && seconds <= max) return seconds;
  throw misconfigured("LEASE_SECONDS", `a whole number of seconds from ${min} to ${max}`);
}
