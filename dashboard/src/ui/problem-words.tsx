interface Problem {
  code: string;
  /** The service's own words, in English, with the names and numbers of this very problem. */
  message: string;
}

interface ProblemWordsProps {
  problem: Problem;
  /** The words of the reader's language for each code that this page knows. */
  words: Readonly<Record<string, string>>;
  /** The words tell everything that the service says. */
  isWhole: boolean;
  /** The message of the service in the reader's language. */
  detail?: string | undefined;
}

/** Returns the words for a code; undefined for one that this page does not know. */
const wordsOfCode = (words: Readonly<Record<string, string>>, code: string): string | undefined =>
  Object.hasOwn(words, code) ? words[code] : undefined;

/** Says a problem in the reader's language, and then what the service says about it. */
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

/** Says a problem where only text fits. */
export const sayProblem = (
  { code, message }: Problem,
  words: Readonly<Record<string, string>>,
  isWhole: boolean,
): string => {
  const known = wordsOfCode(words, code);
  return known === undefined ? message : isWhole ? known : `${known} ${message}`;
};
