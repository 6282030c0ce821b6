import { parseArgs } from "node:util";
import { UsageError } from "../command-line.ts";
import { NO_LICENSE_OPTIONS } from "../sign-license.ts";

/** D1 locations (`wrangler d1 create --location`). */
export const LOCATIONS = {
  weur: "Western Europe",
  eeur: "Eastern Europe",
  apac: "Asia Pacific",
  oc: "Oceania",
  wnam: "Western North America",
  enam: "Eastern North America",
};

export const USAGE = `Usage: npm run deploy [-- OPTIONS]
  --domain NAME      serve at this custom domain, such as mail.example.com (a zone of the account)
  --location CODE    where a new database is created: ${Object.keys(LOCATIONS).join(", ")}
  --account ID       the account to use (or CLOUDFLARE_ACCOUNT_ID)
  --bounce-domain N  route mail for bounces@N to the Worker with Email Routing (N: a domain only for bounces)
  --replace-dns      let the custom domain replace existing DNS records of its name
  --no-license       do not sign a license for all features
  --dry-run          check, build and show the plan; needs no login and changes nothing
You can repeat the command at any time: it continues where it stopped, or updates the deployment.`;

export interface DeployOptions {
  domain: string | undefined;
  location: string | undefined;
  account: string | undefined;
  /** Domain whose bounces Email Routing sends to the Worker. */
  bounceDomain?: string | undefined;
  replacesDns: boolean;
  /** True to sign a license for all features if the service has none. */
  signsLicense: boolean;
  isDryRun: boolean;
}

/** At least two labels of letters, digits and hyphens (RFC 1123 §2.1). */
const DOMAIN = /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/;

/** Parses the command line. Throws UsageError for an invalid value. */
export function readOptions(
  args: string[],
  env: Record<string, string | undefined>,
): DeployOptions {
  const { values } = parseArgs({
    args,
    options: {
      domain: { type: "string" },
      location: { type: "string" },
      account: { type: "string" },
      "bounce-domain": { type: "string" },
      "replace-dns": { type: "boolean", default: false },
      ...NO_LICENSE_OPTIONS,
      "dry-run": { type: "boolean", default: false },
    },
  });
  const bounces = values["bounce-domain"];
  return {
    domain: values.domain === undefined ? undefined : readDomain("--domain", values.domain),
    location: values.location === undefined ? undefined : readLocation(values.location),
    account: values.account ?? (env["CLOUDFLARE_ACCOUNT_ID"] || undefined),
    bounceDomain: bounces === undefined ? undefined : readDomain("--bounce-domain", bounces),
    replacesDns: values["replace-dns"],
    signsLicense: !values["no-license"] && !values["no-licence"],
    isDryRun: values["dry-run"],
  };
}

function readDomain(option: string, text: string): string {
  const name = text.toLowerCase();
  if (!DOMAIN.test(name) || name.endsWith(".localhost")) {
    throw new UsageError(`${option} must be a name such as mail.example.com, not "${text}"`);
  }
  if (name.endsWith(".workers.dev")) {
    throw new UsageError(`${option} is for a zone of your own; omit it to use workers.dev`);
  }
  return name;
}

/** Location codes, for the usage text. */
export const LOCATION_CODES = Object.keys(LOCATIONS).join(", ");

export const isLocation = (text: string): boolean => Object.hasOwn(LOCATIONS, text);

function readLocation(text: string): string {
  if (isLocation(text)) return text;
  throw new UsageError(`--location must be one of ${LOCATION_CODES}, not "${text}"`);
}
