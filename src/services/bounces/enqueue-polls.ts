import type { Deps } from "../../deps.ts";
import { selectEnabledProjects } from "./queries.ts";

/** The maximum number of messages per `sendBatch` (Queues documentation, "Limits"). */
const PROJECTS_PER_PAGE = 100;

/** Enqueues one message for each mailbox, page by page, so a slow mailbox delays no other. */
export async function enqueuePolls({ db, bounceQueue }: Deps): Promise<void> {
  let afterId = "";
  for (;;) {
    const page = await selectEnabledProjects(db, afterId, PROJECTS_PER_PAGE);
    const last = page.at(-1);
    if (!last) return;
    await bounceQueue.sendBatch(
      page.map(({ projectId }) => ({ body: { type: "bounce_poll", projectId } })),
    );
    if (page.length < PROJECTS_PER_PAGE) return;
    afterId = last.projectId;
  }
}
