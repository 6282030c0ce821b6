import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Client } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { wordParam } from "../../lib/search-params.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorWords, problemsOf } from "../../ui/error-words.tsx";
import { CheckField, SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { RoleNotice, useMayNot } from "../../ui/not-allowed.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { showToast } from "../../ui/toast.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { useSettingsText } from "./use-settings-text.ts";

type Settings = Awaited<ReturnType<Client["projects"]["audienceSettings"]["get"]>>;

const LANGUAGES = ["en", "de", "fr", "es", "pt"] as const;

/** How people join and confirm, and how often they are mailed. */
export function ConsentPage() {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const settings = useQuery({
    queryKey: ["project", projectId, "audience-settings"],
    queryFn: ({ signal }) => api.projects.audienceSettings.get({ projectId }, { signal }),
  });
  return (
    <SettingsFrame title={text.consent} lead={text.consentLead}>
      <RoleNotice capability="projects:write" />
      {settings.isPending && <Skeleton lines={6} />}
      {settings.error && (
        <ErrorWords error={settings.error} onRetry={() => void settings.refetch()} />
      )}
      {settings.data && <ConsentForm key={projectId} settings={settings.data} />}
    </SettingsFrame>
  );
}

function ConsentForm({ settings }: { settings: Settings }) {
  const text = useSettingsText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("projects:write");
  const [typed, setTyped] = useState(settings);
  const change = (part: Partial<Settings>) => setTyped({ ...typed, ...part });
  const save = useMutation({
    mutationFn: () => {
      const { confirmation_template_id: template, ...rest } = typed;
      const body = { ...rest, confirmation_template_id: template ?? "" };
      return api.projects.audienceSettings.save({ projectId, body });
    },
    onSuccess: async () => {
      showToast(text.saved);
      await queryClient.invalidateQueries({
        queryKey: ["project", projectId, "audience-settings"],
      });
    },
  });
  const problems = problemsOf(save.error);
  return (
    <Card>
      <form
        className="flex max-w-2xl flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <CheckField
          label={text.doubleOptIn}
          hint={text.doubleOptInHint}
          checked={typed.double_opt_in}
          onChange={({ target }) => change({ double_opt_in: target.checked })}
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
        <TextField
          label={text.minDays}
          hint={text.minDaysHint}
          type="number"
          min={0}
          value={typed.min_days_between_broadcasts}
          error={problems["min_days_between_broadcasts"]}
          onChange={({ target }) =>
            change({ min_days_between_broadcasts: target.valueAsNumber || 0 })
          }
        />
        <TextField
          label={text.ipDays}
          hint={text.ipDaysHint}
          type="number"
          min={0}
          value={typed.click_ip_days}
          error={problems["click_ip_days"]}
          onChange={({ target }) => change({ click_ip_days: target.valueAsNumber || 0 })}
        />
        {save.error && <ErrorWords error={save.error} />}
        <div>
          <Button type="submit" look="primary" isBusy={save.isPending} offBecause={mayNot}>
            {shared.save}
          </Button>
        </div>
      </form>
    </Card>
  );
}
