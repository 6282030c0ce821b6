import { Fragment } from "react";
import { readableDomains } from "../lib/readable-domain.ts";

/** Line break opportunities in an address. */
const BREAKS = /(?<=[@.+_/?&=-])(?!\/)/;

/**
 * An email address or URL that can wrap between its parts. Its domain is in Unicode; the title has
 * the ASCII form.
 */
export function Address({ children }: { children: string }) {
  const shown = readableDomains(children);
  const parts = shown.split(BREAKS).map((part, n) => (
    <Fragment key={n}>
      {n > 0 && <wbr />}
      {part}
    </Fragment>
  ));
  return shown === children ? parts : <span title={children}>{parts}</span>;
}
