interface Problem {
  code: string;
  /** The service's own English text, with the specific names and numbers. */
  message: string;
}

interface ProblemWordsProps {
  problem: Problem;
  /** Texts in the user's language, by code known to this page. */
  words: Readonly<Record<string, string>>;
  /** True if the texts contain everything that the service reports. */
  isWhole: boolean;
  /** The message of the service in the user's language. */
  detail?: string | undefined;
}

/** Returns the text for a code; undefined if this page does not know it. */
const wordsOfCode = (words: Readonly<Record<string, string>>, code: string): string | undefined =>
  Object.hasOwn(words, code) ? words[code] : undefined;

/** Shows a problem in the user's language, followed by the service's details. */
export function ProblemWords({ problem, words, isWhole, detail }: ProblemWordsProps) {
  const { code, message } = problem;
  const known = wordsOfCode(words, code);
  const said = detail ?? message;
  return (
    <span>
      {known}{" "}
      {(known === undefined || !isWhole) && (
        <span lang={said === message ? "en" : undefined} className={known && "text-muted"}>
          {said}
        </span>
      )}
    </span>
  );
}

/** The same as plain text. */
export const sayProblem = (
  { code, message }: Problem,
  words: Readonly<Record<string, string>>,
  isWhole: boolean,
): string => {
  const known = wordsOfCode(words, code);
  return known === undefined ? message : isWhole ? known : `${known} ${message}`;
};
