import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { formatDayTime, formatRelative } from "../../lib/format.ts";
import { useIsHere } from "../../lib/use-is-here.ts";
import { useNow } from "../../lib/use-now.ts";
import { momentOf, readersZone, wallClockOf } from "../../lib/wall-clock.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { showToast } from "../../ui/toast.tsx";
import { lastSearch } from "./last-search.ts";
import type { MailTimeline } from "./mail-timeline.ts";
import { useLogText } from "./use-log-text.ts";

/** The time of a scheduled mail, which can still be changed, and its cancellation. */
export function ScheduledCard({ mail }: { mail: MailTimeline }) {
  const { id: logId, project_id: projectId, sent_at: dueAt } = mail;
  const text = useLogText();
  const now = useNow();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const mayNot = useMayNot("send:transactional");
  const [clock, setClock] = useState(() => wallClockOf(dueAt, readersZone()));
  const [isCanceling, setCanceling] = useState(false);
  const move = useMutation({
    mutationFn: () =>
      api.projects.logs.reschedule({
        projectId,
        logId,
        body: { scheduled_at: momentOf(clock, readersZone()) },
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["project", projectId, "mail", logId] });
      showToast(text.moved);
    },
  });
  const cancel = useMutation({
    mutationFn: (signal: AbortSignal) => api.projects.logs.cancel({ projectId, logId }, { signal }),
    onSuccess: async () => {
      showToast(text.canceled);
      if (isHere())
        await navigate({
          to: "/p/$projectId/log",
          params: { projectId },
          search: lastSearch(projectId),
        });
      await queryClient.invalidateQueries({ queryKey: ["project", projectId, "logs"] });
    },
  });
  return (
    <Card title={text.scheduled}>
      <p className="mb-3" role="status">
        {text.dueAt(formatRelative(dueAt, now), formatDayTime(dueAt))}
      </p>
      <Form
        of={move}
        onSubmit={() => move.mutate()}
        action={text.move}
        offBecause={mayNot}
        look="plain"
        more={
          <Button offBecause={mayNot} onClick={() => setCanceling(true)}>
            {text.cancelMail}
          </Button>
        }
      >
        <TextField
          label={text.sendAt}
          hint={text.sendAtHint(readersZone())}
          type="datetime-local"
          value={clock}
          onChange={({ target }) => setClock(target.value)}
          required
        />
      </Form>
      <ConfirmDialog
        isOpen={isCanceling}
        onClose={() => setCanceling(false)}
        onConfirm={cancel.mutate}
        title={text.cancelTitle}
        action={text.cancelMail}
        isBusy={cancel.isPending}
        error={cancel.error}
      >
        {text.cancelWords}
      </ConfirmDialog>
    </Card>
  );
}
