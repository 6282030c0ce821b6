import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { topicsQuery, type Topic } from "../../api/audience.ts";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorWords, problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Table } from "../../ui/table.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useAudienceText } from "./use-audience-text.ts";

/** The streams of mail that people can join and leave one by one. */
export function TopicsPage() {
  const text = useAudienceText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("subscribers:write");
  const [editing, setEditing] = useState<Topic | "new">();
  const [removing, setRemoving] = useState<Topic>();
  const topics = useQuery(topicsQuery(projectId));
  const remove = useMutation({
    mutationFn: ({ id: topicId }: Topic) => api.projects.topics.delete({ projectId, topicId }),
    onSuccess: async (_, { name }) => {
      setRemoving(undefined);
      showToast(text.deleted(name));
      await queryClient.invalidateQueries({ queryKey: topicsQuery(projectId).queryKey });
    },
  });
  const rows = topics.data?.topics ?? [];
  return (
    <Page
      title={text.topics}
      lead={text.topicsLead}
      actions={
        <>
          <LinkButton to="/p/$projectId/audience" params={{ projectId }}>
            {text.back}
          </LinkButton>
          <Button look="primary" offBecause={mayNot} onClick={() => setEditing("new")}>
            {text.newTopic}
          </Button>
        </>
      }
    >
      {topics.isPending && <Skeleton lines={4} />}
      {topics.error && <ErrorWords error={topics.error} onRetry={() => void topics.refetch()} />}
      {topics.data && rows.length === 0 && (
        <EmptyState title={text.noTopics}>{text.noTopicsWords}</EmptyState>
      )}
      {rows.length > 0 && (
        <Table
          label={text.topics}
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { key: "name", head: text.name, cell: ({ name }) => name },
            {
              key: "description",
              head: text.description,
              isMinor: true,
              cell: ({ description }) => description,
            },
            {
              key: "acts",
              head: <span className="sr-only">{text.change}</span>,
              cell: (topic) => (
                <span className="flex gap-1">
                  <Button
                    look="quiet"
                    offBecause={mayNot}
                    aria-label={`${text.change}: ${topic.name}`}
                    onClick={() => setEditing(topic)}
                  >
                    {text.change}
                  </Button>
                  <Button
                    look="quiet"
                    offBecause={mayNot}
                    aria-label={`${shared.delete}: ${topic.name}`}
                    onClick={() => setRemoving(topic)}
                  >
                    {shared.delete}
                  </Button>
                </span>
              ),
            },
          ]}
        />
      )}
      <Dialog
        isOpen={editing !== undefined}
        onClose={() => setEditing(undefined)}
        title={editing === "new" ? text.newTopic : text.change}
      >
        <TopicForm
          topic={editing === "new" ? undefined : editing}
          onDone={() => setEditing(undefined)}
        />
      </Dialog>
      <ConfirmDialog
        isOpen={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        onConfirm={() => removing && remove.mutate(removing)}
        title={text.deleteTitle(removing?.name ?? "")}
        action={shared.delete}
        name={removing?.name ?? ""}
        isBusy={remove.isPending}
        error={remove.error}
      >
        {text.deleteTopicWords}
      </ConfirmDialog>
    </Page>
  );
}

function TopicForm({ topic, onDone }: { topic: Topic | undefined; onDone: () => void }) {
  const text = useAudienceText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const [name, setName] = useState(topic?.name ?? "");
  const [description, setDescription] = useState(topic?.description ?? "");
  const save = useMutation({
    mutationFn: () => {
      const body = { name, description };
      return topic
        ? api.projects.topics.update({ projectId, topicId: topic.id, body })
        : api.projects.topics.create({ projectId, body });
    },
    onSuccess: async () => {
      showToast(text.saved);
      onDone();
      await queryClient.invalidateQueries({ queryKey: topicsQuery(projectId).queryKey });
    },
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
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
      {save.error && <ErrorWords error={save.error} />}
      <Button type="submit" look="primary" isBusy={save.isPending}>
        {shared.save}
      </Button>
    </form>
  );
}
