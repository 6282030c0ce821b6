import { useQuery } from "@tanstack/react-query";
import { topicsQuery } from "../../../api/audience.ts";
import { Button } from "../../../ui/button.tsx";
import { CheckField, TextField } from "../../../ui/field.tsx";
import { DraftChoice } from "../../broadcasts/draft-choice.tsx";
import { MailThumb } from "../../templates/preview/mail-thumb.tsx";
import { templatesQuery } from "../../templates/queries.ts";
import { useTemplateChoice } from "./use-template-choice.ts";
import type { FieldsOf } from "./fields-of.ts";
import { useEditText } from "./use-edit-text.ts";

/** What a step sends, and to whom. */
export function SendFields({ editor, step, problemOf, onChange }: FieldsOf<"send">) {
  const text = useEditText();
  const { projectId, openEmail } = editor;
  const templates = useQuery(templatesQuery(projectId));
  const topics = useQuery(topicsQuery(projectId));
  const choose = useTemplateChoice(editor, step);
  const template = templates.data?.find(({ id }) => id === step.template_id);
  const { topic_id = "", to: _, ...rest } = step;
  return (
    <div className="flex gap-4">
      <div className="flex min-w-0 flex-1 flex-col gap-4">
        <TextField
          label={text.subject}
          {...(template ? { isOptional: true, placeholder: template.subject } : {})}
          value={step.subject ?? ""}
          error={problemOf("subject")}
          onChange={({ target }) => onChange({ ...step, subject: target.value }, "subject")}
        />
        <DraftChoice
          label={text.email}
          none={text.writtenHere}
          value={step.template_id ?? ""}
          error={problemOf("template_id")}
          list={templates}
          choices={templates.data}
          onChange={choose}
        />
        <DraftChoice
          label={text.topic}
          hint={text.topicHint}
          none={text.noTopic}
          value={topic_id}
          error={problemOf("topic_id")}
          list={topics}
          choices={topics.data?.topics}
          onChange={(id) => {
            const { topic_id: _former, ...others } = step;
            onChange(id === "" ? others : { ...step, topic_id: id });
          }}
        />
        <CheckField
          label={text.toPending}
          hint={text.toPendingHint}
          checked={step.to === "pending"}
          onChange={({ target }) =>
            onChange({
              ...rest,
              ...(topic_id === "" ? {} : { topic_id }),
              ...(target.checked ? { to: "pending" } : {}),
            })
          }
        />
        {problemOf("html_body") !== undefined && (
          <p className="text-sm text-bad">{problemOf("html_body")}</p>
        )}
        <Button className="self-start" onClick={() => openEmail(step.id)}>
          {text.editEmail}
        </Button>
      </div>
      {template && (
        <MailThumb
          path={`/projects/${projectId}/templates/${template.id}`}
          version={template.updated_at}
          title={template.name}
          className="hidden aspect-4/5 w-28 shrink-0 self-start rounded border border-line sm:block"
        />
      )}
    </div>
  );
}
