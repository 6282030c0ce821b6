import { fitsReturnPath } from "../../mail/return-path.ts";
import { MOST_OF_DOMAIN, type ReturnPathProject } from "../projects/index.ts";

/**
 * Returns the result of `valueOf` for the project of a mail. The candidates are the named project,
 * otherwise the projects whose return path the address fits, otherwise the projects with its
 * domain. Several candidates count only if they agree, because anybody can set a return path at
 * another's domain. If a domain has so many projects that some were not read, it names none of
 * them. Returns null if there is no answer.
 */
export function choosePlace(
  projects: ReturnPathProject[],
  address: string,
  valueOf: (project: ReturnPathProject) => string | null,
): string | null {
  const named = projects.filter(({ isNamed }) => isNamed === 1);
  const ofDomain = projects.filter(({ isNamed }) => isNamed === 0);
  const isWhole = ofDomain.length <= MOST_OF_DOMAIN;
  const fitting = ofDomain.filter(
    ({ returnPath }) => returnPath !== null && fitsReturnPath(returnPath, address),
  );
  const byDomain = isWhole ? [fitting, ofDomain] : [];
  const chosen = [named, ...byDomain].find(({ length }) => length > 0) ?? [];
  const values = new Set(chosen.map(valueOf));
  const [only = null] = values;
  return values.size === 1 ? only : null;
}
