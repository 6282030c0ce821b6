import type { LogFilters } from "./filters.ts";

/** The filters under which somebody last saw the log of a project. */
const seen = new Map<string, LogFilters>();

export const rememberSearch = (projectId: string, search: LogFilters): void => {
  seen.set(projectId, search);
};

/** Returns the filters of the way back to the log of a project. */
export const lastSearch = (projectId: string): LogFilters => seen.get(projectId) ?? {};
