import { useQuery } from "@tanstack/react-query";
import { tagsQuery } from "../../api/audience.ts";
import { useProject } from "../../api/projects.ts";
import { formatNumber } from "../../lib/format.ts";
import { wordParam } from "../../lib/search-params.ts";
import { useTyped } from "../../lib/use-typed.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { SearchForm } from "../../ui/search-form.tsx";
import { STATUSES, type Filters } from "./statuses.ts";
import { useAudienceText } from "./use-audience-text.ts";

interface AudienceFiltersProps {
  filters: Filters;
  onApply: (filters: { [K in keyof Filters]: Filters[K] | undefined }) => void;
}

/** Filters of the subscriber list, kept in the URL. */
export function AudienceFilters({ filters, onApply }: AudienceFiltersProps) {
  const text = useAudienceText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const known = useQuery(tagsQuery(projectId));
  const [typed, setTyped] = useTyped(filters);
  const { status, tag } = filters;
  const search = typed.search?.trim() || undefined;
  const tags = known.data?.tags ?? [];
  const hasTag = tag === undefined || tags.some(({ name }) => name === tag);
  return (
    <SearchForm
      onSearch={() => onApply({ status, tag, search })}
      onClear={() => {
        setTyped({});
        onApply({});
      }}
    >
      <TextField
        label={text.find}
        value={typed.search ?? ""}
        onChange={({ target }) => setTyped({ ...typed, search: target.value })}
        placeholder="ann"
      />
      <SelectField
        label={text.status}
        value={status ?? ""}
        onChange={({ target }) =>
          onApply({ search, tag, status: wordParam(target.value, STATUSES) })
        }
      >
        <option value="">{shared.any}</option>
        {STATUSES.map((one) => (
          <option key={one} value={one}>
            {text.statuses[one]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={text.tag}
        value={tag ?? ""}
        onChange={({ target }) => onApply({ search, status, tag: target.value || undefined })}
      >
        <option value="">{shared.any}</option>
        {!hasTag && <option value={tag}>{tag}</option>}
        {tags.map(({ name, count }) => (
          <option key={name} value={name}>
            {name} ({formatNumber(count)})
          </option>
        ))}
      </SelectField>
    </SearchForm>
  );
}
