import { useState } from "react";
import { classes } from "../../../lib/class-names.ts";
import { decodeText, type Encoding } from "./decode-text.ts";
import { FileInput } from "../../../ui/file-input.tsx";
import { useMayNot } from "../../../ui/not-allowed.tsx";
import { useImportText } from "./use-import-text.ts";

export interface ChosenFile {
  name: string;
  text: string;
  encoding: Encoding;
}

interface ChooseFileProps {
  file: ChosenFile | undefined;
  /** True while the file is being imported. */
  isBusy: boolean;
  onChoose: (file: ChosenFile | undefined) => void;
}

/** Accepts a CSV file by drag and drop or by a button. */
export function ChooseFile({ file: chosen, isBusy, onChoose }: ChooseFileProps) {
  const text = useImportText();
  const isOff = useMayNot("subscribers:write") !== undefined || isBusy;
  const [isOver, setOver] = useState(false);
  const read = async (file: File | undefined) =>
    onChoose(file && { name: file.name, ...decodeText(new Uint8Array(await file.arrayBuffer())) });
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (!isOff) void read(event.dataTransfer.files[0]);
      }}
      className={classes(
        "flex flex-col items-center gap-3 rounded-lg border border-dashed p-8 text-center",
        isOver ? "border-accent bg-accent-soft" : "border-edge",
      )}
    >
      <label htmlFor="import-file" className="font-medium">
        {text.dropFile}
      </label>
      <FileInput
        id="import-file"
        disabled={isOff}
        accept=".csv,text/csv,text/plain"
        onChange={({ target }) => void read(target.files?.[0])}
      />
      <p className="text-sm text-muted">
        {chosen ? `${chosen.name} (${chosen.encoding})` : text.knownServices}
      </p>
    </div>
  );
}
