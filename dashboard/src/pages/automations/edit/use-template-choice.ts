import type { SendStep } from "../../../../../src/lib/automation-definition.ts";
import { blockStart } from "../../templates/blocks/block-start.ts";
import { useTemplatesText } from "../../templates/use-templates-text.ts";
import type { Editor } from "./editor.ts";

/** Returns a function that chooses a template, or with "" an email written in the step. */
export function useTemplateChoice({ projectId, replace }: Editor, step: SendStep) {
  const { starter } = useTemplatesText();
  const { template_id: _template, html_body: _html, subject = "", ...rest } = step;
  return (templateId: string) => {
    if (templateId !== "") {
      const own = subject === "" ? {} : { subject };
      return replace({ ...rest, ...own, template_id: templateId });
    }
    void blockStart(starter, projectId).then((html_body) =>
      replace({ ...rest, subject, html_body }),
    );
  };
}
