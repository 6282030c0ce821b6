import { isColor } from "../../../../../src/lib/colors.ts";
import { useProject } from "../../../api/projects.ts";
import { useSettled } from "../../../lib/use-settled.ts";
import { PostedFrame } from "../../../parts/posted-frame.tsx";
import type { FormFields } from "./form-fields.ts";
import { useFormsText } from "./use-forms-text.ts";

/** The page of a form as it is typed, after a pause in typing. */
export function FormPreview({ form }: { form: FormFields }) {
  const text = useFormsText();
  const { id: projectId } = useProject();
  const shown = useSettled(form);
  const body = {
    ...shown,
    name: text.title,
    title: shown.title.trim() || text.heading,
    accent: shown.accent !== null && isColor(shown.accent) ? shown.accent : null,
    redirect_url: null, // may be half of an address, and the page does not show it
  };
  return (
    <PostedFrame
      path={`/projects/${projectId}/forms/preview`}
      fields={{ form: JSON.stringify(body) }}
      title={text.previewTitle}
      className="h-120 rounded-md border border-line lg:sticky lg:top-0 lg:h-[calc(84vh-6rem)]"
    />
  );
}
