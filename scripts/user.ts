import { parseArgs } from "node:util";
import { nameField } from "../src/http/fields.ts";
import { parseEmailAddress } from "../src/mail/address.ts";
import type { ChosenPassword } from "./accounts/ask-password.ts";
import { createAccount } from "./accounts/create-account.ts";
import { readField } from "./accounts/read-field.ts";
import { resetPassword } from "./accounts/reset-password.ts";
import { withDatabase, type DatabasePlace } from "./accounts/with-database.ts";
import { readVerb, runCommand, UsageError } from "./command-line.ts";
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
  const verb = readVerb(positionals, ["create", "reset-password"]);
  const email = readEmail(values.email);
  const place: DatabasePlace = values.remote
    ? { kind: "remote" }
    : { kind: "local", stateDir: values["state-dir"] ?? readStateDir(process.env) };
  const { password } = values;
  const name = verb === "create" ? readName(values.name) : "";
  await withDatabase(place, async (database) => {
    if (verb === "create")
      report(`Created ${email}.`, await createAccount(database, { email, name }, password));
    else
      report(
        `${email} has a new password and no active sessions.`,
        await resetPassword(database, email, password),
      );
  });
});

function readEmail(text: string | undefined): string {
  if (!text) throw new UsageError("--email is missing");
  const parsed = parseEmailAddress(text);
  if (!parsed.ok) throw new UsageError(`--email: ${parsed.fault.message}`);
  return parsed.address;
}

function readName(text: string | undefined): string {
  if (!text?.trim()) throw new UsageError("--name is missing");
  return readField("--name", nameField, text);
}

function report(line: string, { password, isMadeUp }: ChosenPassword) {
  process.stdout.write(isMadeUp ? `${line}\nPassword: ${password}\n` : `${line}\n`);
}
