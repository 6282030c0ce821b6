import { lazy, Suspense, useState } from "react";
import { wordsOf } from "../../../parts/tracking/switches.ts";
import { useTrackingText } from "../../../parts/tracking/use-tracking-text.ts";
import { useSharedText } from "../../../text/shared/use-shared-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { When } from "../../../ui/when.tsx";
import { useTemplatesText } from "../use-templates-text.ts";
import { changesOf, fieldsOf } from "./template-fields.ts";
import type { TemplateEditor } from "./use-template-editor.ts";

const DiffView = lazy(() => import("../code/diff-view.tsx"));

/** Reports that another user has saved the template in the meantime, and offers the choice. */
export function ConflictNotice({ editor }: { editor: TemplateEditor }) {
  const text = useTemplatesText();
  const shared = useSharedText();
  const tracking = useTrackingText();
  const [isComparing, setComparing] = useState(false);
  const { work, theirs } = editor;
  if (!work || !theirs) return null;
  const changed = Object.keys(changesOf(work.fields, fieldsOf(theirs.template)));
  const take = () => {
    setComparing(false);
    const undo = editor.takeTheirs();
    if (undo) showToast(text.tookTheirs, undo, { isOfPage: true });
  };
  const keep = () => {
    setComparing(false);
    editor.keepMine();
  };
  const choices = (
    <div className="mt-2 flex flex-wrap gap-2">
      <Button onClick={keep} isBusy={editor.saving}>
        {text.keepMine}
      </Button>
      <Button onClick={take}>{text.takeTheirs}</Button>
      {!isComparing && <Button onClick={() => setComparing(true)}>{text.compare}</Button>}
    </div>
  );
  return (
    <Notice tone="warn" role="alert">
      <p>
        {text.conflict} <When at={theirs.template.updated_at} />
      </p>
      <p>{text.conflictWords}</p>
      {choices}
      <Dialog
        isOpen={isComparing}
        onClose={() => setComparing(false)}
        title={text.compareTitle}
        isWide
      >
        <p className="mb-2 text-sm text-muted">{text.compareWords}</p>
        {changed.map((name) => {
          const key = name as keyof typeof text.fields;
          if (name === "public")
            return (
              <p key={name} className="mb-3 text-sm">
                {text.fields.public}: {theirs.template.public ? shared.yes : shared.no} →{" "}
                {work.fields.public ? shared.yes : shared.no}
              </p>
            );
          if (name === "tracking")
            return (
              <p key={name} className="mb-3 text-sm">
                {wordsOf(tracking, theirs.template.tracking)} →{" "}
                {wordsOf(tracking, work.fields.tracking)}
              </p>
            );
          const field = name as "name" | "subject" | "preheader" | "html_body" | "text_body";
          return (
            <section key={name} className="mb-3">
              <h3 className="text-sm font-medium">{text.fields[key]}</h3>
              <div className="max-h-96 overflow-auto rounded-md border border-line">
                <Suspense fallback={<Skeleton />}>
                  <DiffView
                    label={text.fields[key]}
                    before={theirs.template[field]}
                    after={work.fields[field]}
                  />
                </Suspense>
              </div>
            </section>
          );
        })}
        {choices}
      </Dialog>
    </Notice>
  );
}
