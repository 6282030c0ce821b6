import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Client } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Card } from "../../ui/card.tsx";
import { CheckField, SelectField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { RoleNotice, useMayNot } from "../../ui/not-allowed.tsx";
import { BounceMailbox } from "./bounce-mailbox.tsx";
import { BounceUrl } from "./bounce-url.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { useSaving } from "./use-saving.ts";
import { useSettingsText } from "./use-settings-text.ts";

type BounceSettings = Awaited<ReturnType<Client["projects"]["bounceSettings"]["get"]>>;

/** Where bounces come from, what they do, and when a broadcast stops because of them. */
export function BouncesPage() {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const settings = useQuery({
    queryKey: ["project", projectId, "bounce-settings"],
    queryFn: ({ signal }) => api.projects.bounceSettings.get({ projectId }, { signal }),
  });
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

function Rules({ settings }: { settings: BounceSettings }) {
  const text = useSettingsText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("projects:write");
  const [typed, setTyped] = useState(settings);
  const change = (part: Partial<BounceSettings>) => setTyped({ ...typed, ...part });
  const brake = (part: Partial<BounceSettings["brakes"]>) =>
    change({ brakes: { ...typed.brakes, ...part } });
  const save = useSaving(["project", projectId, "bounce-settings"], async () => {
    const { return_path, forward_to, ...rest } = typed;
    const named = { return_path: return_path ?? "", forward_to: forward_to ?? "" };
    const body = { ...rest, ...named };
    setTyped(await api.projects.bounceSettings.save({ projectId, body }));
  });
  return (
    <Card title={text.rules}>
      <Form of={save} onSubmit={() => save.mutate()} action={shared.save} offBecause={mayNot}>
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
        <TextField
          label={text.softLimit}
          hint={text.softLimitHint}
          type="number"
          min={0}
          value={typed.soft_bounce_limit}
          onChange={({ target }) => change({ soft_bounce_limit: target.valueAsNumber || 0 })}
        />
        <TextField
          label={text.returnPath}
          hint={text.returnPathHint}
          isOptional
          value={typed.return_path ?? ""}
          onChange={({ target }) => change({ return_path: target.value || null })}
        />
        <TextField
          label={text.forwardTo}
          hint={text.forwardToHint}
          isOptional
          type="email"
          value={typed.forward_to ?? ""}
          onChange={({ target }) => change({ forward_to: target.value || null })}
        />
        <fieldset className="flex flex-col gap-3">
          <legend className="font-semibold">{text.brakes}</legend>
          <p className="text-sm text-muted">{text.brakesHint}</p>
          {BRAKES.map((name) => (
            <TextField
              key={name}
              label={text.brakeNames[name]}
              type="number"
              min={0}
              step="any"
              value={typed.brakes[name]}
              onChange={({ target }) => brake({ [name]: target.valueAsNumber || 0 })}
            />
          ))}
          <CheckField
            label={text.sampleFirst}
            hint={text.sampleFirstHint}
            checked={typed.brakes.sample_first}
            onChange={({ target }) => brake({ sample_first: target.checked })}
          />
        </fieldset>
      </Form>
    </Card>
  );
}
