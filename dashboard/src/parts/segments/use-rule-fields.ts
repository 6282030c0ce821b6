import { useQuery } from "@tanstack/react-query";
import { EVENT, METADATA } from "../../../../src/services/segments/condition.ts";
import {
  fieldsQuery,
  importsQuery,
  tagsQuery,
  topicsQuery,
  type Field,
} from "../../api/audience.ts";
import type { Choice, Kind, RuleField } from "./field-kinds.ts";
import { useSegmentsText } from "./use-segments-text.ts";

/** What the values of the types of fields are. */
const KINDS: Record<Field["type"], Kind> = {
  text: "text",
  url: "text",
  number: "number",
  date: "date",
  boolean: "choice",
  choice: "choice",
  list: "choice",
};

type PartName = "contact" | "activity" | "fields";

/** The fields that rules can name. */
export interface RuleFields {
  parts: { part: PartName; fields: RuleField[] }[];
  /** True for a field of the list; other metadata is named by its key. */
  isListed: (name: string) => boolean;
  /** True if rules can name data of the event that started a run of an automation. */
  ofRun: boolean;
  find: (name: string) => RuleField;
}

/** Loads the fields of a project, with the values that they are chosen from. */
export function useRuleFields(projectId: string, ofRun = false): RuleFields {
  const { names, statuses, yes, no, event } = useSegmentsText();
  const tags = useQuery(tagsQuery(projectId)).data?.tags ?? [];
  const topics = useQuery(topicsQuery(projectId)).data?.topics ?? [];
  const imports = useQuery(importsQuery(projectId)).data?.imports ?? [];
  const fields = useQuery(fieldsQuery(projectId)).data?.fields ?? [];
  const own = (name: keyof typeof names, kind: Kind, choices: Choice[] = []): RuleField => ({
    name,
    label: names[name],
    kind,
    choices,
  });
  const truth = [
    { value: "true", label: yes },
    { value: "false", label: no },
  ];
  const parts: RuleFields["parts"] = [
    {
      part: "contact",
      fields: [
        own("email", "text"),
        own("name", "text"),
        own(
          "status",
          "choice",
          Object.entries(statuses).map(([value, label]) => ({ value, label })),
        ),
        own(
          "tag",
          "choice",
          tags.map(({ name }) => ({ value: name, label: name })),
        ),
        own(
          "topic",
          "choice",
          topics.map(({ id, name }) => ({ id, value: name, label: name })),
        ),
        own(
          "import",
          "choice",
          imports.map(({ id, name }) => ({ value: id, label: name })),
        ),
        own("source", "choice"),
        own("created", "activity"),
      ],
    },
    {
      part: "activity",
      fields: [own("mailed", "mailed"), own("opened", "activity"), own("clicked", "activity")],
    },
    {
      part: "fields",
      fields: fields.map(({ key, label, type, choices }) => ({
        name: METADATA + key,
        label,
        kind: KINDS[type],
        choices: type === "boolean" ? truth : choices.map((value) => ({ value, label: value })),
      })),
    },
  ];
  const listed = parts.flatMap(({ fields }) => fields);
  return {
    parts,
    isListed: (name) => listed.some((field) => field.name === name),
    ofRun,
    find: (name) => {
      if (name.startsWith(EVENT))
        return { name, label: `${event} ${name.slice(EVENT.length)}`, kind: "event", choices: [] };
      return (
        listed.find((field) => field.name === name) ?? {
          name,
          label: name.startsWith(METADATA) ? name.slice(METADATA.length) : name,
          kind: "text",
          choices: [],
        }
      );
    },
  };
}
