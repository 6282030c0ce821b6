import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { PostriderError } from "../../../../../client/src/index.ts";
import { fieldsQuery } from "../../../api/audience.ts";
import { api } from "../../../api/client.ts";
import { useProject } from "../../../api/projects.ts";
import { queryClient } from "../../../api/query-client.ts";
import { LeaveGuard } from "../../../parts/leave-guard/leave-guard.tsx";
import { LinkButton } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { ErrorWords } from "../../../ui/error-words.tsx";
import { RoleNotice } from "../../../ui/not-allowed.tsx";
import { Page } from "../../../ui/page.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { ChooseFile, type ChosenFile } from "./choose-file.tsx";
import { guessColumns } from "./import-columns.ts";
import { ImportMapping, type ImportPlan } from "./import-mapping.tsx";
import { ImportReport } from "./import-report.tsx";
import { EarlierImports } from "./earlier-imports.tsx";
import type { ImportBody } from "./list-import.ts";
import { lookAt, NO_PROGRESS, runImport, type Progress } from "./run-import.ts";
import { cellOf } from "./split-csv.ts";
import { useImportText } from "./use-import-text.ts";

/** Imports a list: select the file, say what its columns hold, review the preview, and import. */
export function ImportPage() {
  const text = useImportText();
  const { id: projectId } = useProject();
  const [file, setFile] = useState<ChosenFile>();
  const [plan, setPlan] = useState<ImportPlan>();
  const [progress, setProgress] = useState(NO_PROGRESS);
  const importId = useRef<string>(undefined);
  const newest = useRef(0);
  useEffect(
    () => () => {
      newest.current++; // stops an import whose report is no longer shown
    },
    [],
  );
  const call = (body: ImportBody) => api.projects.audience.import({ projectId, body });
  const run = (
    { columns, body }: ImportPlan,
    more: Partial<ImportBody>,
    from: Progress,
  ): ReturnType<typeof runImport> => {
    const own = ++newest.current;
    setProgress(from);
    const isStale = () => own !== newest.current;
    const whole = { ...body, ...more };
    return runImport({
      file: file?.text ?? "",
      body: whole,
      columns,
      call,
      from,
      onPart: setProgress,
      isStale,
    });
  };
  const look = useMutation({
    mutationFn: async (chosen: ChosenFile) => {
      const [{ answer, rows }, { fields }] = await Promise.all([
        lookAt(chosen.text, call),
        queryClient.fetchQuery(fieldsQuery(projectId)),
      ]);
      const valuesAt = (place: number) => rows.map((row) => cellOf(row, place));
      return { answer, fields, columns: guessColumns(answer, valuesAt, fields) };
    },
  });
  const preview = useMutation({
    mutationFn: (asked: ImportPlan) => run(asked, { dry_run: true }, NO_PROGRESS),
  });
  const write = useMutation({
    mutationFn: async ({ asked, from }: { asked: ImportPlan; from: Progress }) => {
      for (const body of asked.fields) await createField(projectId, body);
      importId.current ??= (
        await api.projects.imports.create({ projectId, body: { name: nameOf(file) } })
      ).id;
      return run(asked, { import_id: importId.current }, from);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["project", projectId] }),
  });
  const begin = (chosen: ChosenFile | undefined) => {
    setFile(chosen);
    setPlan(undefined);
    for (const step of [look, preview, write]) step.reset();
    importId.current = undefined;
    if (chosen) look.mutate(chosen);
  };
  const isBusy = look.isPending || preview.isPending || write.isPending;
  const answer = write.data ?? preview.data;
  const failure = look.error ?? preview.error;
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
      {isBusy && (
        <Card title={write.isPending ? text.importing : text.looking}>
          {progress.rows > 0 && <p role="status">{text.rowsDone(progress.rows)}</p>}
          <Skeleton lines={4} />
        </Card>
      )}
      {failure && <ErrorWords error={failure} />}
      {write.error && plan && (
        <ErrorWords
          error={write.error}
          onRetry={() => write.mutate({ asked: plan, from: progress })}
        />
      )}
      {look.data && (
        <div hidden={isBusy || answer !== undefined}>
          <ImportMapping
            key={file?.name}
            look={look.data}
            onContinue={(asked) => {
              setPlan(asked);
              write.reset(); // an interrupted import had other choices
              preview.mutate(asked);
            }}
          />
        </div>
      )}
      {answer && plan && !isBusy && (
        <ImportReport
          answer={answer}
          plan={plan}
          importId={write.data && importId.current}
          onBack={() => preview.reset()}
          onImport={() => write.mutate({ asked: plan, from: NO_PROGRESS })}
        />
      )}
      {!file && <EarlierImports />}
    </Page>
  );
}

/** Creates a field, unless somebody has just created it. */
async function createField(projectId: string, body: ImportPlan["fields"][number]): Promise<void> {
  try {
    await api.projects.fields.create({ projectId, body });
  } catch (error) {
    if (!(error instanceof PostriderError) || error.status !== 409) throw error;
  }
}

const MOST_NAME_CHARACTERS = 200;

/** Returns the name of an import: that of its file. */
const nameOf = (file: ChosenFile | undefined): string =>
  file?.name
    .replace(/\.(?:csv|txt)$/i, "")
    .trim()
    .slice(0, MOST_NAME_CHARACTERS) || "CSV";
