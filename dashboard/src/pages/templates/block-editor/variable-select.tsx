import type { Variable } from "../preview/use-audience.ts";
import { useTemplatesText } from "../use-templates-text.ts";

interface VariableSelectProps {
  variables: Variable[];
  onChoose: (name: string) => void;
}

/** Menu of the audience's variables. */
export function VariableSelect({ variables, onChoose }: VariableSelectProps) {
  const text = useTemplatesText();
  return (
    <select
      aria-label={text.insertVariable}
      value=""
      onChange={(event) => onChoose(event.target.value)}
      className="min-h-9 rounded-md border border-line bg-surface px-2 text-sm"
    >
      <option value="">{text.insertVariable}</option>
      {variables.map(({ name, share }) => (
        <option key={name} value={name}>
          {share ? `${name} (${text.shareOfPeople(share.have, share.of)})` : name}
        </option>
      ))}
    </select>
  );
}
