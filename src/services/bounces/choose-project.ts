import { fitsReturnPath } from "../../mail/return-path.ts";
import type { ReturnPathProject } from "../projects/index.ts";

/**
 * Returns what `valueOf` gives for the project of a mail: the named one, or else those whose return
 * path the address fits, or else those with its domain. Several of them count only if they agree,
 * because anybody can set a return path at another's domain. Null if there is no answer.
 */
export function choosePlace(
  projects: ReturnPathProject[],
  address: string,
  valueOf: (project: ReturnPathProject) => string | null,
): string | null {
  const named = projects.filter(({ isNamed }) => isNamed === 1);
  const fitting = projects.filter(
    ({ returnPath }) => returnPath !== null && fitsReturnPath(returnPath, address),
  );
  const chosen = [named, fitting, projects].find(({ length }) => length > 0) ?? [];
  const values = new Set(chosen.map(valueOf));
  const [only = null] = values;
  return values.size === 1 ? only : null;
}
