import type { ReactNode } from "react";
import { classes } from "../lib/class-names.ts";

interface CardProps {
  title?: ReactNode;
  /** Explains the section, below its title. */
  hint?: ReactNode;
  /** Content to the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A section of a page with a heading; the shape of the page decides its look. */
export function Card({ title, hint, actions, children, className }: CardProps) {
  return (
    <section className={classes("section", className)}>
      {(title !== undefined || actions !== undefined) && (
        <div className="section-head">
          <h2 className="text-lg font-semibold">{title}</h2>
          {actions}
          {hint !== undefined && <p className="basis-full text-sm text-muted">{hint}</p>}
        </div>
      )}
      <div className="section-body">{children}</div>
    </section>
  );
}

/** The look of a thing on the page, such as a number, a mail or a draft. */
export const SHEET = "rounded-lg border border-line bg-surface";
