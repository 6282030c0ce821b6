import type { Deps } from "../../deps.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { objectOf, type Placed } from "../../project-object.ts";

/**
 * Makes the sender of a project hand over no more mails of the broadcast that it is at, and look at
 * its work anew. Never throws: the sender also notices a change with its next record.
 */
export async function stopSending({ senders }: Deps, project: Placed): Promise<void> {
  try {
    await objectOf(senders, project).stop();
  } catch (error) {
    logLine("warn", "sender_not_stopped", { projectId: project.id, error: errorText(error) });
  }
}

/**
 * Ends the SMTP sessions that a project's Durable Object keeps open. Never throws: a remaining
 * session ends within half a minute and is never used with other settings.
 */
export async function endSessions({ senders }: Deps, project: Placed): Promise<void> {
  try {
    await objectOf(senders, project).endSessions();
  } catch (error) {
    logLine("warn", "sessions_left", { projectId: project.id, error: errorText(error) });
  }
}
