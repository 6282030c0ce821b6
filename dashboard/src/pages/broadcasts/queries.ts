import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";

/** The most templates that a choice shows. */
const TEMPLATES = 200;

/** The templates of a project by name, without their bodies. */
export const templatesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "templates", "names"],
    queryFn: ({ signal }) =>
      api.projects.templates.list({ projectId, limit: TEMPLATES, fields: "summary" }, { signal }),
  });
