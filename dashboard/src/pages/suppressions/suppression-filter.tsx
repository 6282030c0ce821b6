import { useState } from "react";
import { wordParam } from "../../lib/search-params.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { REASONS } from "./reasons.ts";
import { useSuppressionsText } from "./use-suppressions-text.ts";

interface Search {
  email?: string;
  reason?: (typeof REASONS)[number];
}

interface SuppressionFilterProps {
  search: Search;
  onApply: (search: Search) => void;
}

/** The filters of the suppression list. They go into the address of the page. */
export function SuppressionFilter({ search, onApply }: SuppressionFilterProps) {
  const text = useSuppressionsText();
  const [email, setEmail] = useState(search.email ?? "");
  const apply = (reason = search.reason) =>
    onApply({ ...(email.trim() ? { email: email.trim() } : {}), ...(reason ? { reason } : {}) });
  return (
    <form
      role="search"
      className="grid items-end gap-3 sm:grid-cols-[2fr_1fr_auto]"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <TextField
        label={text.email}
        type="email"
        value={email}
        placeholder="ann@example.com"
        onChange={({ target }) => setEmail(target.value)}
      />
      <SelectField
        label={text.reason}
        value={search.reason ?? ""}
        onChange={({ target }) => {
          const reason = wordParam(target.value, REASONS);
          onApply({
            ...(email.trim() ? { email: email.trim() } : {}),
            ...(reason ? { reason } : {}),
          });
        }}
      >
        <option value="">{text.any}</option>
        {REASONS.map((reason) => (
          <option key={reason} value={reason}>
            {text.reasons[reason]}
          </option>
        ))}
      </SelectField>
      <div className="flex gap-2">
        <Button type="submit">{text.search}</Button>
        <Button onClick={() => onApply({})}>{text.clear}</Button>
      </div>
    </form>
  );
}
