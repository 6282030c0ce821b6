import {
  given,
  momentParam,
  textParam,
  wordParam,
  type RawSearch,
} from "../../lib/search-params.ts";

/** The number of rows of a page. */
export const ROWS = 50;

export const STATUSES = ["sent", "failed", "bounced", "suppressed", "scheduled"] as const;

/** Reads the log filters from the URL, under the parameter names that links use. */
export const filtersOf = (search: RawSearch) =>
  given({
    status: wordParam(search["status"], STATUSES),
    to_email: textParam(search["to_email"]),
    template_id: textParam(search["template_id"]),
    broadcast_id: textParam(search["broadcast_id"]),
    automation_id: textParam(search["automation_id"]),
    step_id: textParam(search["automation_id"]) && textParam(search["step_id"]),
    subscriber_id: textParam(search["subscriber_id"]),
    tag: textParam(search["tag"]),
    tag_value: textParam(search["tag_value"]),
    from: momentParam(search["from"]),
    to: momentParam(search["to"]),
    after: textParam(search["after"]),
  });

export type LogFilters = ReturnType<typeof filtersOf>;

/** Returns true for filters that show what waits for its time; no search finds that. */
export const isOfScheduled = ({ status, from: _from, to: _to, ...search }: LogFilters): boolean =>
  status === "scheduled" && !Object.values(search).some(Boolean);
