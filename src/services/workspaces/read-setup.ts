import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";

/** Who may register: anyone, the holder of the setup token, or no one. */
export const REGISTRATIONS = ["open", "setup_token", "closed"] as const;

/** The state of a deployment before login. */
export interface Setup {
  /** True while there is no account. */
  needed: boolean;
  registration: (typeof REGISTRATIONS)[number];
}

/** Reads whether the first account still has to be created: one row. Anyone may call it. */
export async function readSetup({ db, config }: Deps): Promise<Setup> {
  const [row] = await db.all<{ hasUsers: number }>(
    sql`select exists (select 1 from users) as "hasUsers"`,
  );
  const needed = row?.hasUsers === 0;
  if (config.deploymentMode === "cloud") return { needed, registration: "open" };
  const isPossible = needed && config.setupToken !== "";
  return { needed, registration: isPossible ? "setup_token" : "closed" };
}
