import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { formatNumber } from "../../lib/format.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { RoleNotice } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { AddressActions } from "./address-actions.tsx";
import { LiftErasure } from "./lift-erasure.tsx";
import { useAudienceText } from "./use-audience-text.ts";

const RUNNING_MS = 30_000;

/** Handles data subject requests, including those of people who are not subscribers. */
export function PrivacyPage() {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const [email, setEmail] = useState("");
  const address = email.trim().toLowerCase();
  const erasures = useQuery({
    queryKey: ["project", projectId, "erasures"],
    queryFn: ({ signal }) => api.projects.erasures.count({ projectId }, { signal }),
    refetchInterval: ({ state }) => (state.data?.running ? RUNNING_MS : false),
  });
  return (
    <Page
      title={text.privacy}
      lead={text.privacyLead}
      actions={
        <LinkButton to="/p/$projectId/audience" params={{ projectId }}>
          {text.back}
        </LinkButton>
      }
    >
      <RoleNotice capability="subscribers:write" />
      <Card title={text.requests}>
        <div className="flex max-w-xl flex-col gap-4">
          <TextField
            label={text.address}
            hint={text.addressHint}
            type="email"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
          <AddressActions
            email={address}
            offBecause={address.includes("@") ? undefined : text.typeAddress}
          />
        </div>
      </Card>
      <Card title={text.erasures}>
        <div className="flex max-w-xl flex-col gap-4">
          <Loaded query={erasures} lines={1}>
            {({ total, running }) => (
              <p>
                {text.erasedTotal(formatNumber(total))} {running > 0 && text.erasing(running)}
              </p>
            )}
          </Loaded>
          <LiftErasure />
        </div>
      </Card>
    </Page>
  );
}
