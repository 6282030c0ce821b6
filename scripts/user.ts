import { parseArgs } from "node:util";
import { nameField } from "../src/http/fields.ts";
import { hashPassword } from "../src/lib/password-hash.ts";
import { parseEmailAddress } from "../src/mail/address.ts";
import {
  countAccountsStatement,
  createAccountStatements,
  resetPasswordStatements,
} from "./accounts/account-statements.ts";
import { choosePassword } from "./accounts/ask-password.ts";
import { readField } from "./accounts/read-field.ts";
import {
  withDatabase,
  type DatabasePlace,
  type OperatorDatabase,
} from "./accounts/with-database.ts";
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
  if (verb !== "create" && verb !== "reset-password")
    throw new UsageError("the command must be create or reset-password");
  const { password } = values;
  const name = verb === "create" ? readName(values.name) : "";
  await withDatabase(place, (database) =>
    verb === "create"
      ? createAccount(database, email, name, password)
      : resetPassword(database, email, password),
  );
});

async function createAccount(
  database: OperatorDatabase,
  email: string,
  name: string,
  givenPassword: string | undefined,
) {
  if (await accountExists(database, email))
    throw new OperatorError(`${email} has an account already`);
  const { password, isMadeUp } = await choosePassword(givenPassword);
  const passwordHash = await hashPassword(password);
  const account = { email, name, passwordHash, nowMs: Date.now() };
  await database.execute(createAccountStatements(account));
  report(`Created ${email}.`, password, isMadeUp);
}

async function resetPassword(database: OperatorDatabase, email: string, given: string | undefined) {
  if (!(await accountExists(database, email))) throw new OperatorError(`${email} has no account`);
  const { password, isMadeUp } = await choosePassword(given);
  const passwordHash = await hashPassword(password);
  const reset = { email, passwordHash, nowMs: Date.now() };
  await database.execute(resetPasswordStatements(reset));
  report(`${email} has a new password and no sessions.`, password, isMadeUp);
}

async function accountExists(database: OperatorDatabase, email: string): Promise<boolean> {
  const [row] = await database.query<{ found: number }>(countAccountsStatement(email));
  if (!row) throw new Error("the database returned no count");
  return row.found !== 0;
}

function readEmail(text: string | undefined): string {
  if (!text) throw new UsageError("--email is missing");
  const parsed = parseEmailAddress(text);
  if (!parsed.ok) throw new UsageError(`--email: ${parsed.reason}`);
  return parsed.address;
}

function readName(text: string | undefined): string {
  if (!text?.trim()) throw new UsageError("--name is missing");
  return readField("--name", nameField, text);
}

function report(line: string, password: string, isMadeUp: boolean) {
  process.stdout.write(isMadeUp ? `${line}\nPassword: ${password}\n` : `${line}\n`);
}
