import type * as Api from "../../../../../client/src/types.ts";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { guessType, type FieldType } from "./column-values.ts";
import { USES, withUse, type FileColumn } from "./import-columns.ts";
import { SHOWN_ROWS } from "./run-import.ts";
import { useImportText } from "./use-import-text.ts";

const TYPES: readonly FieldType[] = ["text", "number", "date", "boolean", "choice", "url"];
const PREFIX = "field:";

interface ColumnRowProps {
  column: FileColumn;
  /** The fields of the project. */
  fields: readonly Api.Field[];
  onChange: (column: FileColumn) => void;
}

/** A column of a file with its first values, and what it holds. */
export function ColumnRow({ column, fields, onChange }: ColumnRowProps) {
  const text = useImportText();
  const { name, values, use, key, label, type } = column;
  const known = fields.find((field) => field.key === key);
  const isNew = use === "field" && !known;
  const choose = (value: string) => {
    const chosen = fields.find((field) => value === PREFIX + field.key);
    if (chosen) return onChange({ ...column, ...pickField(chosen), use: "field" });
    const next = USES.find((one) => one === value) ?? "skip";
    const isTaken = next === "field" && known;
    onChange({ ...withUse(column, next), ...(isTaken && ownField(column, fields)) });
  };
  const title = name || text.columnAt(column.place + 1);
  return (
    <li className="grid gap-3 py-3 sm:grid-cols-2 lg:grid-cols-4">
      <div className="min-w-0 lg:col-span-2">
        <p className="font-medium wrap-break-word">{title}</p>
        <p className="text-sm wrap-break-word text-muted">
          {values.slice(0, SHOWN_ROWS).filter(Boolean).join(" \u00b7 ") || text.noValues}
        </p>
      </div>
      <SelectField
        label={text.columnUse(title)}
        value={use === "field" && known ? PREFIX + key : use}
        onChange={({ target }) => choose(target.value)}
      >
        {USES.map((one) => (
          <option key={one} value={one}>
            {text.uses[one]}
          </option>
        ))}
        {fields.map((field) => (
          <option key={field.key} value={PREFIX + field.key}>
            {text.fieldNamed(field.label)}
          </option>
        ))}
      </SelectField>
      {isNew && (
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label={text.fieldLabel}
            value={label}
            required
            onChange={({ target }) => onChange({ ...column, label: target.value })}
          />
          <SelectField
            label={text.fieldType}
            value={type}
            onChange={({ target }) =>
              onChange({ ...column, type: TYPES.find((one) => one === target.value) ?? "text" })
            }
          >
            {TYPES.map((one) => (
              <option key={one} value={one}>
                {text.fieldTypes[one]}
              </option>
            ))}
          </SelectField>
        </div>
      )}
    </li>
  );
}

const pickField = ({ key, label, type }: Api.Field) => ({ key, label, type });

/** Returns a new field of a column whose name some field has already. */
function ownField({ key, name, values }: FileColumn, fields: readonly Api.Field[]) {
  let free = key;
  for (let n = 2; fields.some((field) => field.key === free); n++) free = `${key}_${n}`;
  return { key: free, label: name || free, type: guessType(values) };
}
