import { queryOptions } from "@tanstack/react-query";
import { api, type Api } from "../../api/client.ts";
import { versioned } from "../../api/versioned.ts";

export type Template = Api.Template;
export type Summary = Pick<Template, "id" | "name" | "subject" | "public" | "updated_at">;
export type Preview = Api.TemplatePreview;
export type Problem = Preview["problems"][number];

/** A template with its ETag, for `If-Match`. */
export interface Tagged {
  template: Template;
  etag: string;
}

/** Reads the response of a call together with its `ETag`. */
export async function withTag(
  call: (onResponse: (response: Response) => void) => Promise<Template>,
): Promise<Tagged> {
  const { value: template, version: etag } = await versioned(call);
  return { template, etag };
}

export const templatesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "templates"],
    queryFn: ({ signal }) =>
      api.projects.templates.list({ projectId, fields: "summary" }, { signal }),
  });

export const builtInQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["built-in-templates"],
    queryFn: ({ signal }) => api.projects.templates.builtIn({ projectId }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const templateQuery = (projectId: string, templateId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "template", templateId],
    queryFn: ({ signal }) =>
      withTag((onResponse) =>
        api.projects.templates.get({ projectId, templateId }, { signal, onResponse }),
      ),
  });

export const versionsQuery = (projectId: string, templateId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "template", templateId, "versions"],
    queryFn: ({ signal }) =>
      api.projects.templates.versions.list({ projectId, templateId }, { signal }),
  });

export const versionQuery = (projectId: string, templateId: string, versionId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "template", templateId, "versions", versionId],
    queryFn: ({ signal }) =>
      api.projects.templates.versions.get({ projectId, templateId, versionId }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Number of subscribers in a list of choices, and whose metadata is sampled for variables. */
const SAMPLE = 100;

export const peopleQuery = (projectId: string, search: string) =>
  queryOptions({
    queryKey: ["project", projectId, "people-for-preview", search],
    queryFn: ({ signal }) =>
      api.projects.subscribers.list(
        { projectId, status: "active", limit: SAMPLE, ...(search === "" ? {} : { search }) },
        { signal },
      ),
    staleTime: 60_000,
  });
