import { startDohServer } from "../../test/support/doh-server.ts";
import { createOwner } from "../harness/account.ts";
import { started, withCleanUp } from "../harness/clean-up.ts";
import { COUNTED, countOf } from "../harness/counts.ts";
import type { PartResult, Sizes } from "../harness/report.ts";
import { migrate, startService, startWorker } from "../harness/runtime.ts";
import { median } from "../harness/statistics.ts";

const DOMAINS = 200;
/**
 * D1 rows written per imported subscriber: the row, its three index entries, and a share of the
 * totals.
 */
const ROWS_WRITTEN_GOAL = 4.05;

/**
 * Measures part 5: an import of the maximum size, compared with inserting the same rows directly
 * into the table.
 */
export async function measureImport({ importRows, rounds }: Sizes): Promise<PartResult> {
  return withCleanUp(async (atEnd) => {
    const resolver = await startDohServer();
    atEnd(resolver.close);
    const settings = { DOH_URL: `http://127.0.0.1:${resolver.port}/dns-query` };
    const service = await started(startService(settings), atEnd);
    const counted = await started(startService(settings, COUNTED), atEnd);
    const bare = await started(startWorker("bench/workers/bare.ts"), atEnd);
    await migrate(await bare.database());
    const owner = await createOwner(service);
    const times = { ours: [] as number[], bare: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      const rows = makeRows(importRows, round);
      const { id, api } = await owner.newProject(9);
      times.ours.push(await timeOf(() => api("POST", `/projects/${id}/subscribers/import`, rows)));
      const request = { method: "POST", body: JSON.stringify(rows) };
      times.bare.push(await timeOf(() => fetch(`${bare.url}/import/${id}`, request)));
    }
    const { id, api } = await (await createOwner(counted)).newProject(9);
    const counts = await countOf(counted, () =>
      api("POST", `/projects/${id}/subscribers/import`, makeRows(importRows, rounds)),
    );
    const seconds = { ours: median(times.ours) / 1_000, bare: median(times.bare) / 1_000 };
    return {
      title: `Import of ${importRows} rows of ${DOMAINS} domains`,
      columns: ["worker", "seconds", "rows/s", "D1 round trips", "rows written a row"],
      rows: [
        [
          "Postrider",
          seconds.ours,
          importRows / seconds.ours,
          counts.d1RoundTrips,
          counts.d1RowsWritten / importRows,
        ],
        ["bare insert", seconds.bare, importRows / seconds.bare, undefined, undefined],
      ],
      goals: [
        {
          what: "rows written for each row imported",
          measured: counts.d1RowsWritten / importRows,
          kind: "at_most",
          limit: ROWS_WRITTEN_GOAL,
        },
      ],
      notes: [
        "Postrider checks addresses, asks for the MX of each domain in the first round, skips duplicates and moves totals.",
      ],
    };
  });
}

const makeRows = (count: number, round: number) =>
  Array.from({ length: count }, (_, n) => ({
    email: `person${n}.${round}@d${n % DOMAINS}.takes-mail.test`,
    name: `Person ${n}`,
  }));

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
