import { useId, useState } from "react";
import { useProject } from "../../api/projects.ts";
import type { RawSearch } from "../../lib/search-params.ts";
import { useTyped } from "../../lib/use-typed.ts";
import { momentOf, readersZone, wallClockOf } from "../../lib/wall-clock.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { DateField } from "../../parts/date-field/date-field.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { STATUSES, filtersOf, type LogFilters } from "./filters.ts";
import { AutomationName, BroadcastName, TemplateName } from "./names.tsx";
import { useLogText } from "./use-log-text.ts";

interface LogFilterFormProps {
  filters: LogFilters;
  onApply: (filters: LogFilters) => void;
}

const NAMES: Record<string, typeof TemplateName> = {
  template_id: TemplateName,
  broadcast_id: BroadcastName,
  automation_id: AutomationName,
};

/** The name of what a filter selects. */
function FilterName({ name, id }: { name: string; id: string }) {
  const { id: projectId } = useProject();
  const Name = NAMES[name];
  return Name ? <Name projectId={projectId} id={id} /> : id;
}

/** Log filters, kept in the URL, so that a view can be linked. */
export function LogFilterForm({ filters, onApply }: LogFilterFormProps) {
  const text = useLogText();
  const shared = useSharedText();
  const applied = filtersOf({ ...filters, after: undefined });
  const [typed, setTyped] = useTyped<LogFilters>(applied);
  const withPart = (part: RawSearch) => filtersOf({ ...typed, ...part });
  const change = (part: RawSearch) => setTyped(withPart(part));
  const choose = (part: RawSearch) => onApply(withPart(part));
  const [isShown, setShown] = useState(false);
  const fieldsId = useId();
  const active = Object.values(applied).filter(Boolean).length;
  const { template_id, broadcast_id, automation_id, step_id, subscriber_id } = filters;
  const narrowed = { template_id, broadcast_id, automation_id, step_id, subscriber_id };
  const zone = readersZone();
  const time = (name: "from" | "to") => (
    <DateField
      label={text.only[name]}
      type="datetime-local"
      value={typed[name] === undefined ? "" : wallClockOf(typed[name], zone)}
      onChange={(clock) => change({ [name]: clock && momentOf(clock, zone) })}
    />
  );
  return (
    <form
      role="search"
      className="flex flex-col gap-3 sm:rounded-lg sm:bg-sunken sm:p-4"
      onSubmit={(event) => {
        event.preventDefault();
        onApply(filtersOf({ ...typed }));
      }}
    >
      <div className="sm:hidden">
        <Button
          aria-expanded={isShown}
          aria-controls={fieldsId}
          onClick={() => setShown((before) => !before)}
        >
          {text.filters(active)}
        </Button>
      </div>
      <div
        id={fieldsId}
        className={`${isShown ? "grid" : "hidden"} items-end gap-3 sm:grid sm:grid-cols-2 lg:grid-cols-4`}
      >
        <TextField
          label={text.recipient}
          type="email"
          value={typed.to_email ?? ""}
          placeholder="ann@example.com"
          onChange={({ target }) => change({ to_email: target.value })}
        />
        <SelectField
          label={text.status}
          value={typed.status ?? ""}
          onChange={({ target }) => choose({ status: target.value })}
        >
          <option value="">{shared.any}</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {shared.statusNames[status]}
            </option>
          ))}
        </SelectField>
        <TextField
          label={text.tag}
          value={typed.tag ?? ""}
          onChange={({ target }) => change({ tag: target.value })}
        />
        <TextField
          label={text.tagValue}
          value={typed.tag_value ?? ""}
          onChange={({ target }) => change({ tag_value: target.value })}
        />
        {time("from")}
        {time("to")}
        <div className="flex gap-2">
          <Button type="submit" look="primary">
            {shared.search}
          </Button>
          <Button
            onClick={() => {
              setTyped(filtersOf({}));
              onApply(filtersOf({}));
            }}
          >
            {shared.clear}
          </Button>
        </div>
      </div>
      {Object.values(narrowed).some(Boolean) && (
        <ul aria-label={text.narrowed} className="flex flex-wrap gap-2 text-sm">
          {Object.entries(narrowed).map(
            ([name, value]) =>
              value && (
                <li key={name}>
                  <Button
                    look="quiet"
                    className="break-all"
                    onClick={() => choose({ [name]: undefined })}
                  >
                    {text.only[name]}: <FilterName name={name} id={value} /> ✕
                    <span className="sr-only">{text.remove}</span>
                  </Button>
                </li>
              ),
          )}
        </ul>
      )}
    </form>
  );
}
