import { useQuery } from "@tanstack/react-query";
import { topicsQuery } from "../../api/audience.ts";
import { useProject } from "../../api/projects.ts";
import { CheckField } from "../../ui/field.tsx";
import { useAudienceText } from "./use-audience-text.ts";

interface ImportTopicsProps {
  chosen: readonly string[];
  onChoose: (topics: string[]) => void;
}

/**
 * Topics to which new subscribers of a file have consented; renders nothing if the project has
 * none.
 */
export function ImportTopics({ chosen, onChoose }: ImportTopicsProps) {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const topics = useQuery(topicsQuery(projectId)).data?.topics ?? [];
  if (topics.length === 0) return null;
  return (
    <fieldset className="mt-4 flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">{text.importTopics}</legend>
      {topics.map(({ id, name }) => (
        <CheckField
          key={id}
          label={name}
          checked={chosen.includes(id)}
          onChange={({ target }) => {
            const rest = chosen.filter((one) => one !== id);
            onChoose(target.checked ? [...rest, id] : rest);
          }}
        />
      ))}
    </fieldset>
  );
}
