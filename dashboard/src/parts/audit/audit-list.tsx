import { useQuery, type QueryKey } from "@tanstack/react-query";
import type { Client } from "../../api/client.ts";
import { useTyped } from "../../lib/use-typed.ts";
import { EmptiedPage, EmptyState } from "../../ui/empty-state.tsx";
import { ScrollText } from "../../ui/icons.tsx";
import { SelectField } from "../../ui/field.tsx";
import { DateField } from "../date-field/date-field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { SearchForm } from "../../ui/search-form.tsx";
import { Pager, Table, type Column } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { auditQueryOf, type AuditSearch } from "./audit-search.ts";
import { useAuditText } from "./use-audit-text.ts";

type Answer = Awaited<ReturnType<Client["auth"]["auditLog"]["list"]>>;
type Entry = Answer["entries"][number];

interface AuditListProps {
  /** The project, workspace or user of these entries. */
  queryKey: QueryKey;
  load: (query: ReturnType<typeof auditQueryOf>, signal: AbortSignal) => Promise<Answer>;
  search: AuditSearch;
  /** Puts the filters into the URL. */
  onGo: (search: AuditSearch) => void;
}

/** Entries of an audit log, newest first, with filters in the URL. */
export function AuditList({ queryKey, load, search, onGo }: AuditListProps) {
  const text = useAuditText();
  const audit = useQuery({
    queryKey: [...queryKey, "audit", search],
    queryFn: ({ signal }) => load(auditQueryOf(search), signal),
  });
  const { after, ...filters } = search;
  return (
    <div className="flex flex-col gap-4">
      <AuditFilters filters={filters} onApply={onGo} />
      <Loaded query={audit} lines={8}>
        {({ entries, next }) => (
          <>
            {entries.length === 0 && after !== undefined ? (
              <EmptiedPage onFirst={() => onGo(filters)} />
            ) : entries.length === 0 ? (
              <EmptyState Icon={ScrollText} title={text.noEntries}>
                {text.noEntriesWords}
              </EmptyState>
            ) : (
              <Table
                label={text.title}
                density="dense"
                rows={entries}
                keyOf={({ id }) => id}
                columns={columnsOf(text)}
              />
            )}
            <Pager
              after={after}
              next={next}
              onGo={(cursor) =>
                onGo({ ...filters, ...(cursor === undefined ? {} : { after: cursor }) })
              }
            />
          </>
        )}
      </Loaded>
    </div>
  );
}

function AuditFilters(props: { filters: AuditSearch; onApply: (filters: AuditSearch) => void }) {
  const text = useAuditText();
  const [typed, setTyped] = useTyped(props.filters);
  const { action = "", from = "", to = "" } = typed;
  const given = Object.entries({ action, from, to }).filter(([, value]) => value);
  return (
    <SearchForm
      onSearch={() => props.onApply(Object.fromEntries(given))}
      onClear={() => {
        setTyped({});
        props.onApply({});
      }}
    >
      <SelectField
        label={text.action}
        value={action}
        onChange={({ target }) => setTyped({ ...typed, action: target.value })}
      >
        <option value="">{text.anyAction}</option>
        {Object.entries(text.actions).map(([code, words]) => (
          <option key={code} value={code}>
            {words}
          </option>
        ))}
      </SelectField>
      <DateField
        label={text.fromDay}
        type="date"
        value={from}
        onChange={(day) => setTyped({ ...typed, from: day })}
      />
      <DateField
        label={text.toDay}
        type="date"
        value={to}
        onChange={(day) => setTyped({ ...typed, to: day })}
      />
    </SearchForm>
  );
}

const columnsOf = (text: ReturnType<typeof useAuditText>): Column<Entry>[] => [
  { key: "when", head: text.when, cell: ({ created_at }) => <When at={created_at} /> },
  {
    key: "who",
    head: text.who,
    cell: ({ user_name, user_email }) => (
      <span title={user_email ?? undefined} className="wrap-break-word">
        {user_name ?? user_email ?? text.program}
      </span>
    ),
  },
  { key: "what", head: text.what, cell: ({ action }) => wordsOf(text, action) },
  {
    key: "target",
    head: text.target,
    isMinor: true,
    cell: ({ target_type, target_id, metadata }) => (
      <span title={`${target_type} ${target_id}`} className="wrap-break-word text-muted">
        {detailsOf(metadata)}
      </span>
    ),
  },
  {
    key: "from",
    head: text.from,
    isMinor: true,
    cell: ({ ip_address, user_agent }) => (
      <span title={user_agent} className="wrap-break-word">
        {ip_address}
      </span>
    ),
  },
];

/** Returns the words for an action, or its code if it has none. */
const wordsOf = ({ actions }: ReturnType<typeof useAuditText>, action: string): string =>
  Object.entries(actions).find(([code]) => code === action)?.[1] ?? action;

/** Returns the details of an entry as text: `name: News, count: 3`. */
const detailsOf = (metadata: Entry["metadata"]): string =>
  Object.entries(metadata)
    .map(([key, value]) => `${key.replaceAll("_", " ")}: ${[value].flat().join(", ")}`)
    .join("; ");
