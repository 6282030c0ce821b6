import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";

interface OwnMail {
  /** Null for content of its own. */
  templateId: string | null;
  /** Subject of its own; empty for that of the template. */
  subject: string;
  /** Preview text of its own; empty for that of the template. */
  previewText: string;
  html: string | null;
  text: string | null;
}

/** Returns the mail of a broadcast: its own content, or that of its template. */
export function useMailOf({ templateId, subject, previewText, html, text }: OwnMail) {
  const { id: projectId } = useProject();
  const template = useQuery({
    queryKey: ["project", projectId, "templates", "body", templateId],
    queryFn: ({ signal }) =>
      api.projects.templates.get({ projectId, templateId: templateId ?? "" }, { signal }),
    enabled: templateId !== null,
  });
  const { data, error, isLoading } = template;
  return {
    mail: {
      subject: subject || (data?.subject ?? ""),
      preheader: previewText || (data?.preheader ?? ""),
      html_body: (templateId === null ? html : data?.html_body) ?? "",
      text_body: (templateId === null ? text : data?.text_body) ?? "",
    },
    error,
    isLoading,
  };
}
