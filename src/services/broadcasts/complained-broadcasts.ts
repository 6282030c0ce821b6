import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Database } from "../../db/client.ts";
import type { BounceSettings } from "../../db/schema/index.ts";
import { bounceSettingsOf } from "../projects/index.ts";
import { COMPLAINT, pauseReason } from "./auto-pause.ts";
import { pauseByItself } from "./pause-by-itself.ts";
import type { BroadcastRow } from "./queries.ts";

/** A broadcast that is being sent and has complaints. */
interface Complained extends Pick<
  BroadcastRow,
  "id" | "projectId" | "automationId" | "subject" | "complaints" | "resumptions"
> {
  outcomes: number;
  /** JSON, or null. */
  bounceSettings: string | null;
}

/** Selects the broadcasts from drafts that are sending and have complaints. */
export function selectComplained(db: Database, limit: number) {
  return db.all<Complained>(
    sql`select b.id, b.project_id as "projectId", b.automation_id as "automationId", b.subject, b.complaints, b.resumptions, p.bounce_settings as "bounceSettings",
        b.sent + b.failed + b.bounced + (
          select coalesce(sum(sent + failed + bounced), 0) from broadcast_chunks where broadcast_id = b.id) as outcomes
      from broadcasts b cross join projects p on p.id = b.project_id
      where b.state = 'sending' and b.complaints > 0 and b.plan is not null limit ${limit}`,
  );
}

/** Pauses the broadcasts whose complaint rate has reached the limit of their project. */
export async function pauseComplained(deps: Deps, broadcasts: Complained[]): Promise<void> {
  for (const broadcast of broadcasts) {
    const { complaints, outcomes: total } = broadcast;
    const problems = [[COMPLAINT, complaints]] as const;
    const reason = pauseReason({ total, problems }, settingsOf(broadcast).autoPause);
    if (reason) await pauseByItself(deps, broadcast, reason);
  }
}

function settingsOf({ bounceSettings }: Complained): BounceSettings {
  // Only `saveBounceSettings` writes this JSON.
  const stored = bounceSettings === null ? null : (JSON.parse(bounceSettings) as BounceSettings);
  return bounceSettingsOf({ bounceSettings: stored });
}
