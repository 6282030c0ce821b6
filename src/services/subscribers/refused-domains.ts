import type { Ctx } from "../../context.ts";
import { isDisposableDomain } from "./disposable-domains.ts";
import { findDomainsWithoutMail } from "./mail-domains.ts";

/** Domains whose rows an import rejects, and the reasons. */
export type RefusedDomains = ReadonlyMap<string, "no_mx" | "disposable">;

/**
 * Finds the domains whose rows the import rejects, with the reasons. Checks domains with many rows
 * first.
 */
export async function findRefusedDomains(
  ctx: Ctx,
  weights: Map<string, number>,
): Promise<RefusedDomains> {
  const heaviestFirst = [...weights].sort(([, a], [, b]) => b - a).map(([domain]) => domain);
  const { disposable = [], usual = [] } = Object.groupBy(heaviestFirst, (domain) =>
    isDisposableDomain(domain) ? "disposable" : "usual",
  );
  const refused = new Map<string, "no_mx" | "disposable">();
  for (const domain of await findDomainsWithoutMail(ctx.deps, usual)) refused.set(domain, "no_mx");
  for (const domain of disposable) refused.set(domain, "disposable");
  return refused;
}
