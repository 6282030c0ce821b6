import { useNavigate } from "@tanstack/react-router";
import { useIsHere } from "../../lib/use-is-here.ts";
import { Card } from "../../ui/card.tsx";
import { AddressActions } from "./address-actions.tsx";
import type { Person } from "./person-query.ts";
import { useAudienceText } from "./use-audience-text.ts";

/** Data subject requests: export or erasure. */
export function PersonData({ person: { email, project_id: projectId } }: { person: Person }) {
  const text = useAudienceText();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const leave = async () => {
    if (isHere())
      await navigate({
        to: "/p/$projectId/audience",
        params: { projectId },
        ignoreBlocker: true, // there are no unsaved changes left
      });
  };
  return (
    <Card title={text.personData}>
      <p className="mb-3 text-muted">{text.personDataWords}</p>
      <AddressActions email={email} onErased={leave} />
    </Card>
  );
}
