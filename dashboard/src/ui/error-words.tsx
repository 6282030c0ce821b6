import { PostriderError } from "../api/client.ts";
import { sessionEnded } from "../api/session-state.ts";
import { languageChoice } from "../text/language.ts";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { Button } from "./button.tsx";
import { germanFault } from "./german-faults.ts";
import { Notice } from "./notice.tsx";

interface ErrorWordsProps {
  error: Error;
  /** Does it again. */
  onRetry?: (() => void) | undefined;
}

/** Says in words what went wrong, quotes the service, and offers a way out. */
export function ErrorWords({ error, onRetry }: ErrorWordsProps) {
  const text = useSharedText();
  const words = useWordsOf(error);
  const isSession = error instanceof PostriderError && error.status === 401;
  if (error.name === "AbortError") return null; // somebody gave it up, and was told so
  return (
    <Notice tone="bad" role="alert">
      <p>{words ?? messageOf(error)}</p>
      {words !== undefined && error instanceof PostriderError && error.status > 0 && (
        <p className="mt-1">
          {text.serverSaid} {error.message}
        </p>
      )}
      <ProblemList error={error} />
      {(isSession || onRetry) && (
        <div className="mt-2 flex gap-2">
          {isSession && <Button onClick={() => sessionEnded.report()}>{text.login}</Button>}
          {onRetry && <Button onClick={onRetry}>{text.tryAgain}</Button>}
        </div>
      )}
    </Notice>
  );
}

/** Lists what the service found wrong with single fields. */
function ProblemList({ error }: { error: Error }) {
  const problems = Object.entries(detailsOf(error));
  if (problems.length === 0) return null;
  return (
    <ul className="mt-1 list-disc pl-5">
      {problems.map(([path, message]) => (
        <li key={path}>
          <code>{path}</code>: {message}
        </li>
      ))}
    </ul>
  );
}

/**
 * Returns what the service found wrong, by the path of the field. A single fault stands in the
 * error itself, several ones in its details (API reference §3.1).
 */
export function problemsOf(error: Error | null): Record<string, string> {
  const single = error && singleOf(error);
  return { ...(single ? { [single.path]: single.message } : {}), ...detailsOf(error) };
}

/** Returns the message of an error; that of a single field is in the reader's language. */
function messageOf(error: Error): string {
  const single = singleOf(error);
  return single ? `${single.path}: ${single.message}` : error.message;
}

/** Says a fault of a field in the reader's language, if there are words for it. */
const sayFault = (fault: string) => (languageChoice.read() === "de" ? germanFault(fault) : fault);

/** Returns the fault of the one field that a refusal names. */
function singleOf(error: Error): { path: string; message: string } | undefined {
  if (!(error instanceof PostriderError) || error.status !== 400) return undefined;
  const [, path, message] = ONE_FIELD.exec(error.message) ?? [];
  return path && message ? { path, message: sayFault(message) } : undefined;
}

const ONE_FIELD = /^([a-z]\w*(?:\.\w+)*): ([^]+)$/;

/** Returns what is wrong with a field or with a part of it, such as `events.2` of `events`. */
export const problemAt = (problems: Record<string, string>, field: string): string | undefined =>
  Object.entries(problems).find(([path]) => path === field || path.startsWith(`${field}.`))?.[1];

function detailsOf(error: Error | null): Record<string, string> {
  const details = error instanceof PostriderError ? error.body["details"] : undefined;
  if (!Array.isArray(details)) return {};
  return Object.fromEntries(
    details.flatMap((detail: unknown) =>
      isProblem(detail) ? [[detail.path, sayFault(detail.message)] as const] : [],
    ),
  );
}

function isProblem(detail: unknown): detail is { path: string; message: string } {
  return (
    typeof detail === "object" &&
    detail !== null &&
    "path" in detail &&
    "message" in detail &&
    typeof detail.path === "string" &&
    typeof detail.message === "string"
  );
}

/** Returns what went wrong in one sentence, for a toast. */
export const shortWordsOf = (error: Error, text: { errorNetwork: string }): string =>
  error instanceof PostriderError && error.code === "network" ? text.errorNetwork : error.message;

/** Returns our words for an error; undefined if the service's own say it all. */
function useWordsOf(error: Error): string | undefined {
  const text = useSharedText();
  if (!(error instanceof PostriderError)) return undefined;
  switch (error.code) {
    case "network":
      return text.errorNetwork;
    case "unauthorized":
      return text.errorSession;
    case "precondition_failed":
      return text.errorConflict;
    case "payload_too_large":
      return text.errorTooLarge;
    case "rate_limited":
      return error.retryAfter === undefined ? text.errorRateSoon : text.errorRate(error.retryAfter);
    case "internal":
      return text.errorInternal;
    default:
      return undefined;
  }
}
