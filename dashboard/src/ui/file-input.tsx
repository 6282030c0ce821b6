import type { InputHTMLAttributes } from "react";

/** A file input, styled like the other buttons. */
export const FileInput = (props: Omit<InputHTMLAttributes<HTMLInputElement>, "type">) => (
  <input
    {...props}
    type="file"
    className="max-w-full text-sm file:mr-3 file:min-h-9 file:cursor-pointer file:rounded-md file:border file:border-solid file:border-line file:bg-surface file:px-3 file:text-sm file:font-medium file:text-ink hover:file:border-edge disabled:opacity-60"
  />
);
