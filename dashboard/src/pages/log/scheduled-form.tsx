import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { formatDayTime, formatRelative } from "../../lib/format.ts";
import { useNow } from "../../lib/use-now.ts";
import { momentOf, readersZone, wallClockOf } from "../../lib/wall-clock.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { DateField } from "../../parts/date-field/date-field.tsx";
import { Form } from "../../ui/form.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useLogText } from "./use-log-text.ts";

interface ScheduledFormProps extends Pick<Api.Scheduled, "kind" | "id" | "scheduled_at"> {
  projectId: string;
  onMoved: () => Promise<unknown>;
  onCanceled: () => Promise<unknown>;
}

/** The time of a scheduled email or batch, which can still be changed, and its cancellation. */
export function ScheduledForm(props: ScheduledFormProps) {
  const { kind, id, scheduled_at: dueAt, projectId, onMoved, onCanceled } = props;
  const text = useLogText();
  const now = useNow();
  const mayNot = useMayNot("send:transactional");
  const [clock, setClock] = useState(() => wallClockOf(dueAt, readersZone()));
  const [isCanceling, setCanceling] = useState(false);
  const move = useMutation({
    mutationFn: () => {
      const body = { scheduled_at: momentOf(clock, readersZone()) };
      return kind === "email"
        ? api.projects.logs.reschedule({ projectId, logId: id, body })
        : api.projects.batches.reschedule({ projectId, batchId: id, body });
    },
    onSuccess: async () => {
      await onMoved();
      showToast(text.moved);
    },
  });
  const cancel = useMutation({
    mutationFn: (signal: AbortSignal) =>
      kind === "email"
        ? api.projects.logs.cancel({ projectId, logId: id }, { signal })
        : api.projects.batches.cancel({ projectId, batchId: id }, { signal }),
    onSuccess: async () => {
      showToast(text.canceled[kind]);
      await onCanceled();
      await queryClient.invalidateQueries({ queryKey: ["project", projectId, "logs"] });
    },
  });
  return (
    <>
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
            {text.cancel[kind]}
          </Button>
        }
      >
        <DateField
          label={text.sendAt}
          hint={text.sendAtHint(readersZone())}
          type="datetime-local"
          value={clock}
          onChange={setClock}
          required
        />
      </Form>
      <ConfirmDialog
        isOpen={isCanceling}
        onClose={() => setCanceling(false)}
        onConfirm={cancel.mutate}
        title={text.cancelTitle[kind]}
        action={text.cancel[kind]}
        isBusy={cancel.isPending}
        error={cancel.error}
      >
        {text.cancelWords}
      </ConfirmDialog>
    </>
  );
}
