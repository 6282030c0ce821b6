import type { ReactNode } from "react";
import { classes } from "../lib/class-names.ts";

interface CardProps {
  title?: ReactNode;
  /** Content to the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A section of a page with a heading, below a hairline. */
export function Card({ title, actions, children, className }: CardProps) {
  return (
    <section className={classes("section", className)}>
      {(title !== undefined || actions !== undefined) && (
        <div className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 className="text-lg font-semibold">{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

/** The look of a thing on the page, such as a number, a mail or a draft. */
export const SHEET = "rounded-lg border border-line bg-surface";
