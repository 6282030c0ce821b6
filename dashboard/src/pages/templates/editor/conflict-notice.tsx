import { lazy, Suspense } from "react";
import { wordsOf } from "../../../parts/tracking/switches.ts";
import { useTrackingText } from "../../../parts/tracking/use-tracking-text.ts";
import { useSharedText } from "../../../text/shared/use-shared-text.ts";
import { CompareNotice } from "../../../ui/compare-notice.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { useTemplatesText } from "../use-templates-text.ts";
import { changesOf, fieldsOf } from "./template-fields.ts";
import type { TemplateEditor } from "./use-template-editor.ts";

const DiffView = lazy(() => import("../code/diff-view.tsx"));

/** Reports that another user has saved the template in the meantime, and offers the choice. */
export function ConflictNotice({ editor }: { editor: TemplateEditor }) {
  const text = useTemplatesText();
  const shared = useSharedText();
  const tracking = useTrackingText();
  const { work, theirs } = editor;
  if (!work || !theirs) return null;
  const changed = Object.keys(changesOf(work.fields, fieldsOf(theirs.template)));
  const take = () => {
    const undo = editor.takeTheirs();
    if (undo) showToast(text.tookTheirs, undo, { isOfPage: true });
  };
  return (
    <CompareNotice
      words={text}
      at={theirs.template.updated_at}
      isBusy={editor.saving}
      onKeepMine={editor.keepMine}
      onTakeTheirs={take}
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
    </CompareNotice>
  );
}
