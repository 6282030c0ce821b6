import { parseArgs } from "node:util";
import { hashPassword } from "../src/lib/password-hash.ts";
import { parseEmailAddress } from "../src/mail/address.ts";
import {
  countAccountsStatement,
  createAccountStatements,
  resetPasswordStatements,
} from "./accounts/account-statements.ts";
import { choosePassword } from "./accounts/ask-password.ts";
import { executeStatements, queryDatabase, type DatabasePlace } from "./accounts/d1-execute.ts";
import { OperatorError, runCommand, UsageError } from "./command-line.ts";
import { readStateDir } from "./local/settings.ts";

const USAGE = `Usage:
  npm run user -- create --email ADDRESS --name NAME [--password PASSWORD]
      creates an account with its own workspace
  npm run user -- reset-password --email ADDRESS [--password PASSWORD]
      sets a new password and ends all sessions of the account
Without --password the command asks for one; without a terminal it generates and prints one.
The account is in the local database (--state-dir DIR overrides STATE_DIR), or with --remote in the
deployed one.`;

await runCommand(USAGE, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      email: { type: "string" },
      name: { type: "string" },
      password: { type: "string" },
      remote: { type: "boolean", default: false },
      "state-dir": { type: "string" },
    },
  });
  const [verb] = positionals;
  const email = readEmail(values.email);
  const place: DatabasePlace = values.remote
    ? { kind: "remote" }
    : { kind: "local", stateDir: values["state-dir"] ?? readStateDir(process.env) };
  if (verb === "create") return createAccount(place, email, values.name, values.password);
  if (verb === "reset-password") return resetPassword(place, email, values.password);
  throw new UsageError("the command must be create or reset-password");
});

async function createAccount(
  place: DatabasePlace,
  email: string,
  name: string | undefined,
  givenPassword: string | undefined,
) {
  if (!name?.trim()) throw new UsageError("--name is missing");
  if (await accountExists(place, email)) throw new OperatorError(`${email} has an account already`);
  const { password, isMadeUp } = await choosePassword(givenPassword);
  const passwordHash = await hashPassword(password);
  const account = { email, name: name.trim(), passwordHash, nowMs: Date.now() };
  await executeStatements(place, createAccountStatements(account));
  report(`Created ${email}.`, password, isMadeUp);
}

async function resetPassword(place: DatabasePlace, email: string, given: string | undefined) {
  if (!(await accountExists(place, email))) throw new OperatorError(`${email} has no account`);
  const { password, isMadeUp } = await choosePassword(given);
  const passwordHash = await hashPassword(password);
  const reset = { email, passwordHash, nowMs: Date.now() };
  await executeStatements(place, resetPasswordStatements(reset));
  report(`${email} has a new password and no sessions.`, password, isMadeUp);
}

async function accountExists(place: DatabasePlace, email: string): Promise<boolean> {
  const answer = await queryDatabase(place, countAccountsStatement(email));
  const found = /"found":\s*(\d+)/.exec(answer)?.[1];
  if (found === undefined) throw new Error(`wrangler returned no count:\n${answer}`);
  return found !== "0";
}

function readEmail(text: string | undefined): string {
  if (!text) throw new UsageError("--email is missing");
  const parsed = parseEmailAddress(text);
  if (!parsed.ok) throw new UsageError(`--email: ${parsed.reason}`);
  return parsed.address;
}

function report(line: string, password: string, isMadeUp: boolean) {
  process.stdout.write(isMadeUp ? `${line}\nPassword: ${password}\n` : `${line}\n`);
}
