import type { Deps } from "../deps.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import { delayAfter, WAKE_BACK_OFF } from "./back-off.ts";
import type { WakeMessage } from "./messages.ts";

/** Wakes senders, each once, and tries again while an object is away. */
export async function wakeProjects(
  { senders }: Deps,
  received: { message: Message; body: WakeMessage }[],
): Promise<void> {
  const byProject = Map.groupBy(received, ({ body }) => body.projectId);
  const wake = async (projectId: string, messages: Message[]) => {
    try {
      await senders.get(senders.idFromName(projectId)).wake(projectId);
      for (const message of messages) message.ack();
    } catch (error) {
      logLine("error", "sender_not_woken", { projectId, error: errorText(error) });
      for (const message of messages)
        message.retry({ delaySeconds: delayAfter(message.attempts, WAKE_BACK_OFF) });
    }
  };
  await Promise.all(
    [...byProject].map(([projectId, all]) =>
      wake(
        projectId,
        all.map(({ message }) => message),
      ),
    ),
  );
}
