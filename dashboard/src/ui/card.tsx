import type { ReactNode } from "react";
import { classes } from "../lib/class-names.ts";

interface CardProps {
  title?: ReactNode;
  /** Content to the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A page section with a heading. */
export function Card({ title, actions, children, className }: CardProps) {
  return (
    <section className={classes("rounded-lg border border-line bg-surface p-4", className)}>
      {(title !== undefined || actions !== undefined) && (
        <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
          <h2 className="font-semibold">{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}
