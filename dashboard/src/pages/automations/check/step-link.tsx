import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { given } from "../../../lib/search-params.ts";
import { TextLink } from "../../../ui/button.tsx";

const route = getRouteApi("/in/p/$projectId/automations/$automationId");

/** Link to the card of a step, or of the trigger. */
export function StepLink({ id, children }: { id: string; children: ReactNode }) {
  const params = route.useParams();
  return (
    <TextLink
      to="/p/$projectId/automations/$automationId"
      params={params}
      search={given({ step: id })}
    >
      {children}
    </TextLink>
  );
}
