import { OperatorError } from "../command-line.ts";
import { licensePublicKey, signLicense } from "../sign-license.ts";
import { LICENSE_SIGNING_KEY } from "./dev-vars.ts";
import type { Environment } from "./settings.ts";

/** Every variable and secret of the service that may come from the environment (docs/configuration.md). */
const SERVICE_VARIABLES = [
  "BASE_URL",
  "DEPLOYMENT_MODE",
  "DOH_URL",
  "LICENSE_PUBLIC_KEY",
  "LOG_RETENTION_DAYS",
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
 * The variables and secrets the local Worker gets: the environment wins over `.dev.vars`, which wins
 * over the defaults of a local run (own address, private targets allowed, a team licence signed now).
 */
export function collectWorkerVariables(
  env: Environment,
  devVars: Record<string, string>,
  localAddress: string,
): Record<string, string> {
  const { [LICENSE_SIGNING_KEY]: signingKey = "", ...fromFile } = devVars;
  const fromEnvironment = Object.fromEntries(
    SERVICE_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
  return {
    BASE_URL: localAddress,
    ALLOW_PRIVATE_TARGETS: "true",
    LICENSE_PUBLIC_KEY: licensePublicKey(signingKey),
    SERVICE_LICENSE_KEY: signLocalLicense(signingKey),
    ...fromFile,
    ...fromEnvironment,
  };
}

function signLocalLicense(signingKey: string): string {
  const iat = Math.floor(Date.now() / 1000);
  return signLicense({ tier: "team", sub: "local development", iat }, signingKey);
}

/**
 * Writes variables as an env file for wrangler, which reads it with dotenv and dotenv-expand: values
 * are quoted, and `$` is escaped so that nothing is expanded. Throws OperatorError for a value that
 * holds all three kinds of quotes, which the format cannot carry.
 */
export function formatEnvFile(variables: Record<string, string>): string {
  const lines = Object.entries(variables).map(([name, value]) => {
    // Double quotes come last: between them, the format also reads \n and \r.
    const quote = ["'", "`", '"'].find((candidate) => !value.includes(candidate));
    if (!quote) throw new OperatorError(`${name} may not contain all of ' " and \``);
    return `${name}=${quote}${value.replaceAll("$", String.raw`\$`)}${quote}\n`;
  });
  return lines.join("");
}
