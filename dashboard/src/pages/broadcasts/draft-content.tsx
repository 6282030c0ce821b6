import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../api/projects.ts";
import { TextArea, TextField } from "../../ui/field.tsx";
import { DraftChoice } from "./draft-choice.tsx";
import type { DraftPartProps } from "./draft-fields.ts";
import { PLACE_IDS } from "./draft-places.ts";
import { templatesQuery } from "../templates/queries.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/** Name and content of a draft: a template, or its own HTML and text. */
export function DraftContent({ fields, problems, onChange }: DraftPartProps) {
  const text = useBroadcastsText();
  const { id: projectId } = useProject();
  const templates = useQuery(templatesQuery(projectId));
  const isOwn = fields.template_id === "";
  return (
    <>
      <TextField
        label={text.name}
        hint={text.nameHint}
        value={fields.name}
        error={problems["name"]}
        onChange={({ target }) => onChange({ name: target.value })}
        required
      />
      <DraftChoice
        label={text.template}
        hint={text.templateHint}
        none={text.ownHtml}
        value={fields.template_id}
        error={problems["template_id"]}
        list={templates}
        choices={templates.data}
        onChange={(template_id) => onChange({ template_id })}
      />
      <TextField
        label={text.subject}
        hint={isOwn ? undefined : text.subjectHint}
        isOptional={!isOwn}
        className="sm:col-span-2"
        value={fields.subject}
        error={problems["subject"]}
        onChange={({ target }) => onChange({ subject: target.value })}
      />
      {isOwn && (
        <div id={PLACE_IDS.content} className="flex flex-col gap-4 sm:col-span-2">
          <TextArea
            label={text.ownHtml}
            hint={text.ownHtmlHint}
            rows={8}
            spellCheck={false}
            value={fields.html_body}
            error={problems["html_body"]}
            onChange={({ target }) => onChange({ html_body: target.value })}
          />
          <TextArea
            label={text.ownText}
            hint={text.ownTextHint}
            isOptional
            rows={4}
            value={fields.text_body}
            error={problems["text_body"]}
            onChange={({ target }) => onChange({ text_body: target.value })}
          />
        </div>
      )}
    </>
  );
}
