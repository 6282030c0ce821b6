import type { LogFilters } from "./filters.ts";

/** The last log filters per project. */
const seen = new Map<string, LogFilters>();

export const rememberSearch = (projectId: string, search: LogFilters): void => {
  seen.set(projectId, search);
};

/** Returns the filters for the link back to a project's log. */
export const lastSearch = (projectId: string): LogFilters => seen.get(projectId) ?? {};
