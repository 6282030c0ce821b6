import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import type { Versioned } from "../../api/versioned.ts";
import { SettingsForm } from "../../parts/settings-edit/settings-form.tsx";
import { useSettingsEdit } from "../../parts/settings-edit/use-settings-edit.ts";
import { Card } from "../../ui/card.tsx";
import { problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { RoleNotice, useMayNot } from "../../ui/not-allowed.tsx";
import { audienceSettingsQuery, type AudienceSettings } from "./audience-settings.ts";
import { SettingsFrame } from "./settings-frame.tsx";
import { TrackingSwitches } from "./tracking-switches.tsx";
import { useSaving } from "./use-saving.ts";
import { useSettingsText } from "./use-settings-text.ts";

/** Settings for what opens and clicks record, and for the retention of visitors' IP addresses. */
export function TrackingPage() {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const settings = useQuery(audienceSettingsQuery(projectId));
  return (
    <SettingsFrame title={text.tracking} lead={text.trackingLead}>
      <RoleNotice capability="projects:write" />
      <Card title={text.recorded}>
        <dl className="flex max-w-2xl flex-col gap-3">
          {text.recordedWords.map(([name, words]) => (
            <div key={name}>
              <dt className="font-medium">{name}</dt>
              <dd className="text-muted">{words}</dd>
            </div>
          ))}
        </dl>
      </Card>
      <Card title={text.counting}>
        <TrackingSwitches />
      </Card>
      <Card title={text.retention}>
        <Loaded query={settings} lines={3}>
          {(data) => <Retention key={projectId} settings={data} />}
        </Loaded>
      </Card>
    </SettingsFrame>
  );
}

function Retention({ settings }: { settings: Versioned<AudienceSettings> }) {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("projects:write");
  const { queryKey } = audienceSettingsQuery(projectId);
  const edit = useSettingsEdit(settings, {
    queryKey,
    fieldsOf: ({ click_ip_days }) => ({ days: String(click_ip_days) }),
    put: ({ days }, options) => {
      const body = { click_ip_days: Number(days) };
      return api.projects.audienceSettings.save({ projectId, body }, options);
    },
  });
  const save = useSaving(queryKey, edit.store);
  return (
    <SettingsForm edit={edit} save={save} offBecause={mayNot}>
      <TextField
        label={text.ipDays}
        hint={text.ipDaysHint}
        type="number"
        min={0}
        value={edit.fields.days}
        error={problemsOf(save.error)["click_ip_days"]}
        onChange={({ target }) => edit.change({ days: target.value })}
        required
      />
    </SettingsForm>
  );
}
