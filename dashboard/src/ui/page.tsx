import { useEffect, type ReactNode } from "react";
import { pageTitle } from "../lib/page-title.ts";

interface PageProps {
  title: string;
  /** A sentence below the title. */
  lead?: ReactNode;
  /** Content to the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The column of a page. */
export const COLUMN = "mx-auto flex w-full max-w-6xl flex-col gap-6 px-4 py-6 sm:px-8 sm:py-8";

/** Layout of every page: its title (also of the tab), its actions and its content. */
export function Page({ title, lead, actions, children }: PageProps) {
  useEffect(() => pageTitle.show(title), [title]);
  return (
    <div className={`${COLUMN} rises`}>
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
