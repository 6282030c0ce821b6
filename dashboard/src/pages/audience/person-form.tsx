import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import type { Versioned } from "../../api/versioned.ts";
import { wordParam } from "../../lib/search-params.ts";
import { useIsHere } from "../../lib/use-is-here.ts";
import { withTyped } from "../../parts/fields/field-values.ts";
import { SettingsForm } from "../../parts/settings-edit/settings-form.tsx";
import { useSettingsEdit } from "../../parts/settings-edit/use-settings-edit.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { problemsOf } from "../../ui/error-words.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { showToast } from "../../ui/toast.tsx";
import { PersonFields, usePersonShapes } from "./person-fields.tsx";
import { personQuery, type Person } from "./person-query.ts";
import { STATUSES } from "./statuses.ts";
import { TagsField, tagsOf } from "./tags-field.tsx";
import { useAudienceText } from "./use-audience-text.ts";
import { useSavingRow } from "./use-saving-row.ts";

/** Edit form of a subscriber. */
export function PersonForm({ stored }: { stored: Versioned<Person> }) {
  const text = useAudienceText();
  const { value: person } = stored;
  const { id: subscriberId, project_id: projectId } = person;
  const mayNot = useMayNot("subscribers:write");
  const shapes = usePersonShapes(person.metadata);
  const edit = useSettingsEdit(stored, {
    queryKey: personQuery(projectId, subscriberId).queryKey,
    fieldsOf,
    put: async ({ tags, metadata: data, typed: texts, ...rest }, options, before) => {
      const metadata = withTyped(data, [...shapes.fields, ...shapes.others], texts);
      const body = { ...rest, tags: tagsOf(tags), metadata };
      const saved = await api.projects.subscribers.update(
        { projectId, subscriberId, body },
        options,
      );
      return { ...before, ...saved };
    },
  });
  const { fields: typed, change } = edit;
  const save = useSavingRow(["project", projectId, "subscribers"], edit.store);
  const problems = problemsOf(save.error);
  return (
    <Card title={text.known} actions={<Removal person={person} />}>
      <SettingsForm edit={edit} save={save} offBecause={mayNot} layout="grid gap-4 sm:grid-cols-2">
        <TextField
          label={text.email}
          type="email"
          value={typed.email}
          error={problems["email"]}
          onChange={({ target }) => change({ email: target.value })}
          required
        />
        <TextField
          label={text.name}
          isOptional
          value={typed.name}
          error={problems["name"]}
          onChange={({ target }) => change({ name: target.value })}
        />
        <SelectField
          label={text.status}
          value={typed.status}
          onChange={({ target }) =>
            change({ status: wordParam(target.value, STATUSES) ?? typed.status })
          }
        >
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {text.statuses[status]}
            </option>
          ))}
        </SelectField>
        <TagsField
          label={text.tags}
          value={typed.tags}
          error={problems["tags"]}
          onChange={(tags) => change({ tags })}
        />
        <PersonFields
          metadata={typed.metadata}
          shapes={shapes}
          typed={typed.typed}
          onChange={(texts) => change({ typed: texts })}
        />
      </SettingsForm>
    </Card>
  );
}

const fieldsOf = ({ email, name, status, tags, metadata }: Person) => ({
  email,
  name,
  status,
  tags: { tags, typed: "" },
  metadata,
  /** The edited texts of the metadata, by key. */
  typed: {} as Record<string, string>,
});

function Removal({ person }: { person: Person }) {
  const text = useAudienceText();
  const shared = useSharedText();
  const { id: subscriberId, project_id: projectId, email } = person;
  const navigate = useNavigate();
  const isHere = useIsHere();
  const mayNot = useMayNot("subscribers:write");
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: (signal: AbortSignal) =>
      api.projects.subscribers.delete({ projectId, subscriberId }, { signal }),
    onSuccess: async () => {
      showToast(text.deleted(email));
      if (isHere())
        await navigate({
          to: "/p/$projectId/audience",
          params: { projectId },
          ignoreBlocker: true,
        });
      await queryClient.invalidateQueries({ queryKey: ["project", projectId, "subscribers"] });
    },
  });
  return (
    <>
      <Button look="danger" offBecause={mayNot} onClick={() => setAsking(true)}>
        {shared.delete}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={remove.mutate}
        title={text.deleteTitle(email)}
        action={shared.delete}
        name={email}
        isBusy={remove.isPending}
        error={remove.error}
      >
        {text.deleteWords} {shared.cannotBeUndone}
      </ConfirmDialog>
    </>
  );
}
