import { useState } from "react";
import { topicsQuery, type Topic } from "../../api/audience.ts";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { useAudienceText } from "./use-audience-text.ts";
import { useSavingRow } from "./use-saving-row.ts";

/** The name of a topic and its description, as readers see them. */
export function TopicForm({ topic, onDone }: { topic: Topic | undefined; onDone: () => void }) {
  const text = useAudienceText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const [name, setName] = useState(topic?.name ?? "");
  const [description, setDescription] = useState(topic?.description ?? "");
  const body = { name, description };
  const save = useSavingRow(
    topicsQuery(projectId).queryKey,
    () =>
      topic
        ? api.projects.topics.update({ projectId, topicId: topic.id, body })
        : api.projects.topics.create({ projectId, body }),
    onDone,
  );
  return (
    <Form of={save} onSubmit={() => save.mutate()} action={shared.save}>
      <TextField
        label={text.name}
        hint={text.topicNameHint}
        value={name}
        error={problemsOf(save.error)["name"]}
        onChange={({ target }) => setName(target.value)}
        required
        autoFocus
      />
      <TextField
        label={text.description}
        hint={text.topicDescriptionHint}
        isOptional
        value={description}
        onChange={({ target }) => setDescription(target.value)}
      />
    </Form>
  );
}
