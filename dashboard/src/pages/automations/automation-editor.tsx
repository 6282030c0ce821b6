import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { SendStep } from "../../../../src/lib/automation-definition.ts";
import { allSteps } from "../../../../src/lib/automation-steps.ts";
import { useProject } from "../../api/projects.ts";
import type { Versioned } from "../../api/versioned.ts";
import { given } from "../../lib/search-params.ts";
import { LeaveGuard } from "../../parts/leave-guard/leave-guard.tsx";
import { ErrorWords, problemsOf, say as sayMessage } from "../../ui/error-words.tsx";
import { Notice } from "../../ui/notice.tsx";
import { RoleNotice, useMayNot } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { Rehearsal } from "./check/rehearsal.tsx";
import { ConflictNotice } from "./conflict-notice.tsx";
import { Controls } from "./controls.tsx";
import { gapsOf } from "./edit/gaps.ts";
import { EmailView } from "./edit/email-view.tsx";
import { StepsView } from "./edit/steps-view.tsx";
import { useAutomationEdit } from "./edit/use-automation-edit.ts";
import { useEditor } from "./edit/use-editor.ts";
import { useEditText } from "./edit/use-edit-text.ts";
import type { Automation } from "./queries.ts";
import { ReportView } from "./report/report-view.tsx";
import { StateBadge } from "./state-badge.tsx";
import { useStepNumbers } from "./step-numbers.tsx";
import { Tabs } from "./tabs.tsx";
import { useAutomationsText } from "./use-automations-text.ts";
import { isConflict, useAutosave, useSave } from "./use-save.ts";
import { useUndoKeys } from "./use-undo-keys.ts";

const route = getRouteApi("/in/p/$projectId/automations/$automationId");

/** The page of one automation. A draft saves itself; a running one is published. */
export function AutomationEditor({ newest }: { newest: Versioned<Automation> }) {
  const text = useAutomationsText();
  const editText = useEditText();
  const { id: projectId } = useProject();
  const { view, step: openId, part } = route.useSearch();
  const navigate = route.useNavigate();
  const mayNot = useMayNot("automations:write");
  const [said, say] = useState("");
  const edit = useAutomationEdit(newest);
  const save = useSave(projectId, edit);
  const { base, now, isChanged, theirs } = edit;
  const isDraft = base.state === "draft";
  const gaps = gapsOf(now);
  useAutosave(edit, save, isDraft && mayNot === undefined && gaps.length === 0);
  useUndoKeys(mayNot === undefined ? edit : { undo: undefined, redo: undefined });
  const isRefused = save.error !== null && !isConflict(save.error);
  const editor = useEditor({
    projectId,
    edit,
    openId,
    open: (step) => void navigate({ search: given({ step }), replace: true }),
    openEmail: (step) => void navigate({ search: given({ step, part: "email" as const }) }),
    mayNot: mayNot ?? (base.state === "stopped" ? text.stoppedWords : undefined),
    problems: {
      ...(isRefused ? problemsOf(save.error) : {}),
      ...Object.fromEntries(gaps.map((path) => [path, editText.missing])),
    },
    numbersOf: useStepNumbers(projectId, base),
    say,
  });
  const written = allSteps(now).find(
    (one): one is typeof one & { step: SendStep } =>
      part === "email" && one.step.id === openId && one.step.type === "send",
  );
  const saveWords = () => {
    if (mayNot !== undefined || base.state === "stopped") return "";
    if (save.isPending) return text.saving;
    if (gaps.length > 0) return text.incomplete;
    if (isRefused) return text.notSaved;
    if (!isDraft) return isChanged ? text.notPublished : text.published(base.version);
    return isChanged ? text.saving : text.allSaved;
  };
  return (
    <Page
      title={now.name || text.unnamed}
      lead={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <StateBadge state={base.state} />
          <span role="status">{saveWords()}</span>
        </span>
      }
      actions={
        <Controls edit={edit} save={save} mayNot={mayNot} isRehearsing={view === "rehearsal"} />
      }
    >
      <p role="status" className="sr-only">
        {said}
      </p>
      <RoleNotice capability="automations:write" />
      {base.state === "paused" && base.reasons && (
        <Notice tone="warn">
          {base.reasons.map((reason) => (
            <p key={reason.code}>{sayMessage(reason)}</p>
          ))}
        </Notice>
      )}
      {base.state === "stopped" && <Notice>{text.stoppedWords}</Notice>}
      {theirs && <ConflictNotice edit={edit} theirs={theirs} onDecide={() => save.reset()} />}
      {isRefused && save.error && (
        <ErrorWords error={save.error} onRetry={() => save.mutate({ now })} />
      )}
      {written ? (
        <EmailView
          editor={editor}
          step={written.step}
          path={written.path}
          onClose={() => void navigate({ search: given({ step: openId }) })}
        />
      ) : (
        <>
          <Tabs automationId={base.id} view={view} isStarted={base.started_at !== null} />
          {view === undefined && <StepsView editor={editor} />}
          {view === "rehearsal" && <Rehearsal edit={edit} />}
          {view === "report" && <ReportView automation={base} step={openId} />}
        </>
      )}
      <LeaveGuard
        isChanged={isChanged && (!isDraft || isRefused || gaps.length > 0 || theirs !== undefined)}
        words={text}
      />
    </Page>
  );
}
