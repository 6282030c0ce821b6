import type { App } from "../../app.ts";
import { selectEnabledProjects } from "./queries.ts";

/** Messages a `sendBatch` takes (Queues documentation, "Limits"). */
const PROJECTS_PER_PAGE = 100;

/** Puts one message for each mailbox on the queue, a page at a time, so that a slow mailbox delays no other. */
export async function enqueuePolls({ db, bounceQueue }: App): Promise<void> {
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
