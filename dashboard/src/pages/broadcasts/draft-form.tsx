import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorWords, problemsOf } from "../../ui/error-words.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { RoleNotice, useMayNot } from "../../ui/not-allowed.tsx";
import { showToast } from "../../ui/toast.tsx";
import { DraftAudience } from "./draft-audience.tsx";
import { DraftTrial, type TrialInput } from "./draft-trial.tsx";
import { templatesQuery } from "./queries.ts";
import type { Broadcast } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

interface DraftFormProps {
  draft: Broadcast;
  version: string;
}

/** The fields of a draft. Somebody else's change in the meantime is never overwritten. */
export function DraftForm({ draft, version }: DraftFormProps) {
  const text = useBroadcastsText();
  const shared = useSharedText();
  const { id: broadcastId, project_id: projectId } = draft;
  const mayNot = useMayNot("send:broadcast");
  const templates = useQuery(templatesQuery(projectId));
  const [typed, setTyped] = useState({
    name: draft.name ?? "",
    template_id: draft.template_id ?? "",
    subject: draft.own_subject ?? "",
    send_at: localInput(draft.send_at),
    time_zone: draft.time_zone ?? "",
    per_hour: draft.per_hour ?? 0,
    topic_id: draft.topic_id ?? "",
    segment_id: draft.segment_id ?? "",
    where: draft.where ?? "",
  });
  const [trial, setTrial] = useState(trialOf(draft));
  const change = (part: Partial<typeof typed>) => setTyped({ ...typed, ...part });
  const save = useMutation({
    mutationFn: () =>
      api.projects.broadcasts.update(
        {
          projectId,
          broadcastId,
          body: {
            ...typed,
            send_at: typed.send_at === "" ? "" : new Date(typed.send_at).toISOString(),
            ab: abOf(trial),
          },
        },
        { ifMatch: version },
      ),
    onSuccess: async () => {
      showToast(text.saved);
      await queryClient.invalidateQueries({ queryKey: ["project", projectId, "broadcasts"] });
    },
  });
  const problems = problemsOf(save.error);
  return (
    <Card
      title={text.draft}
      actions={
        <span className="flex gap-2">
          <Duplicate draft={draft} />
          <Removal draft={draft} version={version} />
        </span>
      }
    >
      <RoleNotice capability="send:broadcast" />
      <form
        className="grid gap-4 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <TextField
          label={text.name}
          value={typed.name}
          error={problems["name"]}
          onChange={({ target }) => change({ name: target.value })}
          required
        />
        <SelectField
          label={text.template}
          value={typed.template_id}
          onChange={({ target }) => change({ template_id: target.value })}
        >
          <option value="">{draft.html_body === null ? text.chooseTemplate : text.ownHtml}</option>
          {templates.data?.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </SelectField>
        <TextField
          label={text.subject}
          hint={text.subjectHint}
          isOptional
          value={typed.subject}
          error={problems["subject"]}
          onChange={({ target }) => change({ subject: target.value })}
        />
        <TextField
          label={text.sendAt}
          hint={text.sendAtHint}
          isOptional
          type="datetime-local"
          value={typed.send_at}
          error={problems["send_at"]}
          onChange={({ target }) => change({ send_at: target.value })}
        />
        <TextField
          label={text.timeZone}
          hint={text.timeZoneHint}
          isOptional
          placeholder="Europe/Berlin"
          value={typed.time_zone}
          error={problems["time_zone"]}
          onChange={({ target }) => change({ time_zone: target.value })}
        />
        <TextField
          label={text.perHour}
          hint={text.perHourHint}
          type="number"
          min={0}
          value={typed.per_hour}
          error={problems["per_hour"]}
          onChange={({ target }) => change({ per_hour: target.valueAsNumber || 0 })}
        />
        <DraftAudience audience={typed} problems={problems} onChange={change} />
        <DraftTrial trial={trial} onChange={setTrial} />
        <div className="flex flex-col gap-3 sm:col-span-2">
          {save.error && <ErrorWords error={save.error} />}
          <div>
            <Button type="submit" isBusy={save.isPending} offBecause={mayNot}>
              {shared.save}
            </Button>
          </div>
        </div>
      </form>
    </Card>
  );
}

function Duplicate({ draft: { id: broadcastId, project_id: projectId } }: { draft: Broadcast }) {
  const text = useBroadcastsText();
  const navigate = useNavigate();
  const mayNot = useMayNot("send:broadcast");
  const copy = useMutation({
    mutationFn: () => api.projects.broadcasts.duplicate({ projectId, broadcastId, body: {} }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: ["project", projectId, "broadcasts"] });
      showToast(text.duplicated);
      await navigate({
        to: "/p/$projectId/broadcasts/$broadcastId",
        params: { projectId, broadcastId: id },
      });
    },
    onError: ({ message }) => showToast(message),
  });
  return (
    <Button isBusy={copy.isPending} offBecause={mayNot} onClick={() => copy.mutate()}>
      {text.duplicate}
    </Button>
  );
}

/** Deletes a draft, and takes that back by saving its fields as a new one. */
function Removal({ draft, version }: DraftFormProps) {
  const text = useBroadcastsText();
  const shared = useSharedText();
  const { id: broadcastId, project_id: projectId } = draft;
  const navigate = useNavigate();
  const mayNot = useMayNot("send:broadcast");
  const refresh = () =>
    queryClient.invalidateQueries({ queryKey: ["project", projectId, "broadcasts", "list"] });
  const restore = async () => {
    await api.projects.broadcasts.create({ projectId, body: fieldsOf(draft) });
    await refresh();
  };
  const remove = useMutation({
    mutationFn: () =>
      api.projects.broadcasts.delete({ projectId, broadcastId }, { ifMatch: version }),
    onSuccess: async () => {
      await navigate({
        to: "/p/$projectId/broadcasts",
        params: { projectId },
        search: { tab: "drafts" },
      });
      showToast(text.deleted, () => void restore());
      await refresh();
    },
    onError: ({ message }) => showToast(message),
  });
  return (
    <Button
      look="danger"
      isBusy={remove.isPending}
      offBecause={mayNot}
      onClick={() => remove.mutate()}
    >
      {shared.delete}
    </Button>
  );
}

/** Returns the trial of a draft as the form holds it: its subjects. */
const trialOf = ({ ab }: Broadcast): TrialInput => ({
  subjects: ab?.variants.map(({ subject }) => subject ?? "") ?? [],
  share: ab?.share ?? 20,
  wait_hours: ab?.wait_hours ?? 4,
  by: ab?.by ?? "opens",
});

const abOf = ({ subjects, ...rest }: TrialInput) => ({
  ...rest,
  variants: subjects.map((subject) => ({ subject })),
});

/** Returns the fields of a draft for a new one. */
const fieldsOf = (draft: Broadcast) => ({
  name: draft.name || draft.id,
  ...(draft.template_id ? { template_id: draft.template_id } : {}),
  ...(draft.own_subject ? { subject: draft.own_subject } : {}),
  ...(draft.html_body ? { html_body: draft.html_body } : {}),
  ...(draft.text_body ? { text_body: draft.text_body } : {}),
  ...(draft.send_at ? { send_at: draft.send_at } : {}),
  ...(draft.topic_id ? { topic_id: draft.topic_id } : {}),
  ...(draft.segment_id ? { segment_id: draft.segment_id } : {}),
  ...(draft.where ? { where: draft.where } : {}),
  ...(draft.per_hour ? { per_hour: draft.per_hour } : {}),
  ...(draft.time_zone ? { time_zone: draft.time_zone } : {}),
  ...(draft.ab ? { ab: abOf(trialOf(draft)) } : {}),
  exclude_segment_ids: draft.exclude_segment_ids,
  variables: draft.variables,
});

/** Returns a time as the field shows it: in the reader's zone, to the minute. */
function localInput(at: string | null): string {
  if (at === null) return "";
  const date = new Date(at);
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, "2026-11-22T10:00".length);
}
