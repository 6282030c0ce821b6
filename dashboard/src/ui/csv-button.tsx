import { useMutation } from "@tanstack/react-query";
import { Download } from "./action-icons.tsx";
import { loadCsv, type CsvFilters } from "../api/csv.ts";
import { saveFile } from "../lib/save-file.ts";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { Button } from "./button.tsx";
import { ErrorWords } from "./error-words.tsx";

interface CsvButtonProps {
  /** Path of the list below `/api/v1/`. */
  path: string;
  filters: CsvFilters;
  fileName: string;
}

/** Downloads the complete list of a page, with its filters, for a spreadsheet. */
export function CsvButton({ path, filters, fileName }: CsvButtonProps) {
  const text = useSharedText();
  const download = useMutation({
    mutationFn: async () => saveFile(fileName, await loadCsv(path, filters)),
  });
  return (
    <div className="flex flex-col gap-2">
      {download.error && <ErrorWords error={download.error} onRetry={() => download.mutate()} />}
      <div>
        <Button isBusy={download.isPending} onClick={() => download.mutate()}>
          <Download aria-hidden className="size-4" />
          {text.downloadCsv}
        </Button>
      </div>
    </div>
  );
}
