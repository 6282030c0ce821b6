import type { Deps } from "../../deps.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { objectOf, type Placed } from "../../project-object.ts";

/**
 * Ends the SMTP sessions that a project's Durable Object keeps open. Never throws: a remaining
 * session ends within half a minute and is never used with other settings.
 */
export async function endSessions({ limiter }: Deps, project: Placed): Promise<void> {
  try {
    await objectOf(limiter, project).endSessions();
  } catch (error) {
    logLine("warn", "hub_sessions_left", { projectId: project.id, error: errorText(error) });
  }
}
