import { notFound } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";

/** Returns the row of a write. Throws not_found if the project was deleted concurrently. */
export function firstProject(rows: ProjectRow[]): ProjectRow {
  const [project] = rows;
  if (!project) throw notFound("project");
  return project;
}
