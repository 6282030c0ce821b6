import { useQuery } from "@tanstack/react-query";
import { importsQuery } from "../../../api/audience.ts";
import { useProject } from "../../../api/projects.ts";
import { TextLink } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Table } from "../../../ui/table.tsx";
import { When } from "../../../ui/when.tsx";
import { useImportText } from "./use-import-text.ts";

/** The imports of a project, with links to their people; renders nothing before the first one. */
export function EarlierImports() {
  const text = useImportText();
  const { id: projectId } = useProject();
  const imports = useQuery(importsQuery(projectId)).data?.imports ?? [];
  if (imports.length === 0) return null;
  return (
    <Card title={text.earlierImports}>
      <Table
        label={text.earlierImports}
        rows={imports}
        keyOf={({ id }) => id}
        columns={[
          {
            key: "name",
            head: text.name,
            cell: ({ id, name }) => (
              <TextLink to="/p/$projectId/audience" params={{ projectId }} search={{ import: id }}>
                {name}
              </TextLink>
            ),
          },
          {
            key: "people",
            head: text.people,
            isNumber: true,
            cell: ({ imported, existing }) => imported + existing,
          },
          {
            key: "when",
            head: text.time,
            isMinor: true,
            cell: ({ created_at }) => <When at={created_at} />,
          },
        ]}
      />
    </Card>
  );
}
