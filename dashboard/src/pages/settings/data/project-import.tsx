import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useProject } from "../../../api/projects.ts";
import { queryClient } from "../../../api/query-client.ts";
import { formatExact, formatPercent } from "../../../lib/format.ts";
import { LeaveGuard } from "../../../parts/leave-guard/leave-guard.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { ErrorWords } from "../../../ui/error-words.tsx";
import { FileInput } from "../../../ui/file-input.tsx";
import { useMayNot } from "../../../ui/not-allowed.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { readExport } from "./read-export.ts";
import { RowCounts } from "./row-counts.tsx";
import { uploadExport } from "./upload-export.ts";
import { useDataText } from "./use-data-text.ts";

/** Imports an export of another deployment into this project, after showing which one it is. */
export function ProjectImport() {
  const text = useDataText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("projects:write");
  const [file, setFile] = useState<File>();
  const [part, setPart] = useState(0);
  const look = useMutation({ mutationFn: readExport });
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => {
    const left = new AbortController(); // stops an import whose report is no longer shown
    leaving.current = left;
    return () => left.abort();
  }, []);
  const upload = useMutation({
    mutationFn: async (chosen: File) => {
      const { signal } = leaving.current ?? new AbortController();
      for (;;) {
        const answer = await uploadExport(projectId, chosen, setPart, signal);
        if (answer.done) return answer;
      }
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["project", projectId] }),
  });
  const choose = (chosen: File | undefined) => {
    setFile(chosen);
    look.reset();
    upload.reset();
    if (chosen) look.mutate(chosen);
  };
  const facts = look.data;
  const off = mayNot ?? (facts === undefined ? text.chooseExport : undefined);
  return (
    <Card title={text.importProject}>
      <LeaveGuard isChanged={upload.isPending} words={text.leaveImport} />
      <div className="flex max-w-2xl flex-col gap-4">
        <p className="text-muted">{text.importProjectWords}</p>
        <div className="flex flex-col gap-1">
          <label htmlFor="export-file" className="text-sm font-medium">
            {text.exportFile}
          </label>
          <FileInput
            id="export-file"
            accept=".gz,application/gzip"
            disabled={upload.isPending || mayNot !== undefined}
            onChange={({ target }) => choose(target.files?.[0])}
          />
        </div>
        {look.isSuccess && facts === undefined && (
          <Notice tone="bad" role="alert">
            {text.noExport}
          </Notice>
        )}
        {facts && !upload.isSuccess && (
          <Notice role="status">
            {text.exportOf(facts.project, formatExact(new Date(facts.exportedAt).toISOString()))}
          </Notice>
        )}
        {upload.isPending && (
          <div>
            <label htmlFor="export-progress" className="text-sm">
              {part < 1 ? text.uploading(formatPercent(part * 100)) : text.writing}
            </label>
            <progress id="export-progress" className="block w-full" value={part} max={1} />
          </div>
        )}
        {upload.error && <ErrorWords error={upload.error} />}
        {upload.error && <p className="text-sm text-muted">{text.importGoesOn}</p>}
        {upload.data && (
          <Notice tone="good" role="status">
            <p>{text.imported}</p>
            <RowCounts rows={upload.data.rows} />
          </Notice>
        )}
        <div>
          <Button
            look="primary"
            isBusy={upload.isPending}
            offBecause={off}
            onClick={() => file && upload.mutate(file)}
          >
            {text.importProject}
          </Button>
        </div>
      </div>
    </Card>
  );
}
