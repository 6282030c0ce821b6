import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Client } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { jsonObject } from "../../lib/json-object.ts";
import { wordParam } from "../../lib/search-params.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { problemsOf } from "../../ui/error-words.tsx";
import { SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { showToast } from "../../ui/toast.tsx";
import { STATUSES, type Person, type Status } from "./statuses.ts";
import { TagsField, tagsOf, type TypedTags } from "./tags-field.tsx";
import { useAudienceText } from "./use-audience-text.ts";
import { useSavingRow } from "./use-saving-row.ts";

/** The fields of a person as they stand in the form. */
interface Fields {
  email: string;
  name: string;
  status: Status;
  tags: TypedTags;
  metadata: string;
}

type Changes = NonNullable<
  NonNullable<Parameters<Client["projects"]["subscribers"]["update"]>[0]>["body"]
>;

/**
 * The facts about a person, to change. A newer state of the person replaces the fields that nobody
 * has edited, and only edited ones are saved: somebody who left meanwhile stays unsubscribed.
 */
export function PersonForm({ person }: { person: Person }) {
  const text = useAudienceText();
  const shared = useSharedText();
  const { id: subscriberId, project_id: projectId } = person;
  const mayNot = useMayNot("subscribers:write");
  const [edits, setEdits] = useState<Partial<Fields>>({});
  const known = fieldsOf(person);
  const typed = { ...known, ...edits };
  const change = (part: Partial<Fields>) => setEdits((now) => ({ ...now, ...part }));
  const metadata = jsonObject(typed.metadata);
  const save = useSavingRow(["project", projectId, "subscribers"], async () => {
    const body = changesOf(person, typed, metadata);
    if (Object.keys(body).length > 0) {
      const saved = await api.projects.subscribers.update({ projectId, subscriberId, body });
      const key = ["project", projectId, "subscribers", "one", subscriberId];
      queryClient.setQueryData<Person>(key, (now) => now && { ...now, ...saved });
    }
    // what is typed meanwhile stays
    setEdits((now) => unlike(now, edits));
  });
  const problems = problemsOf(save.error);
  return (
    <Card title={text.known} actions={<Removal person={person} />}>
      <Form
        of={save}
        onSubmit={() => metadata && save.mutate()}
        action={shared.save}
        offBecause={mayNot}
        layout="grid gap-4 sm:grid-cols-2"
      >
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
        <TextArea
          className="sm:col-span-2"
          label={text.metadata}
          hint={text.metadataHint}
          rows={5}
          spellCheck={false}
          value={typed.metadata}
          error={metadata ? problems["metadata"] : text.metadataFault}
          onChange={({ target }) => change({ metadata: target.value })}
        />
      </Form>
    </Card>
  );
}

const fieldsOf = ({ email, name, status, tags, metadata }: Person): Fields => ({
  email,
  name,
  status,
  tags: { tags, typed: "" },
  metadata: JSON.stringify(metadata, null, 2),
});

/** Returns the fields that differ from what is known of the person. */
function changesOf(person: Person, typed: Fields, metadata: Changes["metadata"]): Changes {
  const tags = tagsOf(typed.tags);
  return {
    ...(typed.email !== person.email && { email: typed.email }),
    ...(typed.name !== person.name && { name: typed.name }),
    ...(typed.status !== person.status && { status: typed.status }),
    ...(tags.join() !== person.tags.join() && { tags }),
    ...(typed.metadata !== fieldsOf(person).metadata && metadata && { metadata }),
  };
}

/** Returns the edits that are not those of another state. */
const unlike = (edits: Partial<Fields>, other: Partial<Fields>): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(edits).filter(([name, value]) => other[name as keyof Fields] !== value),
  );

function Removal({ person }: { person: Person }) {
  const text = useAudienceText();
  const shared = useSharedText();
  const { id: subscriberId, project_id: projectId, email } = person;
  const navigate = useNavigate();
  const mayNot = useMayNot("subscribers:write");
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.projects.subscribers.delete({ projectId, subscriberId }),
    onSuccess: async () => {
      showToast(text.deleted(email));
      await navigate({ to: "/p/$projectId/audience", params: { projectId } });
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
        onConfirm={() => remove.mutate()}
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
