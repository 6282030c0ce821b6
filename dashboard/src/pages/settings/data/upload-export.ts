import { PostriderError } from "../../../api/client.ts";
import { uploadFile } from "../../../api/upload-file.ts";

interface ImportAnswer {
  /**
   * False if one call has reached its limit: send the same file again to continue (API reference
   * §9.9).
   */
  done: boolean;
  rows: Record<string, number>;
}

/** Uploads an export and reports the progress from 0 to 1. The signal aborts it. */
export async function uploadExport(
  projectId: string,
  file: Blob,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<ImportAnswer> {
  const path = `/projects/${projectId}/import`;
  const answer = await uploadFile({ path, file, type: "application/gzip", onProgress, signal });
  if (isImport(answer)) return answer;
  throw new PostriderError("no answer", "network");
}

const isImport = (answer: unknown): answer is ImportAnswer =>
  typeof answer === "object" &&
  answer !== null &&
  "done" in answer &&
  typeof answer.done === "boolean";
