import { OperatorError } from "../command-line.ts";
import { signOwnLicense } from "../sign-license.ts";
import type { Environment } from "./settings.ts";

/** Variables and secrets of the service that the environment may set (docs/configuration.md). */
const SERVICE_VARIABLES = [
  "BASE_URL",
  "DEPLOYMENT_MODE",
  "DOH_URL",
  "IMAGE_RETENTION_DAYS",
  "LICENSE_PUBLIC_KEY",
  "LOG_RETENTION_DAYS",
  "STORAGE_LIMIT_BYTES",
  "WORKSPACE_STORAGE_BYTES",
  "LEASE_SECONDS",
  "ALLOW_PRIVATE_TARGETS",
  "TRUST_X_FORWARDED_FOR",
  "JWT_SECRET",
  "JWT_SECRET_PREVIOUS",
  "ENCRYPTION_KEY",
  "ENCRYPTION_KEY_PREVIOUS",
  "SERVICE_LICENSE_KEY",
  "SETUP_TOKEN",
];

/**
 * Collects the variables and secrets of the local Worker. The environment overrides `.dev.vars`,
 * which overrides the defaults of a local run: its own URL, private targets allowed, and, if
 * `signsLicense`, a license for all features.
 */
export function collectWorkerVariables(
  env: Environment,
  devVars: Record<string, string>,
  { localAddress, signsLicense }: { localAddress: string; signsLicense: boolean },
): Record<string, string> {
  const fromEnvironment = Object.fromEntries(
    SERVICE_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
  return {
    BASE_URL: localAddress,
    ALLOW_PRIVATE_TARGETS: "true",
    ...(signsLicense ? signOwnLicense() : {}),
    ...devVars,
    ...fromEnvironment,
  };
}

/**
 * Formats variables as an env file for wrangler, which parses it with dotenv and dotenv-expand:
 * values are quoted, and `$` is escaped to prevent expansion. Throws OperatorError for a value with
 * all three kinds of quotes, which the format cannot express.
 */
export function formatEnvFile(variables: Record<string, string>): string {
  const lines = Object.entries(variables).map(([name, value]) => {
    // Double quotes come last, because the format also expands \n and \r between them.
    const quote = ["'", "`", '"'].find((candidate) => !value.includes(candidate));
    if (!quote) throw new OperatorError(`${name} cannot contain all of ' " and \``);
    return `${name}=${quote}${value.replaceAll("$", String.raw`\$`)}${quote}\n`;
  });
  return lines.join("");
}
