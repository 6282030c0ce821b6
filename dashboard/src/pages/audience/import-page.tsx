import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { LeaveGuard } from "../../parts/leave-guard/leave-guard.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { RoleNotice } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ChooseFile, type ChosenFile } from "./choose-file.tsx";
import { ImportMapping } from "./import-mapping.tsx";
import { audienceOfImport } from "./import-audience.ts";
import type { Choices, ImportBody } from "./list-import.ts";
import { ImportReport } from "./import-report.tsx";
import { NO_PROGRESS, runImport, type Progress } from "./run-import.ts";
import { useAudienceText } from "./use-audience-text.ts";

/** Imports a list: select the file, review the dry run, and then import. */
export function ImportPage() {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const [file, setFile] = useState<ChosenFile>();
  const [choices, setChoices] = useState<Choices>({});
  const [looked, setLooked] = useState(NO_PROGRESS);
  const [written, setWritten] = useState(NO_PROGRESS);
  const newest = useRef(0);
  useEffect(
    () => () => {
      newest.current++; // stops an import whose report is no longer shown
    },
    [],
  );
  const run = (
    body: ImportBody & { file: string },
    from: Progress,
    onPart: (progress: Progress) => void,
  ) => {
    const own = ++newest.current;
    onPart(from);
    return runImport({
      body,
      from,
      call: (part) => api.projects.audience.import({ projectId, body: part }),
      onPart,
      isStale: () => own !== newest.current,
    });
  };
  const look = useMutation({
    mutationFn: (asked: { file: string; choices: Choices }) =>
      run({ file: asked.file, ...asked.choices, dry_run: true }, NO_PROGRESS, setLooked),
  });
  const write = useMutation({
    mutationFn: (from: Progress) => run({ file: file?.text ?? "", ...choices }, from, setWritten),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["project", projectId] }),
  });
  const choose = (next: Choices) => {
    setChoices(next);
    write.reset(); // an interrupted import had other choices
    if (file) look.mutate({ file: file.text, choices: next });
  };
  const begin = (chosen: ChosenFile | undefined) => {
    setFile(chosen);
    setChoices({});
    look.reset();
    write.reset();
    if (chosen) look.mutate({ file: chosen.text, choices: {} });
  };
  const answer = write.data ?? look.data;
  const { rows } = write.isPending ? written : looked;
  return (
    <Page
      title={text.import}
      lead={text.importLead}
      actions={
        <LinkButton to="/p/$projectId/audience" params={{ projectId }}>
          {text.back}
        </LinkButton>
      }
    >
      <LeaveGuard isChanged={write.isPending} words={text.leaveImport} />
      <RoleNotice capability="subscribers:write" />
      <ChooseFile file={file} isBusy={write.isPending} onChoose={begin} />
      {(look.isPending || write.isPending) && (
        <Card title={write.isPending ? text.importing : text.looking}>
          {rows > 0 && <p role="status">{text.rowsDone(rows)}</p>}
          <Skeleton lines={4} />
        </Card>
      )}
      {look.error && <ErrorWords error={look.error} />}
      {write.error && <ErrorWords error={write.error} onRetry={() => write.mutate(written)} />}
      {file && look.data && !write.data && !write.isPending && (
        <ImportMapping file={file.text} answer={look.data} choices={choices} onChoose={choose} />
      )}
      {answer && !look.isPending && !write.isPending && (
        <ImportReport
          answer={answer}
          audience={audienceOfImport(file?.text ?? "", answer, choices)}
          onImport={() => write.mutate(NO_PROGRESS)}
        />
      )}
    </Page>
  );
}
