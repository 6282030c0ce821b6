import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fieldsQuery } from "../../api/audience.ts";
import { useProject } from "../../api/projects.ts";
import { FieldCell } from "../../parts/fields/field-cell.tsx";
import { Address } from "../../ui/address.tsx";
import { Button, TextLink } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField } from "../../ui/field.tsx";
import type { Column } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { sortHead } from "./sort-head.tsx";
import { StatusBadge } from "./status-badge.tsx";
import type { Sort, Subscriber } from "./statuses.ts";
import { useAudienceText } from "./use-audience-text.ts";

/** A column that the reader can hide. */
interface OwnColumn extends Column<Subscriber> {
  label: string;
}

/** The number of fields in the table until the reader chooses its columns. */
const FIELDS_AT_FIRST = 3;

/** The fields that an import makes of a name. */
const NAMES = ["metadata.first_name", "metadata.last_name"];

interface Sorting {
  sort: Sort | undefined;
  onSort: (sort: Sort | undefined) => void;
  /** False if the service cannot sort this list by email. */
  canSortByEmail: boolean;
}

/** Returns the columns of the table, and the button that chooses among them. */
export function useAudienceColumns({ sort, onSort, canSortByEmail }: Sorting) {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const fields = useQuery(fieldsQuery(projectId)).data?.fields ?? [];
  const [hidden, setHidden] = useHidden(projectId);
  const columns: OwnColumn[] = [
    {
      key: "status",
      label: text.status,
      head: text.status,
      cell: (person) => <StatusBadge {...person} />,
    },
    ...fields.map((field) => ({
      key: `metadata.${field.key}`,
      label: field.label,
      head: field.label,
      isMinor: true,
      isNumber: field.type === "number",
      cell: ({ metadata }: Subscriber) => <FieldCell field={field} value={metadata[field.key]} />,
    })),
    {
      key: "tags",
      label: text.tags,
      head: text.tags,
      isMinor: true,
      cell: ({ tags }) => <Tags tags={tags} />,
    },
    {
      key: "since",
      label: text.since,
      isMinor: true,
      cell: ({ created_at }) => <When at={created_at} />,
      ...sortHead(text.since, { sort, onSort, orders: ["-created_at", "created_at"] }),
    },
  ];
  const hiddenKeys = hidden ?? fields.slice(FIELDS_AT_FIRST).map(({ key }) => `metadata.${key}`);
  const shown = columns.filter(({ key }) => !hiddenKeys.includes(key));
  const hasNames = NAMES.every((name) => shown.some(({ key }) => key === name));
  const email: Column<Subscriber> = {
    key: "email",
    cell: (person) => <Person person={person} hasNames={hasNames} />,
    ...(canSortByEmail
      ? sortHead(text.email, { sort, onSort, orders: ["email", "-email"] })
      : { head: text.email }),
  };
  return {
    columns: [email, ...shown],
    columnChoice: <ColumnChoice columns={columns} hidden={hiddenKeys} onHide={setHidden} />,
  };
}

/** The keys of the hidden columns, kept by this browser; undefined until the reader chooses. */
function useHidden(projectId: string) {
  const name = `postrider.columns.${projectId}`;
  const [hidden, setHidden] = useState(() => localStorage.getItem(name)?.split("\n"));
  const write = (keys: readonly string[]) => {
    localStorage.setItem(name, keys.join("\n"));
    setHidden([...keys]);
  };
  return [hidden, write] as const;
}

interface ColumnChoiceProps {
  columns: readonly OwnColumn[];
  hidden: readonly string[];
  onHide: (hidden: readonly string[]) => void;
}

function ColumnChoice({ columns, hidden, onHide }: ColumnChoiceProps) {
  const text = useAudienceText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{text.chooseColumns}</Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={text.chooseColumns}>
        {/* saved at once, so closing the dialog loses nothing */}
        <div className="flex flex-col gap-3" onInput={(event) => event.stopPropagation()}>
          {columns.map(({ key, label }) => (
            <CheckField
              key={key}
              label={label}
              checked={!hidden.includes(key)}
              onChange={({ target }) =>
                onHide(target.checked ? hidden.filter((one) => one !== key) : [...hidden, key])
              }
            />
          ))}
        </div>
      </Dialog>
    </>
  );
}

interface PersonProps {
  person: Subscriber;
  /** True if the columns have the name, as far as they fit. */
  hasNames: boolean;
}

function Person({ person: { id: subscriberId, email, name }, hasNames }: PersonProps) {
  const { id: projectId } = useProject();
  return (
    // the first part gives the row its baseline
    <span className="flex flex-row-reverse items-center justify-end gap-3">
      <span className="min-w-0 self-baseline">
        <TextLink to="/p/$projectId/audience/$subscriberId" params={{ projectId, subscriberId }}>
          <Address>{email}</Address>
        </TextLink>
        {name && <span className={`block text-muted ${hasNames ? "sm:hidden" : ""}`}>{name}</span>}
      </span>
      <span
        aria-hidden
        className="hidden size-9 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold sm:grid"
      >
        {initialsOf(name || email)}
      </span>
    </span>
  );
}

/** Returns the first letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = (name.split("@")[0] ?? "").match(/[\p{L}\p{N}]+/gu) ?? [];
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return [first, last].map((word) => word?.match(/^./u)?.[0].toUpperCase()).join("");
}

function Tags({ tags }: { tags: readonly string[] }) {
  const { id: projectId } = useProject();
  return (
    <span className="flex flex-wrap gap-x-2">
      {tags.map((tag) => (
        <TextLink key={tag} to="/p/$projectId/audience" params={{ projectId }} search={{ tag }}>
          {tag}
        </TextLink>
      ))}
    </span>
  );
}
