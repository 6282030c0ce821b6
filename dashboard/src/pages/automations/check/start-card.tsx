import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../../api/client.ts";
import { useProject } from "../../../api/projects.ts";
import { queryClient } from "../../../api/query-client.ts";
import { useIsHere } from "../../../lib/use-is-here.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorWords } from "../../../ui/error-words.tsx";
import { useMayNot } from "../../../ui/not-allowed.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { editedOf } from "../edit/edited.ts";
import type { Automation, Rehearsed } from "../queries.ts";
import { useAutomationsText } from "../use-automations-text.ts";
import { useWords } from "../words/use-words.ts";
import { useCheckText } from "./use-check-text.ts";

interface StartCardProps {
  automation: Automation;
  version: string;
  /** The rehearsal; undefined until there is a valid one. */
  found: Rehearsed | undefined;
}

/** Starts an automation once its rehearsal has found nothing that keeps it from starting. */
export function StartCard({ automation, version, found }: StartCardProps) {
  const text = useCheckText();
  const { done } = useAutomationsText();
  const { id: projectId } = useProject();
  const { id: automationId } = automation;
  const { trigger } = editedOf(automation);
  const mayNot = useMayNot("automations:write");
  const { sayTrigger } = useWords(projectId);
  const navigate = useNavigate();
  const isHere = useIsHere();
  const stops = found?.problems.filter(({ grade }) => grade === "stop").length;
  const start = useMutation({
    mutationFn: () =>
      api.projects.automations.start({ projectId, automationId }, { ifMatch: version }),
    onSuccess: async () => {
      showToast(done.start);
      await queryClient.invalidateQueries({ queryKey: ["project", projectId, "automations"] });
      if (isHere())
        await navigate({
          to: "/p/$projectId/automations/$automationId",
          params: { projectId, automationId },
          search: {},
        });
    },
  });
  return (
    <section
      aria-label={text.start}
      className="flex flex-wrap items-center justify-between gap-4 rounded-lg border border-line bg-surface p-4"
    >
      <div className="min-w-0">
        <p className="font-medium">
          {stops === undefined ? text.rehearsing : stops > 0 ? text.stopsIt(stops) : text.ready}
        </p>
        <p className="text-sm text-muted">{text.startWords(sayTrigger(trigger))}</p>
      </div>
      <Button
        look="primary"
        isBusy={start.isPending}
        offBecause={
          mayNot ??
          (stops === undefined ? text.rehearsing : stops > 0 ? text.solveFirst : undefined)
        }
        onClick={() => start.mutate()}
      >
        {text.start}
      </Button>
      {start.error && (
        <div className="w-full">
          <ErrorWords error={start.error} />
        </div>
      )}
    </section>
  );
}
