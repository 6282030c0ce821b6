import { useQuery } from "@tanstack/react-query";
import { api, type Api } from "../../../api/client.ts";
import { useProject } from "../../../api/projects.ts";
import type { Versioned } from "../../../api/versioned.ts";
import { SettingsForm } from "../../../parts/settings-edit/settings-form.tsx";
import { useSettingsEdit } from "../../../parts/settings-edit/use-settings-edit.ts";
import { LinkButton } from "../../../ui/button.tsx";
import { problemsOf } from "../../../ui/error-words.tsx";
import { FieldGroup } from "../../../ui/field-group.tsx";
import { CheckField, SelectField } from "../../../ui/field.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { RoleNotice, useMayNot } from "../../../ui/not-allowed.tsx";
import { NumberField } from "../../../ui/number-field.tsx";
import { bounceSettingsQuery } from "./bounce-queries.ts";
import { BounceWays } from "./bounce-ways.tsx";
import { SettingsFrame } from "../settings-frame.tsx";
import { useSaving } from "../use-saving.ts";
import { useSettingsText } from "../use-settings-text.ts";
import { useBouncesText } from "./use-bounces-text.ts";

type BounceSettings = Api.BounceSettings;

/** What happens to addresses that bounce, how bounces arrive, and, folded, their rules. */
export function BouncesPage() {
  const text = useBouncesText();
  const { bounces: title } = useSettingsText();
  const { id: projectId } = useProject();
  const settings = useQuery(bounceSettingsQuery(projectId));
  return (
    <SettingsFrame
      title={title}
      lead={text.bouncesLead}
      actions={
        <LinkButton to="/p/$projectId/suppressions" params={{ projectId }}>
          {text.suppressedAddresses}
        </LinkButton>
      }
    >
      <RoleNotice capability="projects:write" />
      <BounceWays />
      <details className="section">
        <summary className="text-lg font-semibold">{text.advanced}</summary>
        <div className="section-body mt-4">
          <Loaded query={settings} lines={8}>
            {(data) => <Rules key={projectId} settings={data} />}
          </Loaded>
        </div>
      </details>
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
  const text = useBouncesText();
  const { noLimit } = useSettingsText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("projects:write");
  const { queryKey } = bounceSettingsQuery(projectId);
  const edit = useSettingsEdit(settings, {
    queryKey,
    // another form edits the return path
    fieldsOf: ({ return_path: _path, forward_to: _address, ...rest }) => rest,
    put: (body, options) => api.projects.bounceSettings.save({ projectId, body }, options),
  });
  const { fields: typed, change } = edit;
  const brake = (part: Partial<BounceSettings["brakes"]>) =>
    change({ brakes: { ...typed.brakes, ...part } });
  const save = useSaving(queryKey, edit.store);
  const problems = problemsOf(save.error);
  return (
    <SettingsForm edit={edit} save={save} offBecause={mayNot}>
      <FieldGroup title={text.rules}>
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
          none={text.neverSuppress}
          value={typed.soft_bounce_limit}
          error={problems["soft_bounce_limit"]}
          onChange={(number) => change({ soft_bounce_limit: number })}
        />
      </FieldGroup>
      <FieldGroup title={text.brakes} hint={text.brakesHint}>
        {BRAKES.map((name) => (
          <NumberField
            key={name}
            label={text.brakeNames[name]}
            none={noLimit}
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
      </FieldGroup>
    </SettingsForm>
  );
}
