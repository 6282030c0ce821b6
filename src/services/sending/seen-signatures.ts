import { eq, sql, type SQL } from "drizzle-orm";
import { runBatch, type Database } from "../../db/client.ts";
import { senderSignatures } from "../../db/schema/index.ts";
import type { Deps } from "../../deps.ts";
import { openDnsSession } from "../../lib/dns-session.ts";
import { readSignatures } from "../../mail/sender-check/index.ts";
import { projectExists } from "../projects/index.ts";

/** The bounds of the questions about one mail: one for each signature. */
const DNS_BOUNDS = { maxQuestions: 4, maxAtOnce: 4, maxMs: 3_000 };

/** Selects the signatures of a project: at most one row. */
export function selectSignatures(db: Database, projectId: string | SQL) {
  return db.select().from(senderSignatures).where(eq(senderSignatures.projectId, projectId));
}

/**
 * Verifies the DKIM signatures of a mail of the project that came back and keeps the verdicts, in
 * one D1 write. The caller has checked that the mail is the project's. `isWhole` is false for the
 * beginning of a mail.
 */
export async function keepSignatures(
  deps: Deps,
  projectId: string,
  mail: { raw: Uint8Array; isWhole: boolean },
): Promise<void> {
  const { ask } = openDnsSession({ fetch: deps.fetch, url: deps.config.dohUrl }, DNS_BOUNDS);
  const signatures = JSON.stringify(await readSignatures(ask, mail.raw, mail.isWhole));
  await runBatch(deps.db, [
    deps.db.run(
      sql`insert into sender_signatures (project_id, signatures, seen_at)
        select ${projectId}, ${signatures}, ${deps.now()} where ${projectExists(projectId)}
        on conflict do update set signatures = excluded.signatures, seen_at = excluded.seen_at`,
    ),
  ]);
}
