import { MailThumb } from "../preview/mail-thumb.tsx";
import { readable } from "../blocks/variables.ts";
import type { Summary } from "../queries.ts";
import { useTemplatesText } from "../use-templates-text.ts";
import { Gallery, type Choice } from "./gallery.tsx";
import { useGalleryText } from "./use-gallery-text.ts";
import { useLayouts } from "./use-layouts.ts";

interface MailChoicesProps {
  projectId: string;
  templates: readonly Summary[];
  onTemplate: (id: string) => void;
  onLayout: (layout: Choice) => void;
}

/** What the mail of a broadcast can be: a template of the project, or one that begins with a layout. */
export default function MailChoices(props: MailChoicesProps) {
  const { projectId, templates, onTemplate, onLayout } = props;
  const text = useGalleryText();
  const { noSubject } = useTemplatesText();
  const layouts = useLayouts().filter(({ key }) => key !== "receipt"); // each needs its own order
  const shown = templates.map(({ id, name, subject, updated_at }) => ({
    key: id,
    name,
    detail: readable(subject) || noSubject,
    picture: (
      <MailThumb
        path={`/projects/${projectId}/templates/${id}`}
        version={updated_at}
        title={name}
        className="size-full"
      />
    ),
  }));
  return (
    <div className="flex flex-col gap-6">
      {shown.length > 0 && (
        <Gallery title={text.yours} choices={shown} onChoose={({ key }) => onTemplate(key)} />
      )}
      <Gallery title={text.writeHere} hint={text.inBrand} choices={layouts} onChoose={onLayout} />
    </div>
  );
}
