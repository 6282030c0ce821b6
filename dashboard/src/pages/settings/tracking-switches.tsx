import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, type Api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { versioned, type Versioned } from "../../api/versioned.ts";
import { SettingsForm } from "../../parts/settings-edit/settings-form.tsx";
import { useSettingsEdit } from "../../parts/settings-edit/use-settings-edit.ts";
import { SWITCHES } from "../../parts/tracking/switches.ts";
import { useTrackingText } from "../../parts/tracking/use-tracking-text.ts";
import { CheckField, TextField } from "../../ui/field.tsx";
import { problemsOf } from "../../ui/error-words.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { useSaving } from "./use-saving.ts";

const mailSettingsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "mail-settings"],
    queryFn: ({ signal }) =>
      versioned((onResponse) =>
        api.projects.mailSettings.get({ projectId }, { signal, onResponse }),
      ),
  });

/** Whether the project counts opens and clicks, and the campaign parameters of its links. */
export function TrackingSwitches() {
  const { id: projectId } = useProject();
  return (
    <Loaded query={useQuery(mailSettingsQuery(projectId))} lines={5}>
      {(data) => <Switches key={projectId} settings={data} />}
    </Loaded>
  );
}

const PARAMETERS = ["source", "medium", "campaign"] as const;

function Switches({ settings }: { settings: Versioned<Api.MailSettings> }) {
  const text = useTrackingText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("projects:write");
  const { queryKey } = mailSettingsQuery(projectId);
  const edit = useSettingsEdit(settings, {
    queryKey,
    fieldsOf: ({ tracking, utm: { source = "", medium = "", campaign = "" } }) => ({
      ...tracking,
      source,
      medium,
      campaign,
    }),
    put: ({ opens, clicks, ...fields }, options) => {
      const utm = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
      const body = { tracking: { opens, clicks }, utm };
      return api.projects.mailSettings.save({ projectId, body }, options);
    },
  });
  const save = useSaving(queryKey, edit.store);
  const problems = problemsOf(save.error);
  return (
    <SettingsForm edit={edit} save={save} offBecause={mayNot}>
      {SWITCHES.map((name) => (
        <CheckField
          key={name}
          label={text.counted[name]}
          checked={edit.fields[name]}
          onChange={({ target }) => edit.change({ [name]: target.checked })}
        />
      ))}
      {PARAMETERS.map((name) => (
        <TextField
          key={name}
          label={`utm_${name}`}
          maxLength={100}
          value={edit.fields[name]}
          error={problems[`utm.${name}`]}
          onChange={({ target }) => edit.change({ [name]: target.value })}
          isOptional
        />
      ))}
    </SettingsForm>
  );
}
