import type { Ctx } from "../../context.ts";
import type { ProjectRow } from "../access/index.ts";
import { selectTags } from "./tag-queries.ts";

/** A tag and the number of its subscribers, up to 1,000. */
export interface TagCount {
  name: string;
  count: number;
}

/** Lists the first 500 tags of a project in sort order. */
export async function listTags({ deps }: Ctx, project: ProjectRow): Promise<TagCount[]> {
  return selectTags(deps.db, project.id);
}
