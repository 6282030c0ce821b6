import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { showToast } from "../../ui/toast.tsx";
import type { Choice } from "../templates/gallery/gallery.tsx";
import { useGalleryText } from "../templates/gallery/use-gallery-text.ts";
import type { Summary } from "../templates/queries.ts";
import { useTemplatesText } from "../templates/use-templates-text.ts";
import type { DraftFields } from "./draft-fields.ts";

const MailChoices = lazy(() => import("../templates/gallery/mail-choices.tsx"));

type MailFields = Pick<
  DraftFields,
  "template_id" | "html_body" | "text_body" | "subject" | "preview_text"
>;

interface MailGalleryProps {
  /** Edit state of a draft, or of another mail. */
  edit: {
    fields: MailFields;
    draft: { project_id: string };
    change: (part: Partial<MailFields>) => void;
    replace: (part: Partial<MailFields>) => void;
  };
  templates: readonly Summary[] | undefined;
  mayNot: string | undefined;
}

/** Chooses a mail by its picture; its undo never overwrites what was typed since. */
export function MailGallery({ edit, templates = [], mayNot }: MailGalleryProps) {
  const text = useGalleryText();
  const { changedSince } = useTemplatesText();
  const [isOpen, setOpen] = useState(false);
  const { fields, draft, change, replace } = edit;
  const newest = useRef(fields.html_body);
  useEffect(() => {
    newest.current = fields.html_body;
  }, [fields.html_body]);
  const begin = async ({ name, make }: Choice) => {
    const { html_body, subject, preheader } = await make();
    const former = {
      template_id: fields.template_id,
      html_body: fields.html_body,
      text_body: fields.text_body,
      subject: fields.subject,
      preview_text: fields.preview_text,
    };
    setOpen(false);
    replace({
      template_id: "",
      html_body,
      text_body: "",
      subject: fields.subject || subject,
      preview_text: fields.preview_text || preheader,
    });
    const undo = () => {
      if (newest.current === html_body) replace(former);
      else showToast(changedSince);
    };
    showToast(text.chosen(name), undo, { isOfPage: true });
  };
  return (
    <>
      <Button className="self-start" offBecause={mayNot} onClick={() => setOpen(true)}>
        {text.choosePictures}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={text.choosePictures} isWide>
        <Suspense fallback={<Skeleton lines={12} />}>
          <MailChoices
            projectId={draft.project_id}
            templates={templates}
            onTemplate={(template_id) => {
              setOpen(false);
              change({ template_id });
            }}
            onLayout={(layout) => void begin(layout)}
          />
        </Suspense>
      </Dialog>
    </>
  );
}
