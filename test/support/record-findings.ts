import type { Deps } from "../../src/deps.ts";
import type { Finding } from "../../src/services/bounces/record-bounces.ts";
import { recordReports, type SortedReports } from "../../src/services/bounces/record-reports.ts";

/** Records proven reports. Returns the number of addresses added to the suppression list. */
export async function recordFindings(
  deps: Deps,
  projectId: string,
  proven: Finding[],
  {
    soft = [],
    source = "ingest",
  }: { soft?: SortedReports["soft"]; source?: Parameters<typeof recordReports>[3] } = {},
): Promise<number> {
  const sorted = { proven, believed: [], held: [], soft, isBoundReached: false };
  return (await recordReports(deps, projectId, sorted, source)).suppressed;
}
