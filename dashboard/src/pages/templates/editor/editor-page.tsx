import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { TrackingSelects } from "../../../parts/tracking/tracking-selects.tsx";
import { Button, LinkButton } from "../../../ui/button.tsx";
import { ErrorWords } from "../../../ui/error-words.tsx";
import { CheckField, TextArea, TextField } from "../../../ui/field.tsx";
import { More } from "../../../ui/more.tsx";
import { RoleNotice, useMayNot } from "../../../ui/not-allowed.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Page } from "../../../ui/page.tsx";
import { PageSkeleton } from "../../../ui/skeleton.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { When } from "../../../ui/when.tsx";
import { BESIDE_MAIL } from "../preview/mail-view.tsx";
import { PreviewPane } from "../preview/preview-pane.tsx";
import { fieldsOfSample, NO_SAMPLE } from "../preview/sample.ts";
import { usePreview } from "../preview/use-preview.ts";
import { useTemplatesText } from "../use-templates-text.ts";
import { BodyEditor } from "./body-editor.tsx";
import { ConflictNotice } from "./conflict-notice.tsx";
import type { Fields } from "./template-fields.ts";
import { usePreviewClicks } from "./use-preview-clicks.ts";
import { TestDialog } from "./test-dialog.tsx";
import { useTemplateEditor, type TemplateEditor } from "./use-template-editor.ts";

const route = getRouteApi("/in/p/$projectId/templates/$templateId");

export function EditorPage() {
  const { projectId, templateId } = route.useParams();
  // remounts for another template, which has its own draft
  return <Opened key={templateId} projectId={projectId} templateId={templateId} />;
}

interface Place {
  projectId: string;
  templateId: string;
}

function Opened({ projectId, templateId }: Place) {
  const editor = useTemplateEditor(projectId, templateId);
  if (editor.error) throw editor.error; // handled by the route's error page
  if (!editor.work) return <PageSkeleton />;
  const { fields } = editor.work;
  return <Editor projectId={projectId} templateId={templateId} editor={editor} fields={fields} />;
}

function Editor({
  projectId,
  templateId,
  editor,
  fields,
}: Place & { editor: TemplateEditor; fields: Fields }) {
  const text = useTemplatesText();
  const mayNotWrite = useMayNot("templates:write");
  const mayNotSend = useMayNot("send:transactional");
  const [sample, setSample] = useState(NO_SAMPLE);
  const [isTesting, setTesting] = useState(false);
  const preview = usePreview(projectId, fields, fieldsOfSample(sample));
  const { editor: body, clicks } = usePreviewClicks(fields.html_body, preview.html);
  const { isDirty, change } = editor;
  const isReadOnly = mayNotWrite !== undefined;
  useSaveKey(() => {
    if (!isReadOnly) editor.save();
  });
  return (
    <Page
      title={fields.name || text.unnamed}
      lead={isReadOnly ? undefined : isDirty ? text.unsaved : text.allSaved}
      actions={
        <>
          <LinkButton
            to="/p/$projectId/templates/$templateId/history"
            params={{ projectId, templateId }}
          >
            {text.history}
          </LinkButton>
          <LinkButton
            to="/p/$projectId/broadcasts/new"
            params={{ projectId }}
            search={{ template_id: templateId }}
          >
            {text.useInBroadcast}
          </LinkButton>
          <Button
            offBecause={mayNotSend ?? (isDirty ? text.saveFirst : undefined)}
            onClick={() => setTesting(true)}
          >
            {text.sendTest}
          </Button>
          <Button
            look="primary"
            isBusy={editor.saving}
            offBecause={
              mayNotWrite ??
              (editor.theirs ? text.chooseFirst : isDirty ? undefined : text.nothingToSave)
            }
            onClick={editor.save}
            title={text.saveKey}
          >
            {text.save}
          </Button>
        </>
      }
    >
      <RoleNotice capability="templates:write" />
      <EditorNotices editor={editor} />
      <div className={BESIDE_MAIL}>
        <div className="flex min-w-0 flex-col gap-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label={text.name}
              value={fields.name}
              readOnly={isReadOnly}
              onChange={(event) => change({ name: event.target.value })}
            />
            <TextField
              label={text.subject}
              value={fields.subject}
              readOnly={isReadOnly}
              onChange={(event) => change({ subject: event.target.value })}
            />
          </div>
          <TextField
            label={text.fields.preheader}
            hint={text.preheaderHint}
            isOptional
            value={fields.preheader}
            readOnly={isReadOnly}
            onChange={(event) => change({ preheader: event.target.value })}
          />
          <BodyEditor
            ref={body}
            projectId={projectId}
            body={{
              html: fields.html_body,
              generation: editor.work?.generation ?? 0,
              change: (html_body) => change({ html_body }),
              replace: (html_body) => editor.replace({ html_body }),
            }}
            isReadOnly={isReadOnly}
            problems={preview.isOld ? undefined : preview.preview?.problems}
          />
          <More isOpen={false}>
            <TextArea
              label={text.fields.text_body}
              hint={text.textHint}
              rows={8}
              value={fields.text_body}
              readOnly={isReadOnly}
              onChange={(event) => change({ text_body: event.target.value })}
            />
            <CheckField
              label={text.publicLabel}
              hint={text.publicHint}
              checked={fields.public}
              disabled={isReadOnly}
              onChange={(event) => change({ public: event.target.checked })}
            />
            <TrackingSelects
              value={fields.tracking}
              disabled={isReadOnly}
              onChange={(tracking) => change({ tracking })}
            />
          </More>
        </div>
        <PreviewPane
          projectId={projectId}
          state={preview}
          sample={sample}
          onSample={setSample}
          clicks={clicks}
        />
      </div>
      {isTesting && (
        <TestDialog
          projectId={projectId}
          templateId={templateId}
          sample={fieldsOfSample(sample)}
          onClose={() => setTesting(false)}
        />
      )}
    </Page>
  );
}

/** Notices about the edits: restored, in conflict, not stored, not saved. */
function EditorNotices({ editor }: { editor: TemplateEditor }) {
  const text = useTemplatesText();
  const { restored, isDirty } = editor;
  return (
    <>
      {restored !== undefined && isDirty && (
        <Notice role="status">
          <p>
            {text.restored} <When at={new Date(restored).toISOString()} />
          </p>
          <div className="mt-2">
            <Button
              onClick={() => {
                const undo = editor.takeTheirs();
                if (undo) showToast(text.tookTheirs, undo, { isOfPage: true });
              }}
            >
              {text.discard}
            </Button>
          </div>
        </Notice>
      )}
      <ConflictNotice editor={editor} />
      {!editor.isDraftKept && <Notice tone="warn">{text.draftNotKept}</Notice>}
      {editor.saveError && <ErrorWords error={editor.saveError} onRetry={editor.save} />}
    </>
  );
}

/** Saves on Ctrl+S, wherever the focus is. */
function useSaveKey(save: () => void) {
  const newest = useEffectEvent(save);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      newest();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
