import { errorOf } from "../../../client/src/errors.ts";
import { PostriderError } from "./client.ts";

/**
 * Saves what a path of the API answers as a file. The browser itself writes it while it comes in,
 * however long it is. A refusal becomes no file: a hidden frame loads it, and `onError` gets it.
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
  // the browser's own page about a lost connection shows nothing of itself
  if (!contentDocument?.defaultView) return new PostriderError("no answer", "network");
  const [entry] = contentDocument.defaultView.performance.getEntriesByType("navigation");
  // a browser that does not know the status has the words of the service
  const status = (entry as PerformanceNavigationTiming | undefined)?.responseStatus || 400;
  return errorOf(new Response(contentDocument.body.textContent, { status }));
}
