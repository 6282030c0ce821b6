import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { RoleNotice } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ChooseFile } from "./choose-file.tsx";
import { ImportMapping } from "./import-mapping.tsx";
import type { Choices, ImportBody } from "./list-import.ts";
import { ImportReport } from "./import-report.tsx";
import { useAudienceText } from "./use-audience-text.ts";

/** Moves a list in: drop the file, look at what would happen, and only then import it. */
export function ImportPage() {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const [file, setFile] = useState<{ name: string; text: string }>();
  const [choices, setChoices] = useState<Choices>({});
  const run = (body: Omit<ImportBody, "file"> & { file: string }) =>
    api.projects.audience.import({ projectId, body });
  const look = useMutation({
    mutationFn: (asked: { file: string; choices: Choices }) =>
      run({ file: asked.file, ...asked.choices, dry_run: true }),
  });
  const write = useMutation({
    mutationFn: () => run({ file: file?.text ?? "", ...choices }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["project", projectId] }),
  });
  const choose = (next: Choices) => {
    setChoices(next);
    if (file) look.mutate({ file: file.text, choices: next });
  };
  const begin = (chosen: { name: string; text: string } | undefined) => {
    setFile(chosen);
    setChoices({});
    look.reset();
    write.reset();
    if (chosen) look.mutate({ file: chosen.text, choices: {} });
  };
  const answer = write.data ?? look.data;
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
      <RoleNotice capability="subscribers:write" />
      <ChooseFile fileName={file?.name} onChoose={begin} />
      {(look.isPending || write.isPending) && (
        <Card title={write.isPending ? text.importing : text.looking}>
          <Skeleton lines={4} />
        </Card>
      )}
      {look.error && <ErrorWords error={look.error} />}
      {write.error && <ErrorWords error={write.error} onRetry={() => write.mutate()} />}
      {look.data && !write.data && (
        <ImportMapping answer={look.data} choices={choices} onChoose={choose} />
      )}
      {answer && !look.isPending && !write.isPending && (
        <ImportReport answer={answer} onImport={() => write.mutate()} />
      )}
    </Page>
  );
}
