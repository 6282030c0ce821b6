import { queryClient } from "../../../api/query-client.ts";
import { brandQuery } from "../../../parts/brand/brand-query.ts";
import { useMutation } from "@tanstack/react-query";
import { Button } from "../../../ui/button.tsx";
import { ErrorWords } from "../../../ui/error-words.tsx";
import { lookOfBrand } from "../blocks/brand-draft.ts";
import { useProject } from "../../../api/projects.ts";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { useBlockText } from "./use-block-text.ts";
import { FONT_NAMES } from "../blocks/model.ts";
import { recentColors, rememberColor } from "./recent-colors.ts";
import type { Blocks } from "./use-blocks.ts";

/** Styles shared by all blocks of the mail: colors, font, and preheader. */
export function LookFields({ blocks }: { blocks: Blocks }) {
  const text = useBlockText();
  const { id: projectId } = useProject();
  const { look } = blocks.mail;
  const colors = recentColors(projectId);
  const takeBrand = useMutation({
    mutationFn: () => queryClient.fetchQuery({ ...brandQuery(projectId), staleTime: 0 }),
    onSuccess: ({ value }) => blocks.setLook(lookOfBrand(value, look)),
  });
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
            blocks.setLook({
              font: FONT_NAMES.find((name) => name === event.target.value) ?? "sans",
            })
          }
        >
          {FONT_NAMES.map((name) => (
            <option key={name} value={name}>
              {text.fontNames[name]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={text.headingFont}
          value={look.headingFont ?? ""}
          onChange={({ target }) =>
            blocks.setLook({ headingFont: FONT_NAMES.find((name) => name === target.value) })
          }
        >
          <option value="">{text.fontOfText}</option>
          {FONT_NAMES.map((name) => (
            <option key={name} value={name}>
              {text.fontNames[name]}
            </option>
          ))}
        </SelectField>
        <datalist id="recent-colors">
          {colors.map((color) => (
            <option key={color} value={color} />
          ))}
        </datalist>
        {(["accent", "background"] as const).map((name) => (
          <TextField
            key={name}
            type="color"
            list="recent-colors"
            label={text.colours[name]}
            value={look[name]}
            onChange={(event) => blocks.setLook({ [name]: event.target.value.toLowerCase() })}
            onBlur={(event) => rememberColor(projectId, event.target.value.toLowerCase())}
          />
        ))}
      </div>
      <Button className="mt-3" onClick={() => takeBrand.mutate()} isBusy={takeBrand.isPending}>
        {text.useBrand}
      </Button>
      {takeBrand.error && <ErrorWords error={takeBrand.error} />}
    </details>
  );
}
