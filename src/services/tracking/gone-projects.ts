import type { Deps } from "../../deps.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { recentValues, type RecentValues } from "../../lib/recent-values.ts";

/** The time for which a location of KV may repeat its answer. */
const CACHE_SECONDS = 300;
/** The time for which an isolate repeats an answer. */
const KNOWN_MS = 60_000;
/** The time for which a reader waits for KV. */
const PATIENCE_MS = 500;
/** The answers that an isolate keeps. */
const MAX_ANSWERS = 10_000;

const keyOf = (projectId: string) => `gone:${projectId}`;

/** What an isolate knows about projects, by id and minute. */
export type KnownProjects = RecentValues<{ isGone?: boolean }>;

/** Makes the memory of one server. */
export const knownProjects = (): KnownProjects => recentValues(MAX_ANSWERS);

/**
 * Ends the tracked links of a deleted project for good: no project gets its id again. Throws if KV
 * fails.
 */
export async function endLinks({ kv }: Deps, projectId: string): Promise<void> {
  await kv.put(keyOf(projectId), "1");
}

/**
 * Tells whether the tracked links of a project have ended. Reads KV at most once a minute for a
 * project, and never D1. While KV fails or is slow, no link has ended: a reader of a project that
 * exists must not pay for one that does not.
 */
export async function haveLinksEnded(
  deps: Deps,
  known: KnownProjects,
  projectId: string,
): Promise<boolean> {
  const minute = Math.floor(deps.now() / KNOWN_MS);
  const answer = known.of(`${projectId} ${minute}`, () => ({}));
  if (answer.isGone === undefined) {
    const late = deps.wait(PATIENCE_MS).then(() => false);
    answer.isGone = await Promise.race([isGone(deps, projectId), late]);
  }
  return answer.isGone;
}

async function isGone({ kv }: Deps, projectId: string): Promise<boolean> {
  try {
    return (await kv.get(keyOf(projectId), { cacheTtl: CACHE_SECONDS })) !== null;
  } catch (error) {
    logLine("warn", "ended_links_unread", { projectId, error: errorText(error) });
    return false;
  }
}
