import { notFound } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";

/** Returns the row of a write. Throws not_found when another request has deleted the project. */
export function firstProject(rows: ProjectRow[]): ProjectRow {
  const [project] = rows;
  if (!project) throw notFound("project");
  return project;
}
