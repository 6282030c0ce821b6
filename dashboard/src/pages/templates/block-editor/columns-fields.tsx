import { SelectField } from "../../../ui/field.tsx";
import { BANDS, type ColumnsBlock, type LeafBlock } from "../blocks/model.ts";
import { ChoiceField } from "./common-fields.tsx";
import { useBlockText } from "./use-block-text.ts";

const COUNTS = [1, 2, 3] as const;
/** Widths of the first of two columns, in percent. */
const FIRST = ["33", "67"] as const;

interface ColumnsFieldsProps {
  block: ColumnsBlock;
  onChange: (block: ColumnsBlock) => void;
}

/** How many columns there are, how wide they are, and what is behind them. */
export function ColumnsFields({ block, onChange }: ColumnsFieldsProps) {
  const text = useBlockText();
  const { columns, band, first } = block;
  return (
    <div className="grid gap-3 @sm:grid-cols-3">
      <SelectField
        label={text.blockNames.columns}
        value={columns.length}
        onChange={({ target }) =>
          onChange({ ...block, columns: resized(columns, Number(target.value)) })
        }
      >
        {COUNTS.map((count) => (
          <option key={count}>{count}</option>
        ))}
      </SelectField>
      <ChoiceField
        label={text.colours.background}
        none={text.bands.none}
        names={text.bands}
        choices={BANDS}
        value={band}
        onChange={(chosen) => onChange({ ...block, band: chosen })}
      />
      {columns.length === 2 && (
        <ChoiceField
          label={text.columnWidths}
          none={text.widths.equal}
          names={text.widths}
          choices={FIRST}
          value={FIRST.find((one) => Number(one) === first)}
          onChange={(chosen) =>
            onChange({ ...block, first: chosen === undefined ? undefined : Number(chosen) })
          }
        />
      )}
    </div>
  );
}

/** Adds empty columns, or moves the blocks of those that go into the last that stays. */
function resized(columns: LeafBlock[][], count: number): LeafBlock[][] {
  return Array.from({ length: count }, (_, at) =>
    at === count - 1 ? columns.slice(at).flat() : (columns[at] ?? []),
  );
}
