import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api } from "../../../api/client.ts";
import { useSettled } from "../../../lib/use-settled.ts";
import type { Fields } from "../editor/template-fields.ts";
import type { SampleFields } from "./sample.ts";

type Rendered = Pick<Fields, "subject" | "preheader" | "html_body" | "text_body">;

/**
 * Renders the fields after a pause in typing, and returns their problems. Without fields, as long
 * as they load, it renders nothing.
 */
export function usePreview(projectId: string, fields: Rendered | undefined, sample: SampleFields) {
  const shown = useSettled(fields) ?? fields;
  const { subject = "", preheader = "", html_body = "", text_body = "" } = shown ?? {};
  const settled = useSettled(JSON.stringify(sample)); // compared by content
  const sampleFields = useMemo((): SampleFields => JSON.parse(settled), [settled]);
  const body = { subject, preheader, html_body, text_body, ...sampleFields };
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ["project", projectId, "preview", body],
    queryFn: ({ signal }) => api.projects.templates.preview({ projectId, body }, { signal }),
    enabled: shown !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
  });
  return {
    /** False as long as there is nothing to render. */
    isReady: shown !== undefined,
    /** The source that was rendered. */
    html: html_body,
    sampleFields,
    preview: data,
    /** True while the preview shows an earlier source. */
    isOld: isPlaceholderData || fields?.html_body !== html_body,
    error,
    retry: () => void refetch(),
  };
}
