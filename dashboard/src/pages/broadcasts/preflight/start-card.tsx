import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../api/client.ts";
import { useProject } from "../../../api/projects.ts";
import { queryClient } from "../../../api/query-client.ts";
import { formatDayTime, formatExact, formatNumber, formatRelative } from "../../../lib/format.ts";
import { useSharedText } from "../../../text/shared/use-shared-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { ErrorWords } from "../../../ui/error-words.tsx";
import { CheckField } from "../../../ui/field.tsx";
import { useMayNot } from "../../../ui/not-allowed.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { AudienceNames } from "../audience-names.tsx";
import type { Broadcast } from "../states.ts";
import { undoStart } from "../undo-start.ts";
import { useBroadcastsText } from "../use-broadcasts-text.ts";
import type { Found } from "./found.ts";
import { usePreflightText } from "./use-preflight-text.ts";

/** A start later than this was scheduled, rather than delayed only by the undo period. */
const SOON_MS = 20_000;

interface StartCardProps {
  draft: Broadcast;
  version: string;
  /** The latest check; undefined if there is no valid one. */
  found: Found | undefined;
}

/** Whom a broadcast goes to, its estimated duration, and its start, which can be undone. */
export function StartCard({ draft, version, found }: StartCardProps) {
  const text = usePreflightText();
  const shared = useSharedText();
  const { startsAt, byTheirClocks } = useBroadcastsText();
  const { id: broadcastId, project_id: projectId, send_at, time_zone } = draft;
  const mayNot = useMayNot("send:broadcast");
  const stops = (found?.problems ?? []).filter(({ grade }) => grade === "stop");
  const [accepted, setAccepted] = useState<Found>();
  const isAccepted = stops.length === 0 || accepted === found;
  const isLater = send_at !== null;
  const { from_email, from_name } = useProject();
  const fromName = draft.ab?.variants[0]?.from_name ?? draft.from_name ?? from_name;
  const start = useMutation({
    mutationFn: () => {
      const accept = stops.map(({ code }) => code);
      const args = { projectId, broadcastId, body: { accept } };
      return api.projects.broadcasts.startDraft(args, { ifMatch: version });
    },
    onSuccess: ({ starts_at }) => {
      const isFar = isLater && starts_at !== null && Date.parse(starts_at) - Date.now() > SOON_MS;
      const said = isFar
        ? startsAt(formatRelative(starts_at, Date.now()), formatExact(starts_at))
        : text.started;
      showToast(said, () => void undoStart(projectId, broadcastId, shared));
    },
    // also after an error: another user may have changed or started the draft
    onSettled: () =>
      queryClient.invalidateQueries({ queryKey: ["project", projectId, "broadcasts"] }),
  });
  return (
    <Card title={text.start}>
      <div className="flex flex-col gap-3">
        <p className="font-medium break-words">
          {!draft.resend && (
            <>
              <AudienceNames broadcast={draft} /> ·{" "}
            </>
          )}
          {text.from(fromName ? `${fromName} <${from_email ?? ""}>` : (from_email ?? ""))}
          {!isLater && ` · ${text.now}`}
        </p>
        {isLater && (
          <p>
            {text.planned(formatDayTime(send_at))} {time_zone !== null && byTheirClocks}
          </p>
        )}
        {found && (
          <p className="text-sm text-muted">
            {text.expected(formatNumber(Math.max(1, Math.round(found.expected.seconds / 60))))}{" "}
            {!isLater && text.undoLater}
          </p>
        )}
        {stops.length > 0 && (
          <CheckField
            label={text.accept}
            hint={text.acceptHint}
            checked={isAccepted}
            onChange={({ target }) => setAccepted(target.checked ? found : undefined)}
          />
        )}
        {start.error && <ErrorWords error={start.error} />}
        <div>
          <Button
            look="primary"
            isBusy={start.isPending}
            offBecause={
              mayNot ??
              (found ? undefined : text.checkFirst) ??
              (isAccepted ? undefined : text.acceptFirst)
            }
            onClick={() => start.mutate()}
          >
            {isLater
              ? text.schedule
              : found
                ? text.sendNowTo(found.recipients.total)
                : text.sendNow}
          </Button>
        </div>
      </div>
    </Card>
  );
}
