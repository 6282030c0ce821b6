import { useQuery } from "@tanstack/react-query";
import { api, type Api } from "../../../api/client.ts";
import { useProject } from "../../../api/projects.ts";
import type { Versioned } from "../../../api/versioned.ts";
import { SettingsForm } from "../../../parts/settings-edit/settings-form.tsx";
import { useSettingsEdit } from "../../../parts/settings-edit/use-settings-edit.ts";
import { problemsOf } from "../../../ui/error-words.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { useMayNot } from "../../../ui/not-allowed.tsx";
import { bounceSettingsQuery } from "./bounce-queries.ts";
import { useSaving } from "../use-saving.ts";
import { useBouncesText } from "./use-bounces-text.ts";

/** The return path of the emails, and where other email to it goes. */
export function ReturnPath() {
  const { id: projectId } = useProject();
  const settings = useQuery(bounceSettingsQuery(projectId));
  return (
    <Loaded query={settings} lines={4}>
      {(data) => <ReturnPathForm key={projectId} settings={data} />}
    </Loaded>
  );
}

function ReturnPathForm({ settings }: { settings: Versioned<Api.BounceSettings> }) {
  const text = useBouncesText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("projects:write");
  const { queryKey } = bounceSettingsQuery(projectId);
  const edit = useSettingsEdit(settings, {
    queryKey,
    fieldsOf: ({ return_path, forward_to }) => ({
      return_path: return_path ?? "",
      forward_to: forward_to ?? "",
    }),
    put: (body, options) => api.projects.bounceSettings.save({ projectId, body }, options),
  });
  const { fields: typed, change } = edit;
  const save = useSaving(queryKey, edit.store);
  const problems = problemsOf(save.error);
  return (
    <SettingsForm edit={edit} save={save} offBecause={mayNot}>
      <TextField
        label={text.returnPath}
        hint={text.returnPathHint}
        isOptional
        value={typed.return_path}
        error={problems["return_path"]}
        onChange={({ target }) => change({ return_path: target.value })}
      />
      <TextField
        label={text.forwardTo}
        hint={text.forwardToHint}
        isOptional
        type="email"
        value={typed.forward_to}
        error={problems["forward_to"]}
        onChange={({ target }) => change({ forward_to: target.value })}
      />
    </SettingsForm>
  );
}
