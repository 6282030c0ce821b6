import { queryOptions } from "@tanstack/react-query";
import { api, type Api } from "../../../api/client.ts";
import { versioned } from "../../../api/versioned.ts";

export type SignupForm = Api.Form;

export const formsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "forms"],
    queryFn: ({ signal }) => api.projects.forms.list({ projectId }, { signal }),
  });

/** A form with its version, for an edit form. */
export const formQuery = (projectId: string, formId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "forms", formId],
    queryFn: ({ signal }) =>
      versioned((onResponse) =>
        api.projects.forms.get({ projectId, formId }, { signal, onResponse }),
      ),
  });
