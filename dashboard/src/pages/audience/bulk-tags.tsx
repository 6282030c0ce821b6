import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { useDialogLock } from "../../ui/dialog-lock.ts";
import { ErrorWords } from "../../ui/error-words.tsx";
import { TagsField, tagsOf, type TypedTags } from "./tags-field.tsx";
import { useAudienceText } from "./use-audience-text.ts";

interface BulkTagsProps {
  /** Describes whose tags change. */
  people: string;
  isBusy: boolean;
  error: Error | null;
  onChange: (change: { action: "add_tags" | "remove_tags"; tags: string[] }) => void;
}

/** Adds tags to many subscribers, or removes them. */
export function BulkTags({ people, isBusy, error, onChange }: BulkTagsProps) {
  const text = useAudienceText();
  const [value, setValue] = useState<TypedTags>({ tags: [], typed: "" });
  const [former] = useState(error); // from an earlier attempt
  useDialogLock(isBusy); // the outcome is shown in this dialog
  const tags = tagsOf(value);
  const button = { isBusy, offBecause: tags.length === 0 ? text.typeTag : undefined };
  return (
    <div className="flex flex-col gap-4">
      <p>{people}</p>
      <TagsField label={text.tags} value={value} onChange={setValue} />
      {error && error !== former && <ErrorWords error={error} />}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" {...button} onClick={() => onChange({ action: "add_tags", tags })}>
          {text.addTags}
        </Button>
        <Button {...button} onClick={() => onChange({ action: "remove_tags", tags })}>
          {text.removeTags}
        </Button>
      </div>
    </div>
  );
}
