import { useId } from "react";
import { useImportText } from "./use-import-text.ts";

interface ImportConsentProps {
  agreed: "active" | "pending" | undefined;
  onChoose: (agreed: "active" | "pending") => void;
}

/** Asks whether the people of a file have agreed to get mail. */
export function ImportConsent({ agreed, onChoose }: ImportConsentProps) {
  const text = useImportText();
  const group = useId();
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {(["active", "pending"] as const).map((value) => (
        <label
          key={value}
          className="flex cursor-pointer gap-3 rounded-md border border-line p-3 has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            name={group}
            value={value}
            checked={agreed === value}
            onChange={() => onChoose(value)}
            className="mt-1 accent-accent"
          />
          <span>
            <span className="block text-sm font-medium">{text.agreed[value]}</span>
            <span className="block text-sm text-muted">{text.agreedWords[value]}</span>
          </span>
        </label>
      ))}
    </div>
  );
}
