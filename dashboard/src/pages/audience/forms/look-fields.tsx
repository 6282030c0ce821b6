import { useQuery } from "@tanstack/react-query";
import { PAGE_ACCENT } from "../../../../../src/lib/page-style.ts";
import { useProject } from "../../../api/projects.ts";
import { brandQuery } from "../../../parts/brand/brand-query.ts";
import { ColorField } from "../../../parts/brand/color-field.tsx";
import { wordParam } from "../../../lib/search-params.ts";
import { CheckField, SelectField, TextField } from "../../../ui/field.tsx";
import { FieldGroup } from "../../../ui/field-group.tsx";
import type { FormFields } from "./form-fields.ts";
import { useFormsText } from "./use-forms-text.ts";

const ALIGNS = ["left", "center"] as const;

interface LookFieldsProps {
  form: FormFields;
  problems: Record<string, string>;
  onChange: (part: Partial<FormFields>) => void;
}

/** How a form looks, on its page and where it is embedded. */
export function LookFields({ form, problems, onChange }: LookFieldsProps) {
  const text = useFormsText();
  const { id: projectId } = useProject();
  const { data: brand } = useQuery(brandQuery(projectId));
  return (
    <FieldGroup title={text.look}>
      <TextField
        label={text.button}
        isOptional
        value={form.button}
        error={problems["button"]}
        onChange={({ target }) => onChange({ button: target.value })}
      />
      <ColorField
        label={text.accent}
        hint={text.accentHint}
        value={form.accent ?? ""}
        unset={brand?.value.accent || PAGE_ACCENT}
        error={problems["accent"]}
        onChange={(color) => onChange({ accent: color || null })}
      />
      <SelectField
        label={text.align}
        value={form.align}
        onChange={({ target }) => onChange({ align: wordParam(target.value, ALIGNS) ?? "left" })}
      >
        {ALIGNS.map((align) => (
          <option key={align} value={align}>
            {text.aligns[align]}
          </option>
        ))}
      </SelectField>
      <CheckField
        label={text.showLogo}
        checked={form.show_logo}
        onChange={({ target }) => onChange({ show_logo: target.checked })}
      />
      <CheckField
        label={text.embedHeading}
        checked={form.embed_heading}
        onChange={({ target }) => onChange({ embed_heading: target.checked })}
      />
    </FieldGroup>
  );
}
