import type { Deps } from "../../deps.ts";
import { errorText, logLine } from "../../lib/log-line.ts";

/**
 * Ends the SMTP sessions that a project's hub keeps. Never throws: a session that is left ends by
 * itself within half a minute, and mail with other settings never uses it.
 */
export async function endSessions({ limiter }: Deps, projectId: string): Promise<void> {
  try {
    await limiter.get(limiter.idFromName(projectId)).endSessions();
  } catch (error) {
    logLine("warn", "hub_sessions_left", { projectId, error: errorText(error) });
  }
}
