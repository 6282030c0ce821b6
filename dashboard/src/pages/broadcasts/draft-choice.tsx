import type { ReactNode } from "react";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { ErrorWords } from "../../ui/error-words.tsx";
import { SelectField } from "../../ui/field.tsx";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

interface DraftChoiceProps {
  label: string;
  hint?: ReactNode;
  /** Label of the empty option. */
  none: string;
  value: string;
  error?: string | undefined;
  /** True if an option must be selected. */
  required?: boolean;
  /** Query of the options. */
  list: { error: Error | null; isPending: boolean; refetch: () => unknown };
  choices: readonly { id: string; name: string }[] | undefined;
  onChange: (id: string) => void;
}

/**
 * A select of the project's resources. A selected one that is not in the list remains an option.
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
