import { useQuery } from "@tanstack/react-query";
import { X } from "../../ui/icons.tsx";
import { useId } from "react";
import { tagsQuery } from "../../api/audience.ts";
import { useProject } from "../../api/projects.ts";
import { TextField } from "../../ui/field.tsx";
import { useAudienceText } from "./use-audience-text.ts";

/** The selected tags, and the text typed so far. */
export interface TypedTags {
  tags: string[];
  typed: string;
}

/** Returns the selected tags, including typed ones that were not added yet. */
export function tagsOf({ tags, typed }: TypedTags): string[] {
  const names = typed.split(",").map((name) => name.trim().toLowerCase());
  return [...new Set([...tags, ...names.filter((name) => name !== "")])];
}

interface TagsFieldProps {
  label: string;
  value: TypedTags;
  onChange: (value: TypedTags) => void;
  error?: string | undefined;
}

/** A tag input. A comma, Enter, or saving adds the typed tag. */
export function TagsField({ label, value, onChange, error }: TagsFieldProps) {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const known = useQuery(tagsQuery(projectId));
  const listId = useId();
  const { tags, typed } = value;
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={label}
        hint={text.tagsHint}
        list={listId}
        value={typed}
        error={error}
        autoComplete="off"
        onChange={({ target }) => onChange({ tags, typed: target.value })}
        onKeyDown={(event) => {
          if (typed.trim() === "" || (event.key !== "Enter" && event.key !== ",")) return;
          event.preventDefault();
          onChange({ tags: tagsOf(value), typed: "" });
        }}
      />
      <datalist id={listId}>
        {known.data?.tags.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {tags.length > 0 && (
        <ul aria-label={label} className="flex flex-wrap gap-1">
          {tags.map((tag) => (
            <li key={tag} className="flex items-center gap-1 rounded bg-sunken py-0.5 pl-2 text-sm">
              <span className="break-all">{tag}</span>
              <button
                type="button"
                aria-label={text.removeTag(tag)}
                className="rounded p-1 text-muted hover:text-ink"
                onClick={() => onChange({ tags: tags.filter((one) => one !== tag), typed })}
              >
                <X aria-hidden className="size-4" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
