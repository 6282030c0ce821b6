import { Fragment } from "react";

/** Line break opportunities in an address. */
const BREAKS = /(?<=[@.+_/?&=-])(?!\/)/;

/** An email address or URL that can wrap between its parts. */
export const Address = ({ children }: { children: string }) =>
  children.split(BREAKS).map((part, n) => (
    <Fragment key={n}>
      {n > 0 && <wbr />}
      {part}
    </Fragment>
  ));
