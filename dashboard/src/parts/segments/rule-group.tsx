import { BOX } from "../../ui/field.tsx";
import { Button } from "../../ui/button.tsx";
import { Plus, Trash2 } from "../../ui/action-icons.tsx";
import { isGroup, JOINS, newGroup, newRule, type Group, type Part } from "./condition-tree.ts";
import { IconButton } from "./icon-button.tsx";
import { RuleRow } from "./rule-row.tsx";
import type { RuleFields } from "./use-rule-fields.ts";
import { useSegmentsText } from "./use-segments-text.ts";

/** The number of groups inside each other that the builder offers; a text may have more. */
const OFFERED_DEPTH = 2;

interface RuleGroupProps {
  group: Group;
  /** The number of groups around it. */
  depth: number;
  fields: RuleFields;
  onChange: (group: Group) => void;
  /** Undefined for the outermost group. */
  onRemove?: () => void;
}

/** Rules and groups of rules, of which all, any or none must be true. */
export function RuleGroup({ group, depth, fields, onChange, onRemove }: RuleGroupProps) {
  const text = useSegmentsText();
  const setParts = (parts: Part[]) => onChange({ ...group, parts });
  const put = (part: Part) =>
    setParts(group.parts.map((one) => (one.key === part.key ? part : one)));
  const remove = ({ key }: Part) => setParts(group.parts.filter((one) => one.key !== key));
  const isJoined = group.parts.length > 1 || group.join === "none" || onRemove !== undefined;
  return (
    <div
      role="group"
      aria-label={onRemove ? text.group : text.rules}
      className="flex min-w-0 flex-col gap-3 rounded-md border border-line bg-surface p-3"
    >
      {isJoined && (
        <div className="flex items-start gap-2">
          <div className="flex min-w-0 grow flex-wrap items-center gap-2">
            <span className="text-sm">{text.joinLabel}</span>
            <select
              aria-label={text.joinLabel}
              className={`${BOX} max-w-64`}
              value={group.join}
              onChange={({ target }) => {
                const join = JOINS.find((one) => one === target.value);
                if (join) onChange({ ...group, join });
              }}
            >
              {JOINS.map((join) => (
                <option key={join} value={join}>
                  {text.joins[join]}
                </option>
              ))}
            </select>
          </div>
          {onRemove && <IconButton label={text.removeGroup} onClick={onRemove} icon={Trash2} />}
        </div>
      )}
      {group.parts.map((part, index) =>
        isGroup(part) ? (
          <RuleGroup
            key={part.key}
            group={part}
            depth={depth + 1}
            fields={fields}
            onChange={put}
            onRemove={() => remove(part)}
          />
        ) : (
          <RuleRow
            key={part.key}
            rule={part}
            number={index + 1}
            fields={fields}
            onChange={put}
            onRemove={() => remove(part)}
          />
        ),
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setParts([...group.parts, newRule()])}>
          <Plus aria-hidden className="size-4" />
          {text.addRule}
        </Button>
        {depth < OFFERED_DEPTH && group.parts.length > 0 && (
          <Button
            look="quiet"
            onClick={() =>
              setParts([
                ...group.parts,
                newGroup(group.join === "any" ? "all" : "any", [newRule()]),
              ])
            }
          >
            {text.addGroup}
          </Button>
        )}
      </div>
    </div>
  );
}
