import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatchAfter } from "../../db/client.ts";
import type { Message } from "../../messages/message.ts";
import { logLine } from "../../lib/log-line.ts";
import { addNotices } from "../service-mail/index.ts";

/**
 * Pauses an active automation that cannot continue, with the mails of its steps, and stores a
 * notice with the reason for the owners. `when` is a further condition.
 */
export async function pauseAutomationByItself(
  deps: Deps,
  { id, projectId }: { id: string; projectId: string },
  reason: Message,
  when: SQL = sql`true`,
): Promise<void> {
  const { db } = deps;
  const notice = {
    projectId,
    cause: `automation ${id}`,
    title: "An automation was auto-paused",
    text: `An automation stopped: ${reason.message}. Fix the cause, then start the automation again.`,
  };
  const reasons = JSON.stringify([reason]);
  const isActive = sql`exists (select 1 from automations
    where id = ${id} and project_id = ${projectId} and state = 'active') and ${when}`;
  const [paused] = await runBatchAfter(deps.db, addNotices(deps, notice, isActive), [
    db.all<{ id: string }>(
      sql`update automations set state = 'paused', reasons = ${reasons}
        where id = ${id} and ${isActive} returning id`,
    ),
    db.run(
      sql`update broadcasts set state = 'paused', reasons = ${reasons}
        where automation_id = ${id} and state = 'sending' and exists (
          select 1 from automations where id = ${id} and state = 'paused')`,
    ),
  ]);
  if (paused.length > 0)
    logLine("warn", "automation_paused", { automationId: id, error: reason.message });
}
