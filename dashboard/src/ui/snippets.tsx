import { LANGUAGES, type ApiCall } from "../../../src/lib/snippets.ts";
import { storedChoice } from "../lib/stored-choice.ts";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { CodeBlock } from "./code-block.tsx";
import { Segments } from "./segments.tsx";

const [first, ...others] = LANGUAGES;
/** The language of snippets. The documentation reads and writes it, too (docs/site/site.js). */
const languageChoice = storedChoice(
  "postrider.snippet",
  [first.name, ...others.map(({ name }) => name)],
  () => undefined,
);

/** A call of the API as a program in the language that the user chooses. */
export function Snippets({ call, label }: { call: ApiCall; label: string }) {
  const text = useSharedText();
  const chosen = languageChoice.use();
  const { write } = LANGUAGES.find(({ name }) => name === chosen) ?? first;
  return (
    <div className="flex w-full flex-col gap-2">
      <div>
        <Segments
          label={text.snippetLanguage}
          choices={LANGUAGES.map(({ name }) => [name, name] as const)}
          chosen={chosen}
          onChoose={languageChoice.write}
        />
      </div>
      <CodeBlock label={label} code={write(call)} />
    </div>
  );
}
