import { errorOf } from "../../../client/src/errors.ts";
import { PostriderError } from "./client.ts";

export interface Upload {
  /** Path and query below `/api/v1`. */
  path: string;
  file: Blob;
  type: string;
  /** Receives the progress, from 0 to 1. */
  onProgress: (part: number) => void;
  /** Aborts the upload. */
  signal: AbortSignal;
}

/**
 * Uploads a file, and returns the JSON of the response; undefined for anything else, such as a
 * proxy's page. Uses XMLHttpRequest, because fetch cannot report upload progress.
 */
export function uploadFile({ path, file, type, onProgress, signal }: Upload): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  if (signal.aborted) return Promise.reject(signal.reason);
  const request = new XMLHttpRequest();
  request.open("POST", `/api/v1${path}`);
  request.setRequestHeader("Content-Type", type);
  request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(loaded / total));
  request.addEventListener("error", () => reject(new PostriderError("no answer", "network")));
  request.addEventListener("load", () => {
    const { status, responseText } = request;
    const isDone = status >= 200 && status < 300;
    const answer = isDone ? jsonIn(responseText) : undefined;
    if (answer === undefined)
      void errorOf(new Response(responseText, { status, headers: retryOf(request) })).then(reject);
    else resolve(answer);
  });
  signal.addEventListener("abort", () => {
    request.abort();
    reject(signal.reason);
  });
  request.send(file);
  return promise;
}

const retryOf = (request: XMLHttpRequest): Record<string, string> => {
  const after = request.getResponseHeader("Retry-After");
  return after === null ? {} : { "Retry-After": after };
};

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
