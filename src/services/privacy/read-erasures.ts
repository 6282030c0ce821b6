import type { Ctx } from "../../context.ts";
import type { ProjectRow } from "../access/index.ts";
import { countErasures } from "./erasure-queries.ts";

/** Returns the number of addresses that a project erased, and of running erasures. */
export async function readErasures(
  { deps }: Ctx,
  project: ProjectRow,
): Promise<{ total: number; running: number }> {
  const [counts] = await countErasures(deps.db, project.id);
  return counts ?? { total: 0, running: 0 };
}
