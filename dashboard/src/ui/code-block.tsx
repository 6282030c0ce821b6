import { Check, Copy } from "./action-icons.tsx";
import { useState } from "react";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { Button } from "./button.tsx";

const SHOWN_MS = 2_000;

/**
 * Copies a text, and confirms it for two seconds, or reports next to the button that the browser
 * refused: in an open dialog, screen readers announce nothing outside of it.
 */
export function CopyButton({ text: value, label }: { text: string; label?: string }) {
  const text = useSharedText();
  const [isCopied, setCopied] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const copy = async () => {
    try {
      // without https there is no clipboard API
      await navigator.clipboard.writeText(value);
    } catch {
      setRefused(true);
      return;
    }
    setRefused(false);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <>
      <Button onClick={() => void copy()} aria-live="polite">
        {isCopied ? (
          <Check aria-hidden className="size-4" />
        ) : (
          <Copy aria-hidden className="size-4" />
        )}
        {isCopied ? text.copied : (label ?? text.copy)}
      </Button>
      {isRefused && (
        <span role="alert" className="text-sm text-bad">
          {text.notCopied}
        </span>
      )}
    </>
  );
}

/** Code or other text to copy. */
export const CodeBlock = ({ code, label }: { code: string; label: string }) => (
  <div className="rounded-md border border-line bg-sunken">
    <div className="flex items-center justify-between gap-2 border-b border-line px-3 py-1.5">
      <span className="text-sm text-muted">{label}</span>
      <CopyButton text={code} />
    </div>
    <pre tabIndex={0} aria-label={label} className="overflow-x-auto p-3 text-sm">
      <code>{code}</code>
    </pre>
  </div>
);
