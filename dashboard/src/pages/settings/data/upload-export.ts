import { PostriderError } from "../../../api/client.ts";
import { errorOf } from "../../../../../client/src/errors.ts";

interface ImportAnswer {
  /**
   * False if one call has reached its limit: send the same file again to continue (API reference
   * §9.9).
   */
  done: boolean;
  rows: Record<string, number>;
}

/**
 * Uploads an export and reports the progress from 0 to 1. Uses XMLHttpRequest, because fetch cannot
 * report upload progress. The signal aborts it.
 */
export function uploadExport(
  projectId: string,
  file: Blob,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<ImportAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ImportAnswer>();
  if (signal.aborted) return Promise.reject(signal.reason);
  const request = new XMLHttpRequest();
  request.open("POST", `/api/v1/projects/${projectId}/import`);
  request.setRequestHeader("Content-Type", "application/gzip");
  request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(loaded / total));
  request.addEventListener("error", () => reject(new PostriderError("no answer", "network")));
  request.addEventListener("load", () => {
    const { status, responseText } = request;
    const answer = status === 200 ? answerIn(responseText) : undefined;
    if (answer) resolve(answer);
    else void errorOf(new Response(responseText, { status })).then(reject);
  });
  signal.addEventListener("abort", () => {
    request.abort();
    reject(signal.reason);
  });
  request.send(file);
  return promise;
}

/** Parses the response of an import; undefined for anything else, such as a proxy's page. */
function answerIn(text: string): ImportAnswer | undefined {
  try {
    const answer = JSON.parse(text);
    return typeof answer?.done === "boolean" ? answer : undefined;
  } catch {
    return undefined;
  }
}
