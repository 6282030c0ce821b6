import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../api/projects.ts";
import { TextLink } from "../../ui/button.tsx";
import { CheckField, TextArea, TextField } from "../../ui/field.tsx";
import { More } from "../../ui/more.tsx";
import { blockStart } from "../templates/blocks/block-start.ts";
import { BodyEditor } from "../templates/editor/body-editor.tsx";
import { usePreviewClicks } from "../templates/editor/use-preview-clicks.ts";
import { BESIDE_MAIL } from "../templates/preview/mail-view.tsx";
import { templatesQuery } from "../templates/queries.ts";
import { useTemplatesText } from "../templates/use-templates-text.ts";
import { DraftChoice } from "./draft-choice.tsx";
import type { StepProps } from "./use-draft-edit.ts";
import { DraftTrial } from "./trial/draft-trial.tsx";
import { DraftVariables } from "./draft-variables.tsx";
import { MailGallery } from "./mail-gallery.tsx";
import { MailPicture } from "./mail-picture.tsx";
import { useBroadcastsText } from "./use-broadcasts-text.ts";
import { useMailOf } from "./use-mail-of.ts";
import { useMailPreview } from "./use-mail-preview.ts";
import { TrackingSelects } from "../../parts/tracking/tracking-selects.tsx";
import { valuesOf } from "../../parts/values/values.ts";

/** First step of a draft: what the mail says, and who it comes from. */
export function MailStep({ edit, problems, mayNot }: StepProps) {
  const text = useBroadcastsText();
  const { starter } = useTemplatesText();
  const { fields, change, replace, generation } = edit;
  const project = useProject();
  const { id: projectId } = project;
  const templates = useQuery(templatesQuery(projectId));
  const isOwn = fields.template_id === "";
  const { mail, isLoading } = useMailOf({
    templateId: isOwn ? null : fields.template_id,
    subject: fields.subject,
    previewText: fields.preview_text,
    html: fields.html_body,
    text: fields.text_body,
  });
  const values = { name: fields.name, ...valuesOf(fields.variables, edit.draft.variables) };
  const preview = useMailPreview(isLoading ? undefined : mail, { broadcast: values });
  const { editor, clicks } = usePreviewClicks(mail.html_body, preview.html);
  const chooseTemplate = async (template_id: string) => {
    change({ template_id });
    if (template_id === "" && fields.html_body === "")
      replace({ html_body: await blockStart(starter, projectId) });
  };
  const fieldOf = (
    name: "name" | "subject" | "preview_text" | "from_name" | "reply_to" | "utm_campaign",
  ) => ({
    value: fields[name],
    error: problems[name],
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  const hasMore =
    fields.variables.length > 0 ||
    Object.keys(fields.tracking).length > 0 ||
    fields.utm_campaign !== "" ||
    fields.utm_off ||
    ["text_body", "utm.campaign"].some((name) => name in problems);
  const part = { fields, problems, onChange: change, mayNot };
  return (
    <div className={BESIDE_MAIL}>
      <div className="flex min-w-0 flex-col gap-4">
        <fieldset className="contents" disabled={mayNot !== undefined}>
          <MailGallery edit={edit} templates={templates.data} mayNot={mayNot} />
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <TextField label={text.name} hint={text.nameHint} {...fieldOf("name")} />
            <DraftChoice
              label={text.template}
              none={text.writeHere}
              value={fields.template_id}
              error={problems["template_id"]}
              list={templates}
              choices={templates.data}
              onChange={(id) => void chooseTemplate(id)}
            />
          </div>
          <TextField
            label={text.subject}
            {...(isOwn ? {} : { hint: text.subjectHint, isOptional: true })}
            required={isOwn && fields.trial.variants.length === 0}
            {...fieldOf("subject")}
          />
          <TextField
            label={text.previewText}
            hint={text.previewTextHint}
            isOptional
            {...fieldOf("preview_text")}
          />
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <TextField
              label={text.fromName}
              isOptional
              placeholder={project.from_name ?? ""}
              {...fieldOf("from_name")}
            />
            <TextField
              label={text.replyTo}
              isOptional
              type="email"
              placeholder={project.from_email ?? ""}
              {...fieldOf("reply_to")}
            />
          </div>
        </fieldset>
        {isOwn ? (
          <BodyEditor
            ref={editor}
            projectId={projectId}
            body={{
              html: fields.html_body,
              generation,
              change: (html_body) => change({ html_body }),
              replace: (html_body) => replace({ html_body }),
            }}
            isReadOnly={mayNot !== undefined}
            problems={preview.isOld ? undefined : preview.preview?.problems}
          />
        ) : (
          <p>
            <TextLink
              to="/p/$projectId/templates/$templateId"
              params={{ projectId, templateId: fields.template_id }}
            >
              {text.editTemplate}
            </TextLink>
          </p>
        )}
        <fieldset className="contents" disabled={mayNot !== undefined}>
          {edit.draft.resend?.to !== "not_opened" && <DraftTrial {...part} />}
          <More isOpen={hasMore}>
            {isOwn && (
              <TextArea
                label={text.ownText}
                hint={text.ownTextHint}
                isOptional
                rows={4}
                value={fields.text_body}
                error={problems["text_body"]}
                onChange={({ target }) => change({ text_body: target.value })}
              />
            )}
            <DraftVariables {...part} />
            <TrackingSelects
              value={fields.tracking}
              onChange={(tracking) => change({ tracking })}
            />
            <CheckField
              label={text.utmOff}
              checked={fields.utm_off}
              onChange={({ target }) => change({ utm_off: target.checked })}
            />
            <TextField
              label="utm_campaign"
              disabled={fields.utm_off}
              isOptional
              maxLength={100}
              {...fieldOf("utm_campaign")}
              error={problems["utm.campaign"]}
            />
          </More>
        </fieldset>
      </div>
      <MailPicture
        state={preview}
        fromName={fields.from_name}
        clicks={isOwn ? clicks : undefined}
      />
    </div>
  );
}
