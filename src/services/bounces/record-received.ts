import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import type { ReadReport } from "../../mail/bounce/index.ts";
import { selectReturnPathProjects } from "../projects/index.ts";
import { choosePlace } from "./choose-project.ts";
import { reportOfMessage } from "./claims.ts";
import { findEvidence } from "./find-evidence.ts";
import { notLoggedYet } from "./mails-to-come.ts";
import { recordClaims } from "./record-reports.ts";

export type RecordedReport =
  | { kind: "recorded"; projectId: string; suppressed: number }
  | { kind: "ignored"; why: "no_project" | "nothing_proven" };

/**
 * Records a report from email routing. Only evidence proves it (`findEvidence`), whatever
 * `bounce_proof` says; other reports about known addresses are held for manual review. A proven
 * report takes one D1 read and one write.
 * Throws if the mail that it names may soon be in the log.
 */
export async function recordReceived(
  deps: Deps,
  to: string,
  read: ReadReport,
): Promise<RecordedReport> {
  const [evidence] = await findEvidence(deps, [reportOfMessage(read)]);
  if (evidence?.early) throw notLoggedYet();
  const projectId = evidence?.projectId ?? (await projectAt(deps, to));
  if (projectId === null) return { kind: "ignored", why: "no_project" };
  const claims = evidence?.claimsIn(projectId) ?? [];
  const { known, suppressed } = await recordClaims(deps, projectId, claims, "email");
  if (known === 0) return { kind: "ignored", why: "nothing_proven" };
  return { kind: "recorded", projectId, suppressed };
}

/** Returns the project of the domain of a return path; null if there is none. */
async function projectAt(deps: Deps, to: string): Promise<string | null> {
  const domain = to.slice(to.lastIndexOf("@") + 1).toLowerCase();
  const [projects] = await runBatch(deps.db, [
    selectReturnPathProjects(deps.db, domain, sql`null`),
  ]);
  return choosePlace(deps, projects, to, ({ id }) => id);
}
