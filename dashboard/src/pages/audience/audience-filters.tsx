import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { tagsQuery } from "../../api/audience.ts";
import { useProject } from "../../api/projects.ts";
import { formatNumber } from "../../lib/format.ts";
import { wordParam } from "../../lib/search-params.ts";
import { useSettled } from "../../lib/use-settled.ts";
import { useTyped } from "../../lib/use-typed.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { STATUSES, type Filters } from "./statuses.ts";
import { useAudienceText } from "./use-audience-text.ts";

const PAUSE_MS = 300;

interface AudienceFiltersProps {
  filters: Filters;
  onApply: (filters: { [K in keyof Filters]: Filters[K] | undefined }) => void;
}

/** Filters of the subscriber list, kept in the URL. The search follows the typing. */
export function AudienceFilters({ filters, onApply }: AudienceFiltersProps) {
  const text = useAudienceText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const known = useQuery(tagsQuery(projectId));
  const [typed, setTyped] = useTyped(filters);
  const { status, tag } = filters;
  const search = typed.search?.trim() || undefined;
  const settled = useSettled(search, PAUSE_MS);
  const apply = useEffectEvent(() => {
    if (search !== filters.search) onApply({ status, tag, search });
  });
  useEffect(() => {
    if (settled === search) apply();
  }, [settled, search]);
  const tags = known.data?.tags ?? [];
  const hasTag = tag === undefined || tags.some(({ name }) => name === tag);
  const isFiltered = search !== undefined || status !== undefined || tag !== undefined;
  return (
    <div role="search" className="grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-4">
      <TextField
        label={text.find}
        type="search"
        value={typed.search ?? ""}
        onChange={({ target }) => setTyped({ ...typed, search: target.value })}
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
      {isFiltered && (
        <div>
          <Button
            onClick={() => {
              setTyped({});
              onApply({ status: undefined, tag: undefined, search: undefined });
            }}
          >
            {shared.clear}
          </Button>
        </div>
      )}
    </div>
  );
}
