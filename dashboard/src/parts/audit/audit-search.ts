import { given, textParam, type RawSearch } from "../../lib/search-params.ts";

const ROWS = 50;

/** Parses a day in the format of a date input; anything else counts as omitted. */
function dayParam(value: unknown): string | undefined {
  const day = textParam(value);
  return day !== undefined && !Number.isNaN(Date.parse(`${day}T00:00`)) ? day : undefined;
}

/** Reads the filters of an audit log from the URL. */
export const auditSearchOf = (search: RawSearch) =>
  given({
    action: textParam(search["action"]),
    from: dayParam(search["from"]),
    to: dayParam(search["to"]),
    after: textParam(search["after"]),
  });

export type AuditSearch = ReturnType<typeof auditSearchOf>;

/** Returns the query of a call: from and to are whole days in the user's time zone. */
export function auditQueryOf({ action, from, to, after }: AuditSearch) {
  const start = (day: string, later: number) => {
    const date = new Date(`${day}T00:00`);
    date.setDate(date.getDate() + later);
    return date.toISOString();
  };
  return {
    limit: ROWS,
    // an empty cursor requests the first page with a cursor for the next
    after: after ?? "",
    ...(action === undefined ? {} : { action }),
    ...(from === undefined ? {} : { from: start(from, 0) }),
    ...(to === undefined ? {} : { to: start(to, 1) }),
  };
}
