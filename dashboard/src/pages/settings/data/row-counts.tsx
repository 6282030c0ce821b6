import { formatNumber } from "../../../lib/format.ts";
import { useDataText } from "./use-data-text.ts";

export function RowCounts({ rows }: { rows: Record<string, number> }) {
  const { kindsOfRows } = useDataText();
  return (
    <dl className="mt-2 grid grid-cols-2 gap-3 sm:grid-cols-4">
      {Object.entries(rows).map(([kind, count]) => (
        <div key={kind}>
          <dt className="text-sm">{kindsOfRows[kind] ?? kind}</dt>
          <dd className="text-lg font-semibold tabular-nums">{formatNumber(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
