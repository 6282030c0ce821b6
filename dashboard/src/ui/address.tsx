import { Fragment } from "react";

/** The places of an address where a line may end. */
const BREAKS = /(?<=[@.+_/?&=-])(?!\/)/;

/** An address of mail or of a page, which breaks between its parts where it does not fit a line. */
export const Address = ({ children }: { children: string }) =>
  children.split(BREAKS).map((part, n) => (
    <Fragment key={n}>
      {n > 0 && <wbr />}
      {part}
    </Fragment>
  ));
