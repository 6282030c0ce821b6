import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import "../../parts/segments/conditions.de.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { BehindNotice } from "../../ui/behind-notice.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorWords, problemsOf } from "../../ui/error-words.tsx";
import { Notice } from "../../ui/notice.tsx";
import { RoleNotice, useMayNot } from "../../ui/not-allowed.tsx";
import { showToast } from "../../ui/toast.tsx";
import { DraftAudience } from "./draft-audience.tsx";
import { DraftContent } from "./draft-content.tsx";
import { changesOf, type DraftFields } from "./draft-fields.ts";
import { DraftPace } from "./draft-pace.tsx";
import { DraftRemoval } from "./draft-removal.tsx";
import { DraftTrial } from "./draft-trial.tsx";
import { DraftVariables } from "./draft-variables.tsx";
import { Duplicate } from "./duplicate.tsx";
import { broadcastQuery, withVersion } from "./queries.ts";
import type { DraftEdit } from "./use-draft-edit.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";
import { doubleName } from "./variables.ts";

/** Edit form of a draft. Never silently overwrites another user's changes. */
export function DraftForm({ edit }: { edit: DraftEdit }) {
  const text = useBroadcastsText();
  const shared = useSharedText();
  const { draft, version, fields, isChanged, isBehind, change } = edit;
  const { id: broadcastId, project_id: projectId } = draft;
  const navigate = useNavigate();
  const mayNot = useMayNot("send:broadcast");
  const save = useMutation({
    mutationFn: async (sent: DraftFields) => {
      const body = changesOf(draft, sent);
      const saved = await withVersion((onResponse) =>
        api.projects.broadcasts.update(
          { projectId, broadcastId, body },
          { ifMatch: version, onResponse },
        ),
      );
      edit.saved(saved.broadcast, saved.version, sent);
      queryClient.setQueryData(broadcastQuery(projectId, broadcastId).queryKey, saved);
      showToast(text.saved);
    },
    onSettled: () =>
      queryClient.invalidateQueries({ queryKey: ["project", projectId, "broadcasts"] }),
  });
  const choose = (choice: () => void) => {
    save.reset();
    choice();
  };
  const part = { fields, problems: problemsOf(save.error), onChange: change, mayNot };
  const isDouble = doubleName(fields.variables) !== undefined;
  const mayNotSave =
    mayNot ?? (isBehind ? text.behind : undefined) ?? (isDouble ? text.variableTwice : undefined);
  const check = () =>
    void navigate({
      to: "/p/$projectId/broadcasts/$broadcastId/preflight",
      params: { projectId, broadcastId },
    });
  /** Only the saved draft is checked and sent. */
  const saveAndCheck = (form: HTMLFormElement | null) => {
    if (!isChanged) check();
    else if (form?.reportValidity()) save.mutate(fields, { onSuccess: check });
  };
  return (
    <Card
      title={text.draft}
      actions={
        <span className="flex gap-2">
          <Duplicate broadcast={draft} />
          <DraftRemoval draft={draft} version={version} />
        </span>
      }
    >
      <div className="mb-4 empty:hidden">
        <RoleNotice capability="send:broadcast" />
      </div>
      {draft.resend && (
        <div className="mb-4">
          <Notice>{text.resendWords[draft.resend.to]}</Notice>
        </div>
      )}
      <form
        className="grid gap-4 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(fields);
        }}
      >
        <fieldset className="contents" disabled={mayNot !== undefined}>
          <DraftContent {...part} />
          <DraftVariables {...part} />
          <DraftAudience {...part} />
          <DraftPace {...part} />
          <DraftTrial {...part} />
        </fieldset>
        <div className="flex flex-col gap-3 sm:col-span-2">
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
              isBusy={save.isPending}
              offBecause={mayNotSave ?? (isChanged ? undefined : text.nothingToSave)}
            >
              {shared.save}
            </Button>
            <Button
              look="primary"
              isBusy={save.isPending}
              offBecause={mayNotSave}
              onClick={({ currentTarget }) => saveAndCheck(currentTarget.form)}
            >
              {text.checkAndSend}
            </Button>
          </div>
        </div>
      </form>
    </Card>
  );
}
