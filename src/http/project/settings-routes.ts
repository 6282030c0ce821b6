import type { ZodType } from "zod";
import type { Ctx } from "../../context.ts";
import type { ProjectRow } from "../../services/access/index.ts";
import { expectedVersions, setVersion } from "../entity-tag.ts";
import type { HttpContext } from "../http-env.ts";
import { route } from "../route/route.ts";

interface Settings<Change, Value> {
  /** The method of a change; PUT by default. */
  method?: "PUT" | "PATCH";
  path: `/projects/:id/${string}`;
  operation: `projects.${string}`;
  /** What the summaries call them. */
  name: string;
  example: { body: unknown };
  body: ZodType<Change>;
  answer: ZodType<unknown, Value>;
  present: (project: ProjectRow) => NoInfer<Value>;
  save: (
    ctx: Ctx,
    project: ProjectRow,
    change: NoInfer<Change>,
    expected: number[] | undefined,
  ) => Promise<ProjectRow>;
}

/** Returns the routes of settings in the row of a project; their ETag is the project's. */
export function settingsRoutes<Change, Value>({
  method = "PUT",
  path,
  operation,
  name,
  example,
  body,
  answer,
  present,
  save,
}: Settings<Change, Value>) {
  const shown = (c: HttpContext, project: ProjectRow) => {
    setVersion(c, project.updatedAt);
    return present(project);
  };
  return [
    route({
      auth: "cookie_or_key",
      method: "GET",
      path,
      operation: `${operation}.get`,
      summary: `Returns the ${name}.`,
      capability: "read",
      answer,
      handle: async ({ c, project }) => shown(c, project),
    }),
    route({
      auth: "cookie_or_key",
      method,
      path,
      operation: `${operation}.save`,
      summary: `Changes the ${name}.`,
      obeysIfMatch: true,
      example,
      capability: "projects:write",
      body,
      answer,
      handle: async ({ c, ctx, project, body: change }) =>
        shown(c, await save(ctx, project, change, expectedVersions(c))),
    }),
  ];
}
