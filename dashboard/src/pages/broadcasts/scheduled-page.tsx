import { useMutation } from "@tanstack/react-query";
import { formatExact, formatRelative } from "../../lib/format.ts";
import { useNow } from "../../lib/use-now.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { StateBadge } from "./state-badge.tsx";
import type { Broadcast } from "./states.ts";
import { undoStart } from "./undo-start.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";
import { WaitingLine } from "./waiting-line.tsx";

/** A scheduled broadcast, which can still be unscheduled. */
export function ScheduledPage({ broadcast }: { broadcast: Broadcast }) {
  const text = useBroadcastsText();
  const shared = useSharedText();
  const { id, project_id: projectId, state, starts_at } = broadcast;
  const now = useNow();
  const mayNot = useMayNot("send:broadcast");
  const undo = useMutation({ mutationFn: () => undoStart(projectId, id, shared) });
  return (
    <Card title={<StateBadge state={state} />}>
      {starts_at && (
        <p className="mb-3" role="status">
          {text.startsAt(formatRelative(starts_at, now), formatExact(starts_at))}
        </p>
      )}
      {broadcast.waiting_for && (
        <div className="mb-3">
          <WaitingLine broadcast={broadcast} />
        </div>
      )}
      <Button
        look="primary"
        isBusy={undo.isPending}
        offBecause={mayNot}
        onClick={() => undo.mutate()}
      >
        {text.backToDraft}
      </Button>
    </Card>
  );
}
