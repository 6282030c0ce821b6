import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, type Api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { versioned, type Versioned } from "../../api/versioned.ts";
import { SettingsForm } from "../../parts/settings-edit/settings-form.tsx";
import { useSettingsEdit } from "../../parts/settings-edit/use-settings-edit.ts";
import { Card } from "../../ui/card.tsx";
import { problemsOf } from "../../ui/error-words.tsx";
import { CheckField, SelectField, TextField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { RoleNotice, useMayNot } from "../../ui/not-allowed.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { BounceMailbox } from "./bounce-mailbox.tsx";
import { BounceUrl } from "./bounce-url.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { useSaving } from "./use-saving.ts";
import { useSettingsText } from "./use-settings-text.ts";

type BounceSettings = Api.BounceSettings;

const bounceSettingsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "bounce-settings"],
    queryFn: ({ signal }) =>
      versioned((onResponse) =>
        api.projects.bounceSettings.get({ projectId }, { signal, onResponse }),
      ),
  });

/** Sources of bounces, their effects, and the thresholds at which a broadcast pauses. */
export function BouncesPage() {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const settings = useQuery(bounceSettingsQuery(projectId));
  return (
    <SettingsFrame title={text.bounces} lead={text.bouncesLead}>
      <RoleNotice capability="projects:write" />
      <BounceUrl />
      <BounceMailbox />
      <Loaded query={settings} lines={8}>
        {(data) => <Rules key={projectId} settings={data} />}
      </Loaded>
    </SettingsFrame>
  );
}

const BRAKES = [
  "bad_address_pct",
  "sender_refusal_pct",
  "sender_refusals_in_a_row",
  "complaint_pct",
] as const;

function Rules({ settings }: { settings: Versioned<BounceSettings> }) {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("projects:write");
  const { queryKey } = bounceSettingsQuery(projectId);
  const edit = useSettingsEdit(settings, {
    queryKey,
    fieldsOf: (stored) => stored,
    put: ({ return_path, forward_to, ...rest }, options) => {
      const named = { return_path: return_path ?? "", forward_to: forward_to ?? "" };
      return api.projects.bounceSettings.save({ projectId, body: { ...rest, ...named } }, options);
    },
  });
  const { fields: typed, change } = edit;
  const brake = (part: Partial<BounceSettings["brakes"]>) =>
    change({ brakes: { ...typed.brakes, ...part } });
  const save = useSaving(queryKey, edit.store);
  const problems = problemsOf(save.error);
  return (
    <Card title={text.rules}>
      <SettingsForm edit={edit} save={save} offBecause={mayNot}>
        <SelectField
          label={text.proof}
          hint={text.proofHint}
          value={typed.bounce_proof}
          onChange={({ target }) =>
            change({ bounce_proof: target.value === "recent" ? "recent" : "required" })
          }
        >
          <option value="required">{text.proofs.required}</option>
          <option value="recent">{text.proofs.recent}</option>
        </SelectField>
        <CheckField
          label={text.any5xx}
          hint={text.any5xxHint}
          checked={typed.suppress_on_any_5xx}
          onChange={({ target }) => change({ suppress_on_any_5xx: target.checked })}
        />
        <NumberField
          label={text.softLimit}
          hint={text.softLimitHint}
          min={0}
          value={typed.soft_bounce_limit}
          error={problems["soft_bounce_limit"]}
          onChange={(number) => change({ soft_bounce_limit: number })}
        />
        <TextField
          label={text.returnPath}
          hint={text.returnPathHint}
          isOptional
          value={typed.return_path ?? ""}
          error={problems["return_path"]}
          onChange={({ target }) => change({ return_path: target.value || null })}
        />
        <TextField
          label={text.forwardTo}
          hint={text.forwardToHint}
          isOptional
          type="email"
          value={typed.forward_to ?? ""}
          error={problems["forward_to"]}
          onChange={({ target }) => change({ forward_to: target.value || null })}
        />
        <fieldset className="flex flex-col gap-3">
          <legend className="font-semibold">{text.brakes}</legend>
          <p className="text-sm text-muted">{text.brakesHint}</p>
          {BRAKES.map((name) => (
            <NumberField
              key={name}
              label={text.brakeNames[name]}
              min={0}
              step="any"
              value={typed.brakes[name]}
              error={problems[`brakes.${name}`]}
              onChange={(number) => brake({ [name]: number })}
            />
          ))}
          <CheckField
            label={text.sampleFirst}
            hint={text.sampleFirstHint}
            checked={typed.brakes.sample_first}
            onChange={({ target }) => brake({ sample_first: target.checked })}
          />
        </fieldset>
      </SettingsForm>
    </Card>
  );
}
