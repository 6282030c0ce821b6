import { hashPassword } from "../../src/lib/password-hash.ts";
import { OperatorError } from "../command-line.ts";
import { accountExists } from "./account-exists.ts";
import { createAccountStatements } from "./account-statements.ts";
import { choosePassword, type ChosenPassword } from "./ask-password.ts";
import type { OperatorDatabase } from "./with-database.ts";

/** SQLite's error for a duplicate email. */
const TAKEN = "UNIQUE constraint failed: users.email";

/**
 * Creates an account and returns its password. Throws OperatorError if the email already has an
 * account, even one created concurrently.
 */
export async function createAccount(
  database: OperatorDatabase,
  { email, name }: { email: string; name: string },
  givenPassword: string | undefined,
): Promise<ChosenPassword> {
  const taken = new OperatorError(`${email} has an account already`);
  if (await accountExists(database, email)) throw taken;
  const chosen = await choosePassword(givenPassword);
  const passwordHash = await hashPassword(chosen.password);
  const account = { email, name, passwordHash, nowMs: Date.now() };
  try {
    await database.execute(createAccountStatements(account));
  } catch (error) {
    throw String(error).includes(TAKEN) ? taken : error;
  }
  return chosen;
}
