import type { Deps } from "../../deps.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { recentValues, type RecentValues } from "../../lib/recent-values.ts";

/** The cache lifetime of a KV read per location. */
const CACHE_SECONDS = 300;
/** The cache lifetime of an answer per isolate. */
const KNOWN_MS = 60_000;
/** The timeout of a KV read. */
const KV_TIMEOUT_MS = 500;
/** The maximum number of cached answers per isolate. */
const MAX_ANSWERS = 10_000;

const keyOf = (projectId: string) => `gone:${projectId}`;

/** The cached state of projects, by id and minute. */
export type KnownProjects = RecentValues<{ isGone?: boolean }>;

/** Creates the cache of one server. */
export const knownProjects = (): KnownProjects => recentValues(MAX_ANSWERS);

/**
 * Ends the tracked links of a deleted project permanently: project ids are never reused. Throws if
 * KV fails.
 */
export async function endLinks({ kv }: Deps, projectId: string): Promise<void> {
  await kv.put(keyOf(projectId), "1");
}

/**
 * Returns true if the tracked links of a project have ended. Reads KV at most once a minute per
 * project, and never D1. While KV fails or is slow, it returns false: readers of existing projects
 * must not be affected.
 */
export async function haveLinksEnded(
  deps: Deps,
  known: KnownProjects,
  projectId: string,
): Promise<boolean> {
  const minute = Math.floor(deps.now() / KNOWN_MS);
  const answer = known.of(`${projectId} ${minute}`, () => ({}));
  if (answer.isGone === undefined) {
    const late = deps.wait(KV_TIMEOUT_MS).then(() => false);
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
