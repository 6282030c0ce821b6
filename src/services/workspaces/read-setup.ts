import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";

/** Names those who may register: anybody, the holder of the setup token, or nobody. */
export const REGISTRATIONS = ["open", "setup_token", "closed"] as const;

/** The state of a deployment before somebody logs in. */
export interface Setup {
  /** True while there is no account. */
  needed: boolean;
  registration: (typeof REGISTRATIONS)[number];
}

/** Reads whether the first account is still to be made: one row. Anybody may ask. */
export async function readSetup({ db, config }: Deps): Promise<Setup> {
  const [row] = await db.all<{ hasUsers: number }>(
    sql`select exists (select 1 from users) as "hasUsers"`,
  );
  const needed = row?.hasUsers === 0;
  if (config.deploymentMode === "cloud") return { needed, registration: "open" };
  const isPossible = needed && config.setupToken !== "";
  return { needed, registration: isPossible ? "setup_token" : "closed" };
}
