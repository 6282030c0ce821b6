import { PostriderError } from "../api/client.ts";
import { sessionEnded } from "../api/session-state.ts";
import { languageChoice } from "../text/language.ts";
import { inGerman, isMessage, type Answered, type Message } from "../text/messages.ts";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

interface ErrorWordsProps {
  error: Error;
  /** Retries. */
  onRetry?: (() => void) | undefined;
}

/** Explains an error, quotes the service, and offers a retry. */
export function ErrorWords({ error, onRetry }: ErrorWordsProps) {
  const text = useSharedText();
  const words = useWordsOf(error);
  const isSession = error instanceof PostriderError && error.status === 401;
  if (error.name === "AbortError") return null; // the user aborted it, and already knows
  return (
    <Notice tone="bad" role="alert">
      <p>{words ?? sayError(error)}</p>
      {words !== undefined && error instanceof PostriderError && error.status > 0 && (
        <p className="mt-1">
          {text.serverSaid} {sayError(error)}
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

/** Lists the problems of several fields. */
function ProblemList({ error }: { error: Error }) {
  const problems = Object.entries(problemsOf(error));
  if (problems.length < 2) return null;
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

/** Returns the problems by field path (API reference §3.1). */
export function problemsOf(error: Error | null): Record<string, string> {
  const details = error instanceof PostriderError ? error.body["details"] : undefined;
  if (!Array.isArray(details)) return {};
  return Object.fromEntries(
    details.flatMap((detail: unknown) =>
      isFieldFault(detail) ? [[detail.path, say(detail)] as const] : [],
    ),
  );
}

const isFieldFault = (detail: unknown): detail is Message & { path: string } =>
  isMessage(detail) && "path" in detail && typeof detail.path === "string";

/** Formats an error in the user's language, if translated. */
export function sayError(error: Error): string {
  if (!(error instanceof PostriderError)) return error.message;
  const [first] = Object.entries(problemsOf(error));
  const { code, body, message } = error;
  if (!first) return say({ code, params: body["params"] as Answered["params"], message });
  const [path, fault] = first;
  return path === "" ? fault : `${path}: ${fault}`;
}

/** Formats a message of the service in the user's language, if translated. */
export function say(fault: Answered): string {
  return languageChoice.read() === "de" ? inGerman(fault) : fault.message;
}

/** Returns the problem of a field or of a part of it, such as `events.2` of `events`. */
export const problemAt = (problems: Record<string, string>, field: string): string | undefined =>
  Object.entries(problems).find(([path]) => path === field || path.startsWith(`${field}.`))?.[1];

/** Returns an error in one sentence, for a toast. */
export const shortWordsOf = (error: Error, text: { errorNetwork: string }): string =>
  error instanceof PostriderError && error.status === 0 ? text.errorNetwork : sayError(error);

/** Returns our own text for an error; undefined if the service's text is sufficient. */
function useWordsOf(error: Error): string | undefined {
  const text = useSharedText();
  if (!(error instanceof PostriderError)) return undefined;
  switch (error.status) {
    case 0:
      return text.errorNetwork;
    case 401:
      return text.errorSession;
    case 412:
      return text.errorConflict;
    case 413:
      return text.errorTooLarge;
    case 429:
      return error.retryAfter === undefined ? text.errorRateSoon : text.errorRate(error.retryAfter);
    case 500:
      return text.errorInternal;
    default:
      return undefined;
  }
}
