import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../api/projects.ts";
import { SelectField, TextArea, TextField } from "../../ui/field.tsx";
import type { DraftPartProps } from "./draft-fields.ts";
import { templatesQuery } from "../templates/queries.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/** The name of a draft and its content: a template, or HTML and text of its own. */
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
      <SelectField
        label={text.template}
        hint={text.templateHint}
        value={fields.template_id}
        error={problems["template_id"]}
        onChange={({ target }) => onChange({ template_id: target.value })}
      >
        <option value="">{text.ownHtml}</option>
        {templates.data?.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </SelectField>
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
        <>
          <TextArea
            label={text.ownHtml}
            hint={text.ownHtmlHint}
            className="sm:col-span-2"
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
            className="sm:col-span-2"
            rows={4}
            value={fields.text_body}
            error={problems["text_body"]}
            onChange={({ target }) => onChange({ text_body: target.value })}
          />
        </>
      )}
    </>
  );
}
