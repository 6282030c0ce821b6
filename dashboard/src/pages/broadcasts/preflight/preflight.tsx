import { useQuery } from "@tanstack/react-query";
import { api } from "../../../api/client.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { ErrorWords } from "../../../ui/error-words.tsx";
import { useMayNot } from "../../../ui/not-allowed.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import type { Broadcast } from "../states.ts";
import { Findings } from "./findings.tsx";
import { SeenBy } from "./seen-by.tsx";
import { StartCard } from "./start-card.tsx";
import { TestMail } from "./test-mail.tsx";
import { usePreflightText } from "./use-preflight-text.ts";

interface PreflightProps {
  draft: Broadcast;
  version: string;
}

/**
 * The check of a draft, a test send, previews for three subscribers, and the start button. The
 * check runs when the page opens, and again for each new version of the draft, because problems are
 * often fixed on another page.
 */
export function Preflight({ draft, version }: PreflightProps) {
  const text = usePreflightText();
  const { id: broadcastId, project_id: projectId } = draft;
  const mayNot = useMayNot("send:broadcast");
  const check = useQuery({
    queryKey: ["project", projectId, "preflight", broadcastId, version],
    queryFn: ({ signal }) =>
      api.projects.broadcasts.preflight({ projectId, broadcastId }, { signal }),
    enabled: mayNot === undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const isCurrent = !check.isFetching && !check.error;
  return (
    <>
      <Card
        title={text.check}
        actions={
          <Button
            isBusy={check.isFetching}
            offBecause={mayNot}
            onClick={() => void check.refetch()}
          >
            {text.recheck}
          </Button>
        }
      >
        {check.isLoading && <Skeleton lines={6} />}
        {check.error && <ErrorWords error={check.error} />}
        {check.data && <Findings draft={draft} found={check.data} />}
      </Card>
      <TestMail draft={draft} />
      <SeenBy draft={draft} />
      <StartCard draft={draft} version={version} found={isCurrent ? check.data : undefined} />
    </>
  );
}
