import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Card } from "../../ui/card.tsx";
import { problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { RoleNotice, useMayNot } from "../../ui/not-allowed.tsx";
import { audienceSettingsQuery, type AudienceSettings } from "./audience-settings.ts";
import { SettingsFrame } from "./settings-frame.tsx";
import { useSaving } from "./use-saving.ts";
import { useSettingsText } from "./use-settings-text.ts";

/** Settings on what visits of mails record, and how long addresses of visitors are kept. */
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
      <Card title={text.retention}>
        <Loaded query={settings} lines={3}>
          {(data) => <Retention key={projectId} settings={data} />}
        </Loaded>
      </Card>
    </SettingsFrame>
  );
}

function Retention({ settings }: { settings: AudienceSettings }) {
  const text = useSettingsText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("projects:write");
  const [days, setDays] = useState(String(settings.click_ip_days));
  const save = useSaving(audienceSettingsQuery(projectId).queryKey, () =>
    api.projects.audienceSettings.save({ projectId, body: { click_ip_days: Number(days) } }),
  );
  return (
    <Form of={save} onSubmit={() => save.mutate()} action={shared.save} offBecause={mayNot}>
      <TextField
        label={text.ipDays}
        hint={text.ipDaysHint}
        type="number"
        min={0}
        value={days}
        error={problemsOf(save.error)["click_ip_days"]}
        onChange={({ target }) => setDays(target.value)}
        required
      />
    </Form>
  );
}
