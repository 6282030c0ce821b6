import { topicQuery, topicsQuery, type Topic } from "../../api/audience.ts";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { NOT_STORED, type Versioned } from "../../api/versioned.ts";
import { SettingsForm } from "../../parts/settings-edit/settings-form.tsx";
import { useSettingsEdit } from "../../parts/settings-edit/use-settings-edit.ts";
import { problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { useAudienceText } from "./use-audience-text.ts";
import { useSavingRow } from "./use-saving-row.ts";

interface TopicFormProps {
  /** Undefined for a new topic. */
  stored: Versioned<Topic | undefined> | undefined;
  onDone: () => void;
}

/** Name and description of a topic, as subscribers see them. */
export function TopicForm({ stored = NOT_STORED, onDone }: TopicFormProps) {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const edit = useSettingsEdit<Topic | undefined, { name: string; description: string }>(stored, {
    queryKey: topicQuery(projectId, stored.value?.id ?? "new").queryKey,
    fieldsOf: (topic) => ({ name: topic?.name ?? "", description: topic?.description ?? "" }),
    put: (body, options, topic) =>
      topic
        ? api.projects.topics.update({ projectId, topicId: topic.id, body }, options)
        : api.projects.topics.create({ projectId, body }),
  });
  const save = useSavingRow(topicsQuery(projectId).queryKey, edit.store, onDone);
  return (
    <SettingsForm edit={edit} save={save}>
      <TextField
        label={text.name}
        hint={text.topicNameHint}
        value={edit.fields.name}
        error={problemsOf(save.error)["name"]}
        onChange={({ target }) => edit.change({ name: target.value })}
        required
        autoFocus
      />
      <TextField
        label={text.description}
        hint={text.topicDescriptionHint}
        isOptional
        value={edit.fields.description}
        onChange={({ target }) => edit.change({ description: target.value })}
      />
    </SettingsForm>
  );
}
