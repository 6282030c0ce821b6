import { PostriderError } from "../api/client.ts";
import { sessionEnded } from "../api/session-state.ts";
import { asSentence } from "../lib/as-sentence.ts";
import { fieldName } from "../text/field-name.ts";
import { languageChoice } from "../text/language.ts";
import { inLanguage, isMessage, type Answered, type Message } from "../text/messages.ts";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

interface ErrorWordsProps {
  error: Error;
  /** Retries. */
  onRetry?: (() => void) | undefined;
}

/** Explains an error, with the problem of each field, and offers a retry. */
export function ErrorWords({ error, onRetry }: ErrorWordsProps) {
  const text = useSharedText();
  const words = useWordsOf(error);
  const faults = faultsOf(error);
  const isSession = error instanceof PostriderError && error.status === 401;
  if (error.name === "AbortError") return null; // the user aborted it, and already knows
  return (
    <Notice tone="bad" role="alert">
      {faults.length < 2 ? (
        <p>{words ?? sayError(error)}</p>
      ) : (
        <ul className="list-disc pl-5">
          {faults.map(([path, fault]) => (
            <li key={path}>{sayFault(path, fault)}</li>
          ))}
        </ul>
      )}
      {(isSession || onRetry) && (
        <div className="mt-2 flex gap-2">
          {isSession && <Button onClick={() => sessionEnded.report()}>{text.login}</Button>}
          {onRetry && <Button onClick={onRetry}>{text.tryAgain}</Button>}
        </div>
      )}
    </Notice>
  );
}

/** Returns the problems by field path, as sentences (API reference §3.1). */
export const problemsOf = (error: Error | null): Record<string, string> =>
  Object.fromEntries(faultsOf(error).map(([path, fault]) => [path, asSentence(fault)]));

/** Returns the last problem of each field path, in the user's language. */
function faultsOf(error: Error | null): [path: string, fault: string][] {
  const details = error instanceof PostriderError ? error.body["details"] : undefined;
  if (!Array.isArray(details)) return [];
  const faults = details
    .filter(isFieldFault)
    .map(({ path, ...fault }) => [path, translate(fault)] as const);
  return Object.entries(Object.fromEntries(faults));
}

const isFieldFault = (detail: unknown): detail is Message & { path: string } =>
  isMessage(detail) && "path" in detail && typeof detail.path === "string";

const sayFault = (path: string, fault: string): string =>
  asSentence(path === "" ? fault : `${fieldName(path)}: ${fault}`);

/** Returns an error as a sentence in the user's language, if translated. */
export function sayError(error: Error): string {
  if (!(error instanceof PostriderError)) return error.message;
  const [first] = faultsOf(error);
  if (first) return sayFault(...first);
  const { code, body, message } = error;
  return say({ code, params: body["params"] as Answered["params"], message });
}

/** Returns a message of the service as a sentence in the user's language, if translated. */
export const say = (fault: Answered): string => asSentence(translate(fault));

const translate = (fault: Answered): string => inLanguage(languageChoice.read(), fault);

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
    case 429:
      return error.retryAfter === undefined ? text.errorRateSoon : text.errorRate(error.retryAfter);
    case 500:
      return text.errorInternal;
    default:
      return undefined;
  }
}
