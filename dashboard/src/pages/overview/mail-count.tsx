import { Link } from "@tanstack/react-router";
import { useProject } from "../../api/projects.ts";
import { formatNumber } from "../../lib/format.ts";
import type { LogFilters } from "../log/filters.ts";

interface MailCountProps {
  count: number;
  /** Accessible label of the count. */
  name: string;
  /** Log filters that show the mails; undefined if the log has none. */
  search: LogFilters | undefined;
}

/** A number of mails that links to them in the log; zero and numbers without filters do not. */
export function MailCount({ count, name, search }: MailCountProps) {
  const { id: projectId } = useProject();
  const number = formatNumber(count);
  if (count === 0 || !search) return number;
  return (
    <Link
      to="/p/$projectId/log"
      params={{ projectId }}
      search={search}
      aria-label={`${number}: ${name}`}
      className="underline decoration-line underline-offset-4 hover:decoration-ink"
    >
      {number}
    </Link>
  );
}
