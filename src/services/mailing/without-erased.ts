import type { Deps } from "../../deps.ts";
import { selectSuppressed } from "../suppressions/index.ts";
import type { LoggedOutcome } from "./record.ts";

/**
 * Removes erased persons from a mail that is recorded late, as the erasure would have done: it looks
 * only for mails of the hours around it. Takes one query.
 */
export async function withoutErased(
  deps: Deps,
  projectId: string,
  { mail, outcome }: LoggedOutcome,
): Promise<LoggedOutcome> {
  const { main, copies } = outcome;
  const emails = [main, ...copies].map(({ email }) => email);
  const hits = await selectSuppressed(deps, projectId, emails);
  const erased = new Set(hits.filter((hit) => hit.erased).map(({ email }) => email));
  if (!erased.has(main.email)) {
    const others = copies.filter(({ email }) => !erased.has(email));
    return { mail, outcome: { main, copies: others } };
  }
  const { queueId: _queueId, earlier: _earlier, ...kept } = main;
  return {
    mail: { ...mail, subject: "", tags: null, subscriberId: null },
    outcome: { main: { ...kept, email: "", error: null }, copies: [] },
  };
}
