import { useMutation, useQuery } from "@tanstack/react-query";
import { api, type Api } from "../../api/client.ts";
import { formatDayTime, formatRelative } from "../../lib/format.ts";
import { useNow } from "../../lib/use-now.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { AudienceCount } from "./audience-count.tsx";
import { AudienceNames } from "./audience-names.tsx";
import { MailPicture } from "./mail-picture.tsx";
import { StateBadge } from "./state-badge.tsx";
import { variablesOfMail, type Broadcast } from "./states.ts";
import { undoStart } from "./undo-start.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";
import { useMailPreview } from "./use-mail-preview.ts";
import { WaitingLine } from "./waiting-line.tsx";

/** A scheduled broadcast with its mail, people and time, which can still be unscheduled. */
export function ScheduledPage({ broadcast }: { broadcast: Broadcast }) {
  const text = useBroadcastsText();
  const shared = useSharedText();
  const { id, project_id: projectId, state, starts_at } = broadcast;
  const now = useNow();
  const mayNot = useMayNot("send:broadcast");
  const undo = useMutation({ mutationFn: () => undoStart(projectId, id, shared) });
  return (
    <>
      <Card title={<StateBadge state={state} />}>
        <div className="flex flex-col gap-3">
          {starts_at && (
            <p role="status">
              {text.startsAt(formatRelative(starts_at, now), formatDayTime(starts_at))}{" "}
              {broadcast.time_zone !== null && text.byTheirClocks}
            </p>
          )}
          {broadcast.waiting_for && <WaitingLine broadcast={broadcast} />}
          <div>
            <Button
              look="primary"
              isBusy={undo.isPending}
              offBecause={mayNot}
              onClick={() => undo.mutate()}
            >
              {text.backToDraft}
            </Button>
          </div>
        </div>
      </Card>
      <Card title={text.audience}>
        <p className="mb-3">
          <AudienceNames broadcast={broadcast} />
        </p>
        <AudienceCount broadcastId={id} audience={broadcast} />
      </Card>
      <Mail broadcast={broadcast} />
    </>
  );
}

/** The mail as its start fixed it. */
function Mail({ broadcast }: { broadcast: Broadcast }) {
  const text = useBroadcastsText();
  const { id: broadcastId, project_id: projectId, updated_at } = broadcast;
  const content = useQuery({
    queryKey: ["project", projectId, "broadcasts", broadcastId, "content", updated_at],
    queryFn: ({ signal }) =>
      api.projects.broadcasts.content({ projectId, broadcastId }, { signal }),
  });
  return (
    <Card title={text.mail}>
      <Loaded query={content} lines={8}>
        {(mail) => <FixedMail broadcast={broadcast} mail={mail} />}
      </Loaded>
    </Card>
  );
}

function FixedMail({ broadcast, mail }: { broadcast: Broadcast; mail: Api.BroadcastContent }) {
  const { ab, from_name } = broadcast;
  return (
    <MailPicture
      state={useMailPreview(mail, { broadcast: variablesOfMail(broadcast) })}
      fromName={ab?.variants[0]?.from_name ?? from_name ?? ""}
    />
  );
}
