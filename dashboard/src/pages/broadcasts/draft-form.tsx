import "../../parts/segments/conditions.de.ts";
import { useIsHere } from "../../lib/use-is-here.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { BehindNotice } from "../../ui/behind-notice.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorWords, problemsOf } from "../../ui/error-words.tsx";
import { Notice } from "../../ui/notice.tsx";
import { RoleNotice, useMayNot } from "../../ui/not-allowed.tsx";
import { showToast } from "../../ui/toast.tsx";
import { DraftRemoval } from "./draft-removal.tsx";
import { Duplicate } from "./duplicate.tsx";
import { MailStep } from "./mail-step.tsx";
import { isNew } from "./new-draft.ts";
import { PeopleStep } from "./people-step.tsx";
import { StepNav } from "./step-nav.tsx";
import { STEPS, type Step } from "./steps.ts";
import { TimeStep } from "./time-step.tsx";
import type { DraftEdit } from "./use-draft-edit.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";
import { useGoToStep } from "./use-go-to-step.ts";
import { useSaveDraft } from "./use-save-draft.ts";
import { doubleName } from "../../parts/values/values.ts";

const PARTS = { mail: MailStep, people: PeopleStep, time: TimeStep };

interface DraftFormProps {
  edit: DraftEdit;
  step: Exclude<Step, "check">;
}

/**
 * One step of a draft. Going to another step saves it. Never silently overwrites another user's
 * changes.
 */
export function DraftForm({ edit, step }: DraftFormProps) {
  const text = useBroadcastsText();
  const shared = useSharedText();
  const { draft, version, fields, isChanged, isBehind } = edit;
  const mayNot = useMayNot("send:broadcast");
  const isHere = useIsHere();
  const open = useGoToStep(draft.project_id);
  const save = useSaveDraft(edit);
  /**
   * Saves the step and opens another one. What cannot be saved stays typed in the other steps, too;
   * only the next step and the check need a stored draft.
   */
  const go = (next: Step, needsStored = next === "check" || isNew(draft)) => {
    if (!isChanged && !isNew(draft)) return open(draft.id, next);
    if (mayNotSave !== undefined) return needsStored ? undefined : open(draft.id, next);
    const openHere = (id: string) => isHere() && open(id, next);
    save.mutate(fields, {
      onSuccess: ({ id }) => openHere(id),
      onError: () => !needsStored && openHere(draft.id),
    });
  };
  const choose = (choice: () => void) => {
    save.reset();
    choice();
  };
  const isDouble = doubleName(fields.variables) !== undefined;
  const mayNotSave =
    mayNot ?? (isBehind ? text.behind : undefined) ?? (isDouble ? text.variableTwice : undefined);
  const Part = PARTS[step];
  const following = STEPS[STEPS.indexOf(step) + 1] ?? "check";
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <StepNav current={step} isBusy={save.isPending} onGo={(next) => go(next)} />
        {!isNew(draft) && (
          <span className="flex gap-2">
            <Duplicate broadcast={draft} />
            <DraftRemoval draft={draft} version={version} />
          </span>
        )}
      </div>
      <RoleNotice capability="send:broadcast" />
      {draft.resend && <Notice>{text.resendWords[draft.resend.to]}</Notice>}
      <Card title={text.stepNames[step]}>
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            go(following, true);
          }}
        >
          <Part edit={edit} problems={problemsOf(save.error)} mayNot={mayNot} />
          {save.error && !isBehind && <ErrorWords error={save.error} />}
          {isBehind && (
            <BehindNotice
              words={text}
              onKeepMine={() => choose(edit.keepMine)}
              onTakeTheirs={() => choose(edit.takeTheirs)}
            />
          )}
          <div className="flex flex-wrap gap-2">
            <Button
              type="submit"
              look="primary"
              isBusy={save.isPending}
              offBecause={isChanged || isNew(draft) ? mayNotSave : undefined}
            >
              {following === "check" ? text.review : text.continue}
            </Button>
            {!isNew(draft) && (
              <Button
                isBusy={save.isPending}
                offBecause={mayNotSave ?? (isChanged ? undefined : text.nothingToSave)}
                onClick={() => save.mutate(fields, { onSuccess: () => showToast(text.saved) })}
              >
                {shared.save}
              </Button>
            )}
          </div>
        </form>
      </Card>
    </>
  );
}
