import type { Ctx } from "../../context.ts";
import type { Page } from "../../lib/page.ts";
import type { ProjectRow } from "../access/index.ts";
import { selectKeys, type ListedKey } from "./queries.ts";

/** Returns a page of the project's keys, newest first. */
export async function listApiKeys(ctx: Ctx, project: ProjectRow, page: Page): Promise<ListedKey[]> {
  return selectKeys(ctx.deps.db, project.id, page);
}
