import type { ReactNode } from "react";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { ErrorWords } from "../../ui/error-words.tsx";
import { SelectField } from "../../ui/field.tsx";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

interface DraftChoiceProps {
  label: string;
  hint?: ReactNode;
  /** The words of the empty choice. */
  none: string;
  value: string;
  error?: string | undefined;
  /** One of the choices must be made. */
  required?: boolean;
  /** The query of the choices. */
  list: { error: Error | null; isPending: boolean; refetch: () => unknown };
  choices: readonly { id: string; name: string }[] | undefined;
  onChange: (id: string) => void;
}

/**
 * A choice among things of the project. A chosen one that is not in the list keeps its place in it.
 */
export function DraftChoice(props: DraftChoiceProps) {
  const { label, hint, none, value, error, required, list, choices, onChange } = props;
  const text = useBroadcastsText();
  const shared = useSharedText();
  const isListed = value === "" || choices?.some(({ id }) => id === value);
  const unlisted = choices ? text.chosenIsGone : list.isPending ? shared.loading : text.notLoaded;
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label={label}
        {...(hint === undefined ? {} : { hint })}
        value={value}
        error={error}
        required={required}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">{none}</option>
        {!isListed && <option value={value}>{unlisted}</option>}
        {choices?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {list.error && !choices && (
        <ErrorWords error={list.error} onRetry={() => void list.refetch()} />
      )}
    </div>
  );
}
