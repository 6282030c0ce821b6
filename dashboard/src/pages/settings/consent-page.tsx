import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import type { Versioned } from "../../api/versioned.ts";
import { wordParam } from "../../lib/search-params.ts";
import { SettingsForm } from "../../parts/settings-edit/settings-form.tsx";
import { useSettingsEdit } from "../../parts/settings-edit/use-settings-edit.ts";
import { Card } from "../../ui/card.tsx";
import { problemsOf } from "../../ui/error-words.tsx";
import { CheckField, SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { RoleNotice, useMayNot } from "../../ui/not-allowed.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { audienceSettingsQuery, type AudienceSettings } from "./audience-settings.ts";
import { AutomationLimits } from "./automation-limits.tsx";
import { ConfirmationTemplate } from "./confirmation-template.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { useSaving } from "./use-saving.ts";
import { useSettingsText } from "./use-settings-text.ts";

const LANGUAGES = ["en", "de", "fr", "es", "pt"] as const;

/** Settings for signup, confirmation and mailing frequency. */
export function ConsentPage() {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const settings = useQuery(audienceSettingsQuery(projectId));
  return (
    <SettingsFrame title={text.consent}>
      <RoleNotice capability="projects:write" />
      <Loaded query={settings} lines={6}>
        {(data) => <ConsentForm key={projectId} settings={data} />}
      </Loaded>
    </SettingsFrame>
  );
}

function ConsentForm({ settings }: { settings: Versioned<AudienceSettings> }) {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("projects:write");
  const { queryKey } = audienceSettingsQuery(projectId);
  const edit = useSettingsEdit(settings, {
    queryKey,
    // another page edits the retention of IP addresses
    fieldsOf: ({ click_ip_days: _days, ...rest }) => ({ ...rest, turnstile_secret: "" }),
    put: (
      { confirmation_template_id: template, turnstile, turnstile_secret, ...rest },
      options,
    ) => {
      const isKept = turnstile && turnstile_secret === "";
      const secret = isKept ? {} : { turnstile_secret: turnstile ? turnstile_secret : "" };
      const body = { ...rest, ...secret, confirmation_template_id: template ?? "" };
      return api.projects.audienceSettings.save({ projectId, body }, options);
    },
  });
  const { fields: typed, change } = edit;
  const save = useSaving(queryKey, edit.store);
  const problems = problemsOf(save.error);
  return (
    <Card title={text.joining} hint={text.consentLead}>
      <SettingsForm edit={edit} save={save} offBecause={mayNot}>
        <CheckField
          label={text.doubleOptIn}
          hint={text.doubleOptInHint}
          checked={typed.double_opt_in}
          onChange={({ target }) => change({ double_opt_in: target.checked })}
        />
        <ConfirmationTemplate
          chosen={typed.confirmation_template_id}
          error={problems["confirmation_template_id"]}
          onChoose={(id) => change({ confirmation_template_id: id })}
        />
        <TextArea
          label={text.formText}
          hint={text.formTextHint}
          isOptional
          rows={3}
          value={typed.form_text}
          error={problems["form_text"]}
          onChange={({ target }) => change({ form_text: target.value })}
        />
        <SelectField
          label={text.language}
          hint={text.languageHint}
          value={typed.language}
          onChange={({ target }) =>
            change({ language: wordParam(target.value, LANGUAGES) ?? typed.language })
          }
        >
          {LANGUAGES.map((language) => (
            <option key={language} value={language}>
              {text.languages[language]}
            </option>
          ))}
        </SelectField>
        <NumberField
          label={text.joinsPerDay}
          hint={text.joinsPerDayHint}
          min={1}
          value={typed.joins_per_day}
          error={problems["joins_per_day"]}
          onChange={(number) => change({ joins_per_day: number })}
        />
        <CheckField
          label={text.turnstile}
          hint={text.turnstileHint}
          checked={typed.turnstile}
          onChange={({ target }) => change({ turnstile: target.checked })}
        />
        {typed.turnstile && (
          <TextField
            label={text.turnstileSecret}
            hint={settings.value.turnstile ? text.passwordHint : undefined}
            type="password"
            autoComplete="off"
            value={typed.turnstile_secret}
            error={problems["turnstile_secret"]}
            onChange={({ target }) => change({ turnstile_secret: target.value })}
            required={!settings.value.turnstile}
          />
        )}
        {typed.turnstile && (
          <TextField
            label={text.turnstileSiteKey}
            hint={text.turnstileSiteKeyHint}
            value={typed.turnstile_site_key}
            error={problems["turnstile_site_key"]}
            onChange={({ target }) => change({ turnstile_site_key: target.value })}
          />
        )}
        <NumberField
          label={text.minDays}
          hint={text.minDaysHint}
          none={text.noLimit}
          value={typed.min_days_between_broadcasts}
          error={problems["min_days_between_broadcasts"]}
          onChange={(number) => change({ min_days_between_broadcasts: number })}
        />
        <AutomationLimits
          value={typed.automations}
          problems={problems}
          onChange={(automations) => change({ automations })}
        />
      </SettingsForm>
    </Card>
  );
}
