import { PostriderError } from "../../../api/client.ts";
import { errorOf } from "../../../../../client/src/errors.ts";

interface ImportAnswer {
  /** False when one call has done as much as it can: the same file goes on (API reference §9.9). */
  done: boolean;
  rows: Record<string, number>;
  unknown_kinds: string[];
}

/**
 * Uploads an export and tells how much of it has gone out, from 0 to 1. The calls of the client
 * cannot tell that, so this is the one request of the browser's older kind. The signal ends it.
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
  request.setRequestHeader("Content-Type", "application/zip");
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

/** Returns the answer of an import; undefined for a page of a proxy and the like. */
function answerIn(text: string): ImportAnswer | undefined {
  try {
    const answer = JSON.parse(text);
    return typeof answer?.done === "boolean" ? answer : undefined;
  } catch {
    return undefined;
  }
}
