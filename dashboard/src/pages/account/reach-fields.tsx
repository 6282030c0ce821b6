import { useQuery } from "@tanstack/react-query";
import { allProjectsQuery } from "../../api/projects.ts";
import { toggled } from "../../lib/toggled.ts";
import { CheckField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useAccountText } from "./use-account-text.ts";

/** The projects that an access token reaches; undefined for all of its user. */
export type Reach = ReadonlySet<string> | undefined;

interface ReachFieldsProps {
  chosen: Reach;
  onChoose: (chosen: Reach) => void;
}

/** Chooses the projects that an access token reaches. */
export function ReachFields({ chosen, onChoose }: ReachFieldsProps) {
  const text = useAccountText();
  const projects = useQuery(allProjectsQuery);
  return (
    <>
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 text-sm font-medium">{text.projects}</legend>
        <CheckField
          type="radio"
          name="reach"
          label={text.reach.all}
          checked={chosen === undefined}
          onChange={() => onChoose(undefined)}
        />
        <CheckField
          type="radio"
          name="reach"
          label={text.reach.some}
          checked={chosen !== undefined}
          onChange={() => onChoose(new Set())}
        />
      </fieldset>
      {chosen && (
        <Loaded query={projects} lines={2}>
          {(all) => (
            <div
              role="group"
              aria-label={text.reach.some}
              className="flex max-h-48 flex-col gap-1 overflow-y-auto pl-6"
            >
              {all.map(({ id, name }) => (
                <CheckField
                  key={id}
                  label={name}
                  checked={chosen.has(id)}
                  onChange={() => onChoose(toggled(chosen, id))}
                />
              ))}
            </div>
          )}
        </Loaded>
      )}
    </>
  );
}
