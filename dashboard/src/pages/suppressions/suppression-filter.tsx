import { wordParam } from "../../lib/search-params.ts";
import { useTyped } from "../../lib/use-typed.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { SearchForm } from "../../ui/search-form.tsx";
import { REASONS } from "./reasons.ts";
import { useSuppressionsText } from "./use-suppressions-text.ts";

interface Search {
  email?: string;
  reason?: (typeof REASONS)[number];
}

interface SuppressionFilterProps {
  search: Search;
  onApply: (search: { [K in keyof Search]: Search[K] | undefined }) => void;
}

/** Filters of the suppression list, kept in the URL. */
export function SuppressionFilter({ search, onApply }: SuppressionFilterProps) {
  const text = useSuppressionsText();
  const shared = useSharedText();
  const [typed, setTyped] = useTyped(search);
  const { reason } = search;
  const email = typed.email?.trim() || undefined;
  return (
    <SearchForm
      onSearch={() => onApply({ email, reason })}
      onClear={() => {
        setTyped({});
        onApply({});
      }}
    >
      <TextField
        label={text.email}
        type="email"
        value={typed.email ?? ""}
        placeholder="ann@example.com"
        onChange={({ target }) => setTyped({ ...typed, email: target.value })}
      />
      <SelectField
        label={text.reason}
        value={reason ?? ""}
        onChange={({ target }) => onApply({ email, reason: wordParam(target.value, REASONS) })}
      >
        <option value="">{shared.any}</option>
        {REASONS.map((one) => (
          <option key={one} value={one}>
            {text.reasons[one]}
          </option>
        ))}
      </SelectField>
    </SearchForm>
  );
}
