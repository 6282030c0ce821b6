import { errorOf } from "../../../client/src/errors.ts";
import { PostriderError } from "./client.ts";

/**
 * Saves an API response as a file. The browser streams it to disk, so its size is unlimited. An
 * error response does not become a file: it loads in a hidden frame and is passed to `onError`.
 */
export function download(path: string, onError: (error: PostriderError) => void): void {
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.src = `/api/v1/${path}`;
  frame.addEventListener("load", () => {
    void errorIn(frame).then(onError);
    frame.remove();
  });
  document.body.append(frame);
}

async function errorIn({ contentDocument }: HTMLIFrameElement): Promise<PostriderError> {
  // the browser's own page for a lost connection is not accessible
  if (!contentDocument?.defaultView) return new PostriderError("no answer", "network");
  const [entry] = contentDocument.defaultView.performance.getEntriesByType("navigation");
  // without a known status, the text of the service decides
  const status = (entry as PerformanceNavigationTiming | undefined)?.responseStatus || 400;
  return errorOf(new Response(contentDocument.body.textContent, { status }));
}
