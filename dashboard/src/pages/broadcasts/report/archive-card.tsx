import { useMutation, useQuery } from "@tanstack/react-query";
import { api } from "../../../api/client.ts";
import { queryClient } from "../../../api/query-client.ts";
import { LINK } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { ErrorWords } from "../../../ui/error-words.tsx";
import { CheckField } from "../../../ui/field.tsx";
import { useMayNot } from "../../../ui/not-allowed.tsx";
import type { Broadcast } from "../states.ts";
import { useReportText } from "./use-report-text.ts";

/** Shows a broadcast to a topic with an archive in it, or takes it out. */
export function ArchiveCard({ broadcast }: { broadcast: Broadcast }) {
  const text = useReportText();
  const { id: broadcastId, project_id: projectId, state } = broadcast;
  const mayNot = useMayNot("send:broadcast");
  const queryKey = ["project", projectId, "broadcasts", broadcastId, "archive", state];
  const place = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      api.projects.broadcasts.archive({ projectId, broadcastId }, { signal }),
    enabled: broadcast.topic_id !== null && state === "done",
  });
  const change = useMutation({
    mutationFn: (in_archive: boolean) =>
      api.projects.broadcasts.setInArchive({ projectId, broadcastId, body: { in_archive } }),
    onSuccess: (stored) => queryClient.setQueryData(queryKey, stored),
  });
  if (!place.data?.has_archive) return null;
  const { url } = place.data;
  return (
    <Card title={text.archive}>
      <CheckField
        label={text.inArchive}
        hint={mayNot ?? text.inArchiveHint}
        checked={url !== null}
        disabled={mayNot !== undefined || change.isPending}
        onChange={({ target }) => change.mutate(target.checked)}
      />
      {change.error && <ErrorWords error={change.error} />}
      {url !== null && (
        <p className="mt-2 text-sm break-words">
          <a href={url} target="_blank" rel="noreferrer" className={LINK}>
            {url}
          </a>
        </p>
      )}
    </Card>
  );
}
