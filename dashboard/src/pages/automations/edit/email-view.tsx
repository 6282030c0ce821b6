import { useQuery } from "@tanstack/react-query";
import type { SendStep } from "../../../../../src/lib/automation-definition.ts";
import { problemAt } from "../../../ui/error-words.tsx";
import { ChevronLeft } from "../../../ui/action-icons.tsx";
import { Button, TextLink } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { DraftChoice } from "../../broadcasts/draft-choice.tsx";
import { MailGallery } from "../../broadcasts/mail-gallery.tsx";
import { MailPicture } from "../../broadcasts/mail-picture.tsx";
import { useMailOf } from "../../broadcasts/use-mail-of.ts";
import { useMailPreview } from "../../broadcasts/use-mail-preview.ts";
import { BodyEditor } from "../../templates/editor/body-editor.tsx";
import { usePreviewClicks } from "../../templates/editor/use-preview-clicks.ts";
import { templatesQuery } from "../../templates/queries.ts";
import type { Editor } from "./editor.ts";
import { useEditText } from "./use-edit-text.ts";
import { useTemplateChoice } from "./use-template-choice.ts";

/** A link that confirms nothing, for mails to people who have not confirmed. */
const TO_CONFIRM = { confirm_url: new URL("/confirm/", window.location.href).href };

interface EmailViewProps {
  editor: Editor;
  step: SendStep;
  path: string;
  onClose: () => void;
}

/** The email of a step: a template, or one written here with its preview. */
export function EmailView({ editor, step, path, onClose }: EmailViewProps) {
  const text = useEditText();
  const { projectId, mayNot, problems, edit, replace } = editor;
  const templates = useQuery(templatesQuery(projectId));
  const choose = useTemplateChoice(editor, step);
  const { template_id, subject = "", html_body = "", ...rest } = step;
  const { mail, isLoading } = useMailOf({
    templateId: template_id ?? null,
    subject,
    previewText: "",
    html: html_body,
    text: "",
  });
  const preview = useMailPreview(
    isLoading ? undefined : mail,
    step.to === "pending" ? TO_CONFIRM : {},
  );
  const { editor: body, clicks } = usePreviewClicks(mail.html_body, preview.html);
  const write = (html: string, field?: string) =>
    replace({ ...rest, subject, html_body: html }, field);
  const fill = (part: { template_id?: string; html_body?: string; subject?: string }) => {
    if (part.template_id) choose(part.template_id);
    else replace({ ...rest, subject: part.subject ?? subject, html_body: part.html_body ?? "" });
    edit.reload();
  };
  return (
    <div className="flex flex-col gap-4">
      <Button look="quiet" className="-ml-3 self-start" onClick={onClose}>
        <ChevronLeft aria-hidden className="size-4" />
        {text.backToSteps}
      </Button>
      <div className="grid min-w-0 gap-6 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <fieldset className="contents" disabled={mayNot !== undefined}>
            <MailGallery
              edit={{
                fields: {
                  template_id: template_id ?? "",
                  html_body,
                  text_body: "",
                  subject,
                  preview_text: "",
                },
                draft: { project_id: projectId },
                change: fill,
                replace: fill,
              }}
              templates={templates.data}
              mayNot={mayNot}
            />
            <div className="grid items-start gap-4 sm:grid-cols-2">
              <TextField
                label={text.subject}
                {...(template_id ? { isOptional: true, placeholder: mail.subject } : {})}
                value={subject}
                error={problemAt(problems, `${path}.subject`)}
                onChange={({ target }) => replace({ ...step, subject: target.value }, "subject")}
              />
              <DraftChoice
                label={text.email}
                none={text.writtenHere}
                value={template_id ?? ""}
                error={problemAt(problems, `${path}.template_id`)}
                list={templates}
                choices={templates.data}
                onChange={choose}
              />
            </div>
          </fieldset>
          {template_id === undefined ? (
            <BodyEditor
              ref={body}
              projectId={projectId}
              body={{
                html: html_body,
                generation: edit.generation,
                change: (html) => write(html, "html_body"),
                replace: (html) => {
                  write(html);
                  edit.reload();
                },
              }}
              isReadOnly={mayNot !== undefined}
              problems={preview.isOld ? undefined : preview.preview?.problems}
            />
          ) : (
            <p>
              <TextLink
                to="/p/$projectId/templates/$templateId"
                params={{ projectId, templateId: template_id }}
              >
                {text.editTemplate}
              </TextLink>
            </p>
          )}
        </div>
        <MailPicture
          state={preview}
          fromName=""
          clicks={template_id === undefined ? clicks : undefined}
        />
      </div>
    </div>
  );
}
