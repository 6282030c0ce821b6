import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { stepNamed } from "../../../../../src/lib/automation-steps.ts";
import { useProject } from "../../../api/projects.ts";
import { formatExact } from "../../../lib/format.ts";
import { useSettled } from "../../../lib/use-settled.ts";
import { RuleWords } from "../../../parts/segments/rule-words.tsx";
import { useRuleFields } from "../../../parts/segments/use-rule-fields.ts";
import { Address } from "../../../ui/address.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { peopleQuery } from "../../templates/queries.ts";
import { STEP_ICONS } from "../icons.tsx";
import { editedOf } from "../edit/edited.ts";
import { rehearsalQuery, type Automation, type Rehearsed } from "../queries.ts";
import { useWords } from "../words/use-words.ts";
import { useWordsText } from "../words/use-words-text.ts";
import { useCheckText } from "./use-check-text.ts";

const MOST_FOUND = 6;

interface WalkPersonProps {
  automation: Automation;
  version: string;
}

/** Finds a person, and shows the way that this person would take. */
export function WalkPerson({ automation, version }: WalkPersonProps) {
  const text = useCheckText();
  const { id: projectId } = useProject();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<string>();
  const search = useSettled(typed.trim());
  const people = useQuery({ ...peopleQuery(projectId, search), enabled: search !== "" });
  const found = search === "" ? [] : (people.data?.subscribers ?? []);
  const walk = useQuery({
    ...rehearsalQuery(projectId, automation.id, version, chosen),
    enabled: chosen !== undefined,
  });
  return (
    <div className="grid gap-6 lg:grid-cols-[2fr_3fr]">
      <div className="flex flex-col gap-3">
        <TextField
          label={text.person}
          hint={text.personHint}
          type="search"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        {search !== "" && people.data && found.length === 0 && (
          <p className="text-sm text-muted">{text.nobody}</p>
        )}
        {found.length > 0 && (
          <ul aria-label={text.found} className="flex flex-col">
            {found.slice(0, MOST_FOUND).map(({ id, email, name }) => (
              <li key={id}>
                <button
                  type="button"
                  aria-pressed={id === chosen}
                  onClick={() => setChosen(id)}
                  className="w-full rounded-md px-2 py-1.5 text-left text-sm hover:bg-sunken aria-pressed:bg-accent-soft"
                >
                  {name !== "" && `${name}, `}
                  <Address>{email}</Address>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      {chosen !== undefined && (
        <Loaded query={walk} lines={4}>
          {({ person }) => person && <Path automation={automation} person={person} />}
        </Loaded>
      )}
    </div>
  );
}

interface PathProps {
  automation: Automation;
  person: NonNullable<Rehearsed["person"]>;
}

function Path({ automation, person }: PathProps) {
  const text = useCheckText();
  const { otherwise } = useWordsText();
  const { id: projectId } = useProject();
  const { sayStep } = useWords(projectId);
  const fields = useRuleFields(projectId);
  return (
    <div className="flex flex-col gap-3 text-sm">
      {!person.enters && <p className="font-medium">{text.staysOut}</p>}
      <ol aria-label={text.path} className="flex flex-col gap-3 border-l border-line pl-4">
        {person.steps.map(({ id, at, where, mailed, subject }, index) => {
          const step = stepNamed(editedOf(automation), id);
          if (!step) return null;
          const Kind = STEP_ICONS[step.type];
          return (
            <li key={index} className="flex items-start gap-2">
              <Kind aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
              <span className="min-w-0">
                <span className="block">{sayStep(step)}</span>
                <span className="block text-xs text-muted">
                  {formatExact(at)}
                  {mailed !== null && ` · ${mailed ? text.gets(subject ?? "") : text.getsNothing}`}
                  {step.type === "branch" && (
                    <>
                      {" · "}
                      {where === null ? otherwise : <RuleWords where={where} fields={fields} />}
                    </>
                  )}
                </span>
              </span>
            </li>
          );
        })}
      </ol>
      <p>{text.leaves[person.leaves]}</p>
    </div>
  );
}
