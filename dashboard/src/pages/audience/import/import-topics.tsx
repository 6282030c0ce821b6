import { useQuery } from "@tanstack/react-query";
import { topicsQuery } from "../../../api/audience.ts";
import { useProject } from "../../../api/projects.ts";
import { CheckField } from "../../../ui/field.tsx";
import { useImportText } from "./use-import-text.ts";

interface ImportTopicsProps {
  /** Undefined for the default topics. */
  chosen: readonly string[] | undefined;
  onChoose: (topics: string[]) => void;
}

/**
 * Topics to which new subscribers of a file have consented; renders nothing if the project has
 * none.
 */
export function ImportTopics({ chosen, onChoose }: ImportTopicsProps) {
  const text = useImportText();
  const { id: projectId } = useProject();
  const topics = useQuery(topicsQuery(projectId)).data?.topics ?? [];
  if (topics.length === 0) return null;
  const defaults = topics.filter(({ is_default }) => is_default).map(({ id }) => id);
  const ids = chosen ?? defaults;
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">{text.topics}</legend>
      {topics.map(({ id, name }) => (
        <CheckField
          key={id}
          label={name}
          checked={ids.includes(id)}
          onChange={({ target }) => {
            const rest = ids.filter((one) => one !== id);
            onChoose(target.checked ? [...rest, id] : rest);
          }}
        />
      ))}
    </fieldset>
  );
}
