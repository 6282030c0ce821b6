import { hashPassword } from "../../src/lib/password-hash.ts";
import { OperatorError } from "../command-line.ts";
import { accountExists } from "./account-exists.ts";
import { resetPasswordStatements } from "./account-statements.ts";
import { choosePassword, type ChosenPassword } from "./ask-password.ts";
import type { OperatorDatabase } from "./with-database.ts";

/** Sets a new password and returns it. Throws OperatorError if the email has no account. */
export async function resetPassword(
  database: OperatorDatabase,
  email: string,
  givenPassword: string | undefined,
): Promise<ChosenPassword> {
  if (!(await accountExists(database, email))) throw new OperatorError(`${email} has no account`);
  const chosen = await choosePassword(givenPassword);
  const passwordHash = await hashPassword(chosen.password);
  await database.execute(resetPasswordStatements({ email, passwordHash, nowMs: Date.now() }));
  return chosen;
}
