import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { selectMailsById, type LoggedMail } from "../email-log/index.ts";
import { openReturnPaths } from "../tracking/index.ts";
import { foundMail, logIdsOf, type Claim, type Report } from "./claims.ts";
import { mailsToCome } from "./mails-to-come.ts";

/** A report with the mails that it names. */
export interface Evidence {
  /** The project whose mail the report names; undefined if there is none. */
  projectId: string | undefined;
  /**
   * Set if a mail that the report names may soon be in the log: that of its return path, or only
   * one of a Message-ID, which anyone can forge.
   */
  early: "return_path" | "message_id" | undefined;
  /** Returns what the report says, with the mails of this project that prove it. */
  claimsIn: (projectId: string) => Claim[];
}

/**
 * Finds the mails that prove reports, in any project. Anyone can write a report, so it is proven
 * only by a mail whose id it names, in its return path or in a Message-ID, and only about the
 * address to which that mail was sent. Takes no D1 round trip if the reports name no mail, otherwise
 * one, and another if they name an old mail that is not in the log.
 */
export async function findEvidence(deps: Deps, reports: Report[]): Promise<Evidence[]> {
  const tokens = await Promise.all(
    reports.map(({ returnPaths }) => openReturnPaths(deps, returnPaths)),
  );
  const named = reports.flatMap((report) => report.claimsWith().flatMap(logIdsOf));
  const ids = [...new Set([...tokens.flatMap((token) => token?.logId ?? []), ...named])];
  const owners = new Map((await ownersOf(deps, ids)).map((owner) => [owner.id, owner]));
  const toCome = await mailsToCome(
    deps,
    ids.filter((id) => !owners.has(id)),
  );
  const proofOf = (claim: Claim) =>
    logIdsOf(claim)
      .flatMap((id) => owners.get(id) ?? [])
      .find(({ toEmail }) => toEmail === claim.email);

  return reports.map((report, index) => {
    const token = tokens[index];
    const owner = token && owners.get(token.logId);
    const mail = owner && { ...owner, ...token };
    const all = report.claimsWith(mail);
    const open = all.filter((claim) => !claim.found && !proofOf(claim));
    const isEarly = open.flatMap(logIdsOf).some((id) => toCome.has(id));
    return {
      projectId: (mail ?? all.flatMap((claim) => proofOf(claim) ?? [])[0])?.projectId,
      early:
        token && toCome.has(token.logId) && report.isFailure
          ? "return_path"
          : isEarly
            ? "message_id"
            : undefined,
      claimsIn: (projectId) =>
        report.claimsWith(mail?.projectId === projectId ? mail : undefined).map((claim) => {
          const proof = proofOf(claim);
          if (claim.found || proof?.projectId !== projectId) return claim;
          return { ...claim, found: foundMail(proof, true) };
        }),
    };
  });
}

async function ownersOf({ db }: Deps, ids: string[]): Promise<LoggedMail[]> {
  if (ids.length === 0) return [];
  const [owners] = await runBatch(db, [selectMailsById(db, ids)]);
  return owners;
}
