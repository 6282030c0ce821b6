import { SelectField, TextField } from "../../../ui/field.tsx";
import { useTemplatesText } from "../use-templates-text.ts";
import type { Blocks } from "./use-blocks.ts";

/** Styles shared by all blocks of the mail: colors, font, and preheader. */
export function LookFields({ blocks }: { blocks: Blocks }) {
  const text = useTemplatesText();
  const { look } = blocks.mail;
  return (
    <details className="rounded-lg border border-line bg-surface p-3">
      <summary className="cursor-pointer text-sm font-medium">{text.look}</summary>
      <div className="mt-3 grid gap-3 sm:grid-cols-2">
        <TextField
          label={text.preheader}
          hint={text.preheaderHint}
          value={look.preheader}
          maxLength={1_000}
          onChange={(event) => blocks.setLook({ preheader: event.target.value })}
        />
        <SelectField
          label={text.font}
          value={look.font}
          onChange={(event) =>
            blocks.setLook({ font: event.target.value === "serif" ? "serif" : "sans" })
          }
        >
          <option value="sans">{text.fontNames.sans}</option>
          <option value="serif">{text.fontNames.serif}</option>
        </SelectField>
        {(["accent", "background"] as const).map((name) => (
          <TextField
            key={name}
            type="color"
            label={text.colours[name]}
            value={look[name]}
            onChange={(event) => blocks.setLook({ [name]: event.target.value.toLowerCase() })}
          />
        ))}
      </div>
    </details>
  );
}
