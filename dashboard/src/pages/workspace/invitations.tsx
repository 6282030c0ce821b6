import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import type { Role } from "../../api/session.ts";
import { emptied } from "../../lib/emptied.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Address } from "../../ui/address.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorWords, problemsOf } from "../../ui/error-words.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useMayNotIn } from "../../ui/not-allowed.tsx";
import { Table } from "../../ui/table.tsx";
import { showToast } from "../../ui/toast.tsx";
import { When } from "../../ui/when.tsx";
import { invitationsQuery, ROLES, type Invitation } from "./queries.ts";
import { useMayNotChangeMembers } from "./use-may-not-change-members.ts";
import { useWorkspaceText } from "./use-workspace-text.ts";

/** Open invitations of a workspace, and a form to send another one. */
export function Invitations({ workspaceId }: { workspaceId: string }) {
  const text = useWorkspaceText();
  const hidden = useMayNotIn(workspaceId, "members:write");
  const invitations = useQuery({
    ...invitationsQuery(workspaceId),
    enabled: hidden === undefined,
  });
  return (
    <Card title={text.invitations}>
      <div className="flex flex-col gap-4">
        <InviteForm workspaceId={workspaceId} />
        {hidden === undefined && (
          <Loaded query={invitations} lines={1}>
            {(rows) =>
              rows.length === 0 ? (
                <p className="text-muted">{text.noInvitations}</p>
              ) : (
                <InvitationTable workspaceId={workspaceId} rows={rows} />
              )
            }
          </Loaded>
        )}
      </div>
    </Card>
  );
}

const refresh = (workspaceId: string) =>
  queryClient.invalidateQueries({ queryKey: ["workspace", workspaceId, "invitations"] });

function InviteForm({ workspaceId }: { workspaceId: string }) {
  const text = useWorkspaceText();
  const shared = useSharedText();
  const mayNot = useMayNotChangeMembers(workspaceId);
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const invite = useMutation({
    mutationFn: (body: { email: string; role: Role }) =>
      api.workspaces.invitations.create({ workspaceId, body }),
    onSuccess: async (_, sent) => {
      showToast(text.invited(sent.email));
      setEmail(emptied(sent.email));
      await refresh(workspaceId);
    },
  });
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        invite.mutate({ email, role });
      }}
    >
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          className="min-w-52 flex-1"
          label={text.inviteEmail}
          type="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={problemsOf(invite.error)["email"]}
          required
        />
        <SelectField
          label={text.role}
          value={role}
          onChange={({ target }) => setRole(ROLES.find((one) => one === target.value) ?? "member")}
        >
          {ROLES.map((one) => (
            <option key={one} value={one}>
              {shared.roleNames[one]}
            </option>
          ))}
        </SelectField>
        <Button type="submit" look="primary" isBusy={invite.isPending} offBecause={mayNot}>
          {text.invite}
        </Button>
      </div>
      <p className="text-sm text-muted">{mayNot ?? text.inviteWords}</p>
      {invite.error && <ErrorWords error={invite.error} />}
    </form>
  );
}

function InvitationTable({ workspaceId, rows }: { workspaceId: string; rows: Invitation[] }) {
  const text = useWorkspaceText();
  const shared = useSharedText();
  const mayNot = useMayNotChangeMembers(workspaceId);
  const resend = useMutation({
    mutationFn: ({ id: invitationId }: Invitation) =>
      api.workspaces.invitations.resend({ workspaceId, invitationId }),
    onSuccess: async (_, { email }) => {
      showToast(text.invited(email));
      await refresh(workspaceId);
    },
  });
  const withdraw = useMutation({
    mutationFn: ({ id: invitationId }: Invitation) =>
      api.workspaces.invitations.withdraw({ workspaceId, invitationId }),
    onSuccess: async (_, { email }) => {
      showToast(text.withdrawn(email));
      await refresh(workspaceId);
    },
  });
  const error = resend.error ?? withdraw.error;
  return (
    <>
      <Table
        label={text.invitations}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { key: "email", head: text.inviteEmail, cell: ({ email }) => <Address>{email}</Address> },
          { key: "role", head: text.role, cell: ({ role }) => shared.roleNames[role] },
          {
            key: "expires",
            head: text.expires,
            isMinor: true,
            cell: ({ expires_at }) => <When at={expires_at} />,
          },
          {
            key: "actions",
            head: <span className="sr-only">{text.resend}</span>,
            cell: (invitation) => (
              <div className="flex flex-wrap gap-2">
                <Button
                  look="quiet"
                  aria-label={text.resendTo(invitation.email)}
                  isBusy={resend.isPending}
                  offBecause={mayNot}
                  onClick={() => resend.mutate(invitation)}
                >
                  {text.resend}
                </Button>
                <Button
                  look="quiet"
                  aria-label={text.withdrawOf(invitation.email)}
                  isBusy={withdraw.isPending}
                  offBecause={mayNot}
                  onClick={() => withdraw.mutate(invitation)}
                >
                  {text.withdraw}
                </Button>
              </div>
            ),
          },
        ]}
      />
      {error && <ErrorWords error={error} />}
    </>
  );
}
