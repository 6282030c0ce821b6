import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import type { ReadReport } from "../../mail/bounce/index.ts";
import { selectMailOwners, type MailOwner } from "../email-log/index.ts";
import { openReturnPaths, type ReturnedTo } from "../tracking/index.ts";

/** The mail that the return path of a report names. */
export type ReturnedMail = MailOwner & ReturnedTo;

/**
 * Finds the mail that the return path of each report names, of any project. It is undefined for a
 * report without a valid token, and for a mail that is not in the log. Takes no D1 round trip if no
 * report has a valid token, otherwise one.
 */
export async function findReturnedMails(
  deps: Deps,
  reports: Pick<ReadReport, "returnPaths">[],
): Promise<(ReturnedMail | undefined)[]> {
  const tokens = await Promise.all(
    reports.map(({ returnPaths }) => openReturnPaths(deps, returnPaths)),
  );
  const ids = [...new Set(tokens.flatMap((token) => token?.logId ?? []))];
  if (ids.length === 0) return tokens.map(() => undefined);
  const [rows] = await runBatch(deps.db, [selectMailOwners(deps.db, ids)]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return tokens.map((token) => {
    const owner = token && byId.get(token.logId);
    return owner && { ...owner, ...token };
  });
}
