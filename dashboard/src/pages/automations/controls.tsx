import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { given } from "../../lib/search-params.ts";
import { useIsHere } from "../../lib/use-is-here.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { showToast } from "../../ui/toast.tsx";
import type { AutomationEdit } from "./edit/use-automation-edit.ts";
import { EnterPeople } from "./enter-people.tsx";
import { Redo, Undo } from "./icons.tsx";
import { Publish } from "./publish.tsx";
import { useAutomationsText } from "./use-automations-text.ts";
import type { useSave } from "./use-save.ts";

interface ControlsProps {
  /** True while the rehearsal is shown, which has the button to start. */
  isRehearsing: boolean;
  edit: AutomationEdit;
  save: ReturnType<typeof useSave>;
  mayNot: string | undefined;
}

type Question = "pause" | "stop" | "delete";

/** Undo and redo, and what starts, pauses, stops and deletes an automation. */
export function Controls({ edit, save, mayNot, isRehearsing }: ControlsProps) {
  const text = useAutomationsText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const { base, isChanged, undo, redo } = edit;
  const { id: automationId, state, people } = base;
  const navigate = useNavigate();
  const isHere = useIsHere(`/p/${projectId}/automations/${automationId}`);
  const [question, setQuestion] = useState<Question>();
  const refresh = () =>
    queryClient.invalidateQueries({ queryKey: ["project", projectId, "automations"] });
  const act = useMutation({
    mutationFn: ({ what, ...options }: { what: Question | "start"; signal?: AbortSignal }) =>
      api.projects.automations[what]({ projectId, automationId }, options),
    onSuccess: async (_, { what }) => {
      setQuestion((now) => (now === what ? undefined : now)); // another one may be open by now
      showToast(text.done[what]);
      if (what === "delete" && isHere())
        await navigate({
          to: "/p/$projectId/automations",
          params: { projectId },
          ignoreBlocker: true,
        });
      await refresh();
    },
  });
  const isOver = state === "stopped";
  const removal = state === "draft" || isOver ? "delete" : "stop";
  const icon = (words: string, keys: string, run: (() => void) | undefined, shown: ReactNode) => (
    <Button
      look="quiet"
      className="px-2!"
      aria-label={words}
      aria-keyshortcuts={keys}
      title={`${words} (${keys.replace("Control", "Ctrl")})`}
      offBecause={run ? undefined : text.nothingTo(words)}
      onClick={run}
    >
      {shown}
    </Button>
  );
  return (
    <>
      {mayNot === undefined && !isOver && (
        <>
          {icon(shared.undo, "Control+Z", undo, <Undo aria-hidden className="size-4" />)}
          {icon(text.redo, "Control+Shift+Z", redo, <Redo aria-hidden className="size-4" />)}
        </>
      )}
      <Button
        look="quiet"
        className="text-bad!"
        offBecause={mayNot}
        onClick={() => setQuestion(removal)}
      >
        {removal === "delete" ? shared.delete : text.stop}
      </Button>
      {state === "active" && base.trigger.type === "manual" && (
        <EnterPeople automationId={automationId} mayNot={mayNot} />
      )}
      {state === "active" && (
        <Button offBecause={mayNot} onClick={() => setQuestion("pause")}>
          {text.pause}
        </Button>
      )}
      {state === "paused" && (
        <Button
          {...(isChanged ? {} : { look: "primary" as const })}
          isBusy={act.isPending}
          offBecause={mayNot}
          onClick={() => act.mutate({ what: "start" })}
        >
          {text.resume}
        </Button>
      )}
      {state === "draft" && !isRehearsing && (
        <LinkButton
          look="primary"
          to="/p/$projectId/automations/$automationId"
          params={{ projectId, automationId }}
          search={given({ view: "rehearsal" as const })}
        >
          {text.rehearse}
        </LinkButton>
      )}
      {(state === "active" || state === "paused") && (
        <Publish edit={edit} save={save} mayNot={mayNot} />
      )}
      {question === undefined && act.error && <ErrorWords error={act.error} />}
      {question !== undefined && (
        <ConfirmDialog
          isOpen
          onClose={() => setQuestion(undefined)}
          onConfirm={(signal) => act.mutate({ what: question, signal })}
          title={text.questions[question]}
          action={question === "delete" ? shared.delete : text[question]}
          look={question === "pause" ? "primary" : "danger"}
          {...(question === "delete" ? { name: base.name } : {})}
          isBusy={act.isPending && act.variables.what === question}
          error={act.error}
        >
          {question === "pause" && text.pauseWords(people.inside)}
          {question === "stop" && text.stopWords(people.inside)}
          {question === "delete" && text.deleteWords}
        </ConfirmDialog>
      )}
    </>
  );
}
