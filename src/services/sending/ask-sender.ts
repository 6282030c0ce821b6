import type { Deps } from "../../deps.ts";
import { refusal } from "../../errors.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import type { ProjectObject } from "../../project-object.ts";

/**
 * Asks the sender of a project. Throws 503 when it does not answer: without it nobody knows what is
 * left of the limits.
 */
export async function askSender<Answer>(
  { senders }: Pick<Deps, "senders">,
  projectId: string,
  ask: (object: ProjectObject) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask(senders.get(senders.idFromName(projectId)));
  } catch (error) {
    logLine("error", "sender_failed", { projectId, error: errorText(error) });
    throw refusal("mail_server_limits_unavailable", {});
  }
}
