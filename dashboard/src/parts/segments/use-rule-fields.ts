import { useQuery } from "@tanstack/react-query";
import { METADATA } from "../../../../src/services/segments/condition.ts";
import { tagsQuery, topicsQuery } from "../../api/audience.ts";
import type { Choice, Kind, RuleField } from "./field-kinds.ts";
import { useSegmentsText } from "./use-segments-text.ts";

type PartName = "contact" | "activity" | "fields";

/** The fields that rules can name. */
export interface RuleFields {
  parts: { part: PartName; fields: RuleField[] }[];
  /** True for a field of the list; other metadata is named by its key. */
  isListed: (name: string) => boolean;
  find: (name: string) => RuleField;
}

/** Loads the fields of a project, with the values that they are chosen from. */
export function useRuleFields(projectId: string): RuleFields {
  const { names, statuses } = useSegmentsText();
  const tags = useQuery(tagsQuery(projectId)).data?.tags ?? [];
  const topics = useQuery(topicsQuery(projectId)).data?.topics ?? [];
  const own = (name: keyof typeof names, kind: Kind, choices: Choice[] = []): RuleField => ({
    name,
    label: names[name],
    kind,
    choices,
  });
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
        own("source", "choice"),
        own("created", "activity"),
      ],
    },
    {
      part: "activity",
      fields: [own("mailed", "mailed"), own("opened", "activity"), own("clicked", "activity")],
    },
    { part: "fields", fields: [] },
  ];
  const listed = parts.flatMap(({ fields }) => fields);
  return {
    parts,
    isListed: (name) => listed.some((field) => field.name === name),
    find: (name) =>
      listed.find((field) => field.name === name) ?? {
        name,
        label: name.startsWith(METADATA) ? name.slice(METADATA.length) : name,
        kind: "text",
        choices: [],
      },
  };
}
