import { useEffect, type ReactNode } from "react";
import { classes } from "../lib/class-names.ts";
import { pageTitle } from "../lib/page-title.ts";

interface PageProps {
  title: string;
  /** A sentence below the title. */
  lead?: ReactNode;
  /** Content to the right of the title. */
  actions?: ReactNode;
  /**
   * How sections look: below hairlines; as groups, each a sheet beside its heading; or as panels,
   * each a sheet.
   */
  shape?: "groups" | "panels";
  children: ReactNode;
}

/** The column of a page. */
export const COLUMN = "mx-auto flex w-full max-w-6xl flex-col gap-6 px-4 py-6 sm:px-8 sm:py-8";

/** Layout of every page: its title (also of the tab), its actions and its content. */
export function Page({ title, lead, actions, shape, children }: PageProps) {
  useEffect(() => pageTitle.show(title), [title]);
  return (
    <div className={classes(COLUMN, "rises", shape)}>
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-2xl font-semibold">{title}</h1>
          {lead !== undefined && <p className="mt-1 max-w-3xl text-pretty text-muted">{lead}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
