import { useQuery } from "@tanstack/react-query";
import { topicsQuery, type Topic } from "../../api/audience.ts";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { useAudienceText } from "./use-audience-text.ts";
import { useBulkChange } from "./use-bulk-change.ts";

interface TopicForEveryoneProps {
  topic: Topic;
  onClose: () => void;
}

/** Offers to give a topic to all active subscribers who do not have it. */
export function TopicForEveryone({ topic: { id, name }, onClose }: TopicForEveryoneProps) {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("subscribers:write");
  const where = `status:active and not topic:${id}`;
  const { data } = useQuery({
    queryKey: ["project", projectId, "subscribers", "lacking", id],
    queryFn: ({ signal }) =>
      api.projects.segments.preview({ projectId, body: { where } }, { signal }),
  });
  const change = useBulkChange(() => {
    onClose();
    void queryClient.invalidateQueries({ queryKey: topicsQuery(projectId).queryKey });
  });
  const give = (signal: AbortSignal) =>
    change.mutate({
      what: { action: "set_topics", topics: { [id]: "subscribed" } },
      who: { filter: { where } },
      signal,
    });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      onConfirm={give}
      title={text.giveTitle(name)}
      action={data && !data.more ? text.givePeople(data.count) : text.give}
      look="primary"
      cancel={text.notNow}
      isBusy={change.isPending || data === undefined || mayNot !== undefined}
      error={change.error}
    >
      {data && `${text.lacking(data.count, data.more)} ${text.giveWords}`}
    </ConfirmDialog>
  );
}
