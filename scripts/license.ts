import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { OperatorError, readVerb, runCommand, UsageError } from "./command-line.ts";
import { generateLicenseKeys, LICENSE_TIERS, signLicense } from "./sign-license.ts";

const USAGE = `Usage:
  npm run license -- keygen --key FILE
      generates a key pair, writes the signing key to FILE and prints LICENSE_PUBLIC_KEY
  npm run license -- sign --tier pro|team [--sub NAME] [--days N] --key FILE|-
      prints a SERVICE_LICENSE_KEY; FILE contains the signing key; - reads it from standard input`;

const SECONDS_PER_DAY = 86_400;
const MAX_DAYS = 36_500;
const STDIN_FILE_DESCRIPTOR = 0;

await runCommand(USAGE, () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      tier: { type: "string" },
      sub: { type: "string", default: "self-hosted" },
      days: { type: "string" },
      key: { type: "string" },
    },
  });
  const verb = readVerb(positionals, ["keygen", "sign"]);
  if (!values.key) throw new UsageError("--key is missing");
  if (verb === "keygen") makeKeys(values.key);
  else printLicense({ ...values, key: values.key });
});

function makeKeys(file: string) {
  const { publicKey, signingKey } = generateLicenseKeys();
  try {
    writeFileSync(file, `${signingKey}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw new OperatorError(`cannot write the signing key: ${String(error)}`);
  }
  process.stdout.write(`LICENSE_PUBLIC_KEY=${publicKey}\n`);
}

function printLicense(options: {
  tier?: string | undefined;
  sub: string;
  days?: string | undefined;
  key: string;
}) {
  const tier = LICENSE_TIERS.find((known) => known === options.tier);
  if (!tier) throw new UsageError(`--tier must be one of ${LICENSE_TIERS.join(", ")}`);
  const iat = Math.floor(Date.now() / 1000);
  const exp =
    options.days === undefined ? {} : { exp: iat + readDays(options.days) * SECONDS_PER_DAY };
  const payload = { tier, sub: options.sub, iat, ...exp };
  try {
    const file = options.key === "-" ? STDIN_FILE_DESCRIPTOR : options.key;
    process.stdout.write(`${signLicense(payload, readFileSync(file, "utf8"))}\n`);
  } catch (error) {
    throw new OperatorError(`cannot use the signing key in ${options.key}: ${String(error)}`);
  }
}

function readDays(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return days;
  throw new UsageError(`--days must be a whole number from 1 to ${MAX_DAYS}`);
}
