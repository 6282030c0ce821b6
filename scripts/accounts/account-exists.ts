import { countAccountsStatement } from "./account-statements.ts";
import type { OperatorDatabase } from "./with-database.ts";

export async function accountExists(database: OperatorDatabase, email: string): Promise<boolean> {
  const [row] = await database.query<{ found: number }>(countAccountsStatement(email));
  if (!row) throw new Error("the database returned no count");
  return row.found !== 0;
}
