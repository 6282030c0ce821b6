import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { uuidTime } from "../../lib/ids.ts";
import { selectMailOwners } from "../email-log/index.ts";
import { awaitedMails } from "../tracking/index.ts";

/** The time within which a mail that was sent must be in the log. */
const LOGGED_WITHIN_MS = 5 * 60_000;

/**
 * Returns those of these log ids, which the caller did not find in the log of any project, whose
 * mail may soon be there: they are new, or a worker has the mail in hand. Ids of the future name no
 * mail; anybody can write them into a Message-ID. Takes no D1 round trip for new ids, otherwise one.
 */
export async function mailsToCome(deps: Deps, logIds: string[]): Promise<ReadonlySet<string>> {
  const past = pastIds(deps, logIds);
  const isNew = (id: string) => deps.now() - uuidTime(id) < LOGGED_WITHIN_MS;
  const older = past.filter((id) => !isNew(id));
  const awaited = older.length === 0 ? [] : await awaitedMails(deps, older);
  return new Set([...past.filter(isNew), ...awaited]);
}

/**
 * Returns those of these log ids, which the caller did not find in the log of this project, whose
 * mail may soon be there. Takes no D1 round trip without an id of the past, otherwise up to two.
 */
export async function mailsToComeIn(
  deps: Deps,
  projectId: string,
  logIds: string[],
): Promise<ReadonlySet<string>> {
  const past = pastIds(deps, logIds);
  if (past.length === 0) return new Set();
  const [owners] = await runBatch(deps.db, [selectMailOwners(deps.db, past)]);
  const others = owners.filter((owner) => owner.projectId !== projectId);
  const elsewhere = new Set(others.map(({ id }) => id));
  return mailsToCome(
    deps,
    past.filter((id) => !elsewhere.has(id)),
  );
}

/** Throws while one of these mails, which are not in the log, may come: its report comes again. */
export async function requireNoLogging(deps: Deps, logIds: string[]): Promise<void> {
  if ((await mailsToCome(deps, logIds)).size > 0)
    throw new Error("this mail is not in the log yet");
}

const pastIds = ({ now }: Deps, logIds: string[]) => {
  const at = now();
  return [...new Set(logIds)].filter((id) => uuidTime(id) <= at);
};
