import { topicQuery, topicsQuery, type Topic } from "../../api/audience.ts";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { NOT_STORED, type Versioned } from "../../api/versioned.ts";
import { SettingsForm } from "../../parts/settings-edit/settings-form.tsx";
import { useSettingsEdit } from "../../parts/settings-edit/use-settings-edit.ts";
import { problemsOf } from "../../ui/error-words.tsx";
import { LINK } from "../../ui/button.tsx";
import { CheckField, TextField } from "../../ui/field.tsx";
import { useAudienceText } from "./use-audience-text.ts";
import { useSavingRow } from "./use-saving-row.ts";

interface TopicFormProps {
  /** Undefined for a new topic. */
  stored: Versioned<Topic | undefined> | undefined;
  onDone: () => void;
  /** Called with a topic that has just become a default. */
  onDefault: (topic: Topic) => void;
}

type TopicFields = Pick<
  Topic,
  "name" | "description" | "is_default" | "visibility" | "public_archive"
>;

/** Name and description of a topic, as subscribers see them. */
export function TopicForm({ stored = NOT_STORED, onDone, onDefault }: TopicFormProps) {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const edit = useSettingsEdit<Topic | undefined, TopicFields>(stored, {
    queryKey: topicQuery(projectId, stored.value?.id ?? "new").queryKey,
    fieldsOf: (topic) => ({
      name: topic?.name ?? "",
      description: topic?.description ?? "",
      is_default: topic?.is_default ?? false,
      visibility: topic?.visibility ?? "public",
      public_archive: topic?.public_archive ?? false,
    }),
    put: async (body, options, topic) => {
      const saved = await (topic
        ? api.projects.topics.update({ projectId, topicId: topic.id, body }, options)
        : api.projects.topics.create({ projectId, body }));
      if (saved.is_default && !topic?.is_default) onDefault(saved);
      return saved;
    },
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
      <CheckField
        label={text.isDefault}
        hint={text.isDefaultHint}
        checked={edit.fields.is_default}
        onChange={({ target }) => edit.change({ is_default: target.checked })}
      />
      <CheckField
        label={text.isPrivate}
        hint={text.isPrivateHint}
        checked={edit.fields.visibility === "private"}
        onChange={({ target }) =>
          edit.change({ visibility: target.checked ? "private" : "public" })
        }
      />
      <CheckField
        label={text.publicArchive}
        hint={
          <>
            {text.publicArchiveHint}{" "}
            {stored.value?.public_archive && (
              <a href={`/archive/${projectId}`} target="_blank" rel="noreferrer" className={LINK}>
                {text.openArchive}
              </a>
            )}
          </>
        }
        checked={edit.fields.public_archive}
        onChange={({ target }) => edit.change({ public_archive: target.checked })}
      />
    </SettingsForm>
  );
}
