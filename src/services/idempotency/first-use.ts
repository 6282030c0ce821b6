import { runBatch } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { claimKey, selectKept } from "./queries.ts";

/**
 * Records for a day what each key was first used for. Returns false if one of them was used for
 * something else. Costs one D1 round trip.
 */
export async function isFirstUse(
  { db, now }: Deps,
  scope: string,
  uses: { key: string; requestHash: string }[],
): Promise<boolean> {
  const at = now();
  const claim = { claimedUntil: at, createdAt: at };
  const results = await runBatch(
    db,
    uses.flatMap(({ key, requestHash }) => [
      claimKey(db, { scope, key }, { ...claim, requestHash }, at - DAY_MS),
      selectKept(db, { scope, key }),
    ]),
  );
  return uses.every(({ requestHash }, index) => {
    const [kept] = results[2 * index + 1] ?? [];
    return kept !== undefined && "requestHash" in kept && kept.requestHash === requestHash;
  });
}
