import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import type { ReadReport } from "../../mail/bounce/index.ts";
import { selectMailOwners, type MailOwner } from "../email-log/index.ts";
import { openReturnPaths, type ReturnedTo } from "../tracking/index.ts";

/** The mail that the return path of a report names. */
export type ReturnedMail = MailOwner & ReturnedTo;

/**
 * The mail of a report's return path, or only its log id if the log does not contain it. Neither if
 * the token is forged.
 */
interface Returned {
  mail?: ReturnedMail | undefined;
  unlogged?: string;
}

/**
 * Finds the mail that the return path of each report names, in any project. Takes no D1 round trip
 * if no report has a valid token, otherwise one.
 */
export async function findReturnedMails(
  deps: Deps,
  reports: Pick<ReadReport, "returnPaths">[],
): Promise<Returned[]> {
  const tokens = await Promise.all(
    reports.map(({ returnPaths }) => openReturnPaths(deps, returnPaths)),
  );
  const ids = [...new Set(tokens.flatMap((token) => token?.logId ?? []))];
  if (ids.length === 0) return tokens.map(() => ({}));
  const [rows] = await runBatch(deps.db, [selectMailOwners(deps.db, ids)]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return tokens.map((token) => {
    if (!token) return {};
    const owner = byId.get(token.logId);
    return owner ? { mail: { ...owner, ...token } } : { unlogged: token.logId };
  });
}
