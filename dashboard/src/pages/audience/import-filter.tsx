import { useQuery } from "@tanstack/react-query";
import { importsQuery } from "../../api/audience.ts";
import { useProject } from "../../api/projects.ts";
import { TextLink } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useAudienceText } from "./use-audience-text.ts";

/** Says that the list shows only the people of an import, with a link to everyone. */
export function ImportFilter({ importId }: { importId: string }) {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const { data } = useQuery(importsQuery(projectId));
  const name = data?.imports.find(({ id }) => id === importId)?.name ?? "";
  return (
    <Notice>
      {text.fromImport(name)}{" "}
      <TextLink to="/p/$projectId/audience" params={{ projectId }}>
        {text.allPeople}
      </TextLink>
    </Notice>
  );
}
