import { useState, type InputHTMLAttributes } from "react";
import { useSharedText } from "../text/shared/use-shared-text.ts";

/** A file input that looks like a button, in the language of the dashboard, and names its file. */
export function FileInput({
  onChange,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, "type">) {
  const text = useSharedText();
  const [name, setName] = useState<string>();
  return (
    <span className="flex max-w-full flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span className="relative inline-flex rounded-md border border-line bg-surface font-medium hover:border-edge has-disabled:opacity-60 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
        <span aria-hidden className="flex min-h-8.5 items-center px-3">
          {text.chooseFile}
        </span>
        <input
          {...rest}
          type="file"
          className="absolute inset-0 cursor-pointer text-[0] opacity-0 disabled:cursor-not-allowed"
          onChange={(event) => {
            onChange?.(event);
            setName(event.target.files?.[0]?.name);
          }}
        />
      </span>
      {name}
    </span>
  );
}
