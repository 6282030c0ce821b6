import { useQuery } from "@tanstack/react-query";
import { textOn } from "../../../../../src/lib/brand.ts";
import { isColor } from "../../../../../src/lib/colors.ts";
import { FONT_NAMES } from "../../../../../src/lib/mail-fonts.ts";
import { api, type Api } from "../../../api/client.ts";
import { useProject } from "../../../api/projects.ts";
import type { Versioned } from "../../../api/versioned.ts";
import { brandQuery } from "../../../parts/brand/brand-query.ts";
import { ColorField } from "../../../parts/brand/color-field.tsx";
import { SettingsForm } from "../../../parts/settings-edit/settings-form.tsx";
import { useSettingsEdit } from "../../../parts/settings-edit/use-settings-edit.ts";
import { problemsOf } from "../../../ui/error-words.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { FieldGroup } from "../../../ui/field-group.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { RoleNotice, useMayNot } from "../../../ui/not-allowed.tsx";
import { NumberField } from "../../../ui/number-field.tsx";
import { ChooseImage } from "../../templates/block-editor/choose-image.tsx";
import { SocialLinks } from "../../templates/block-editor/social-fields.tsx";
import { useBlockText } from "../../templates/block-editor/use-block-text.ts";
import { FIRST_LOOK } from "../../templates/blocks/model.ts";
import { SettingsFrame } from "../settings-frame.tsx";
import { useSaving } from "../use-saving.ts";
import { useSettingsText } from "../use-settings-text.ts";
import { BrandPreview } from "./brand-preview.tsx";
import { useBrandText } from "./use-brand-text.ts";

/** The look of a project's mails and pages. */
export function BrandPage() {
  const settings = useSettingsText();
  const text = useBrandText();
  const { id: projectId } = useProject();
  return (
    <SettingsFrame title={settings.brand} lead={text.lead}>
      <RoleNotice capability="projects:write" />
      <Loaded query={useQuery(brandQuery(projectId))} lines={12}>
        {(data) => <BrandForm key={projectId} stored={data} />}
      </Loaded>
    </SettingsFrame>
  );
}

const COLORS = ["accent", "accent_text", "background"] as const;
const FONTS = ["heading_font", "text_font"] as const;

function BrandForm({ stored }: { stored: Versioned<Api.Brand> }) {
  const text = useBrandText();
  const blockText = useBlockText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("projects:write");
  const { queryKey } = brandQuery(projectId);
  const edit = useSettingsEdit(stored, {
    queryKey,
    fieldsOf: (brand) => brand,
    put: (body, options) => api.projects.brand.save({ projectId, body }, options),
  });
  const { fields, change } = edit;
  const save = useSaving(queryKey, edit.store);
  const problems = problemsOf(save.error);
  const social = Object.entries(problems).find(([path]) => path.startsWith("social"));
  const { accent, background } = FIRST_LOOK;
  const accent_text = textOn(isColor(fields.accent) ? fields.accent : accent, undefined);
  const unset = { accent, accent_text, background };
  const isWhite = accent_text === "#ffffff";
  return (
    <div className="grid gap-8 lg:grid-cols-2">
      <SettingsForm edit={edit} save={save} offBecause={mayNot}>
        <TextField
          label={text.logo_url}
          hint={text.logoHint}
          value={fields.logo_url}
          maxLength={2_000}
          error={problems["logo_url"]}
          onChange={({ target }) => change({ logo_url: target.value })}
          isOptional
        />
        <ChooseImage
          onChoose={({ src, alt }) => change({ logo_url: src, logo_alt: alt || fields.logo_alt })}
        />
        <TextField
          label={text.logo_alt}
          hint={text.altHint}
          value={fields.logo_alt}
          maxLength={200}
          error={problems["logo_alt"]}
          onChange={({ target }) => change({ logo_alt: target.value })}
          isOptional
        />
        <NumberField
          label={text.logo_width}
          min={16}
          max={552}
          value={fields.logo_width}
          error={problems["logo_width"]}
          onChange={(width) => change({ logo_width: width })}
        />
        {COLORS.map((name) => (
          <ColorField
            key={name}
            label={text[name]}
            hint={name === "accent_text" ? text.chosen(isWhite) : text.colorHint}
            value={fields[name]}
            unset={unset[name]}
            error={problems[name]}
            onChange={(color) => change({ [name]: color })}
          />
        ))}
        {FONTS.map((name) => (
          <SelectField
            key={name}
            label={text[name]}
            value={fields[name]}
            onChange={({ target }) => change({ [name]: target.value })}
          >
            <option value="">{text.noFont}</option>
            {FONT_NAMES.map((font) => (
              <option key={font} value={font}>
                {blockText.fontNames[font]}
              </option>
            ))}
          </SelectField>
        ))}
        <TextField
          label={text.postal_address}
          hint={text.addressHint}
          value={fields.postal_address}
          maxLength={200}
          error={problems["postal_address"]}
          onChange={({ target }) => change({ postal_address: target.value })}
          isOptional
        />
        <FieldGroup title={text.social} error={social?.[1]}>
          <SocialLinks links={fields.social} onChange={(links) => change({ social: links })} />
        </FieldGroup>
      </SettingsForm>
      <BrandPreview brand={fields} />
    </div>
  );
}
