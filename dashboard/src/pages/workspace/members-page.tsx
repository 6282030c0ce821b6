import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { meQuery, useMe, useWorkspace } from "../../api/session.ts";
import { useIsHere } from "../../lib/use-is-here.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Address } from "../../ui/address.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { LicenseNotice, useMayNotIn, WorkspaceRoleNotice } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { Table } from "../../ui/table.tsx";
import { showToast } from "../../ui/toast.tsx";
import { When } from "../../ui/when.tsx";
import { Invitations } from "./invitations.tsx";
import { membersQuery, ROLES, type Member } from "./queries.ts";
import { useMayNotChangeMembers } from "./use-may-not-change-members.ts";
import { useWorkspaceText } from "./use-workspace-text.ts";
import { WorkspaceCard } from "./workspace-card.tsx";

const route = getRouteApi("/in/w/$workspaceId/members");

export function MembersPage() {
  const text = useWorkspaceText();
  const { workspaceId } = route.useParams();
  const workspace = useWorkspace(workspaceId);
  const members = useQuery(membersQuery(workspaceId));
  return (
    <Page
      shape="groups"
      title={text.membersTitle}
      lead={workspace && text.membersLead(workspace.name)}
    >
      <LicenseNotice feature="workspace members" />
      <WorkspaceRoleNotice workspaceId={workspaceId} capability="members:write" />
      <Loaded query={members}>
        {(data) => <MemberTable workspaceId={workspaceId} members={data.members} />}
      </Loaded>
      <Invitations workspaceId={workspaceId} />
      {workspace && <WorkspaceCard key={workspace.id} workspace={workspace} />}
    </Page>
  );
}

function MemberTable({ workspaceId, members }: { workspaceId: string; members: Member[] }) {
  const text = useWorkspaceText();
  const { user } = useMe();
  const workspace = useWorkspace(workspaceId);
  const mayNot = useMayNotIn(workspaceId, "members:write");
  const navigate = useNavigate();
  const isHere = useIsHere(`/w/${workspaceId}`);
  const [leaving, setLeaving] = useState<Member>();
  const remove = useMutation({
    mutationFn: ({
      member: { user_id: userId },
      signal,
    }: {
      member: Member;
      signal: AbortSignal;
    }) => api.workspaces.members.remove({ workspaceId, userId }, { signal }),
    onSuccess: async (_, { member: { name, user_id } }) => {
      setLeaving(undefined);
      showToast(text.removed(name));
      if (user_id === user.id) {
        await queryClient.invalidateQueries(meQuery);
        queryClient.removeQueries({ queryKey: ["project"] }); // the start page would redirect to one of them
        if (isHere()) await navigate({ to: "/", ignoreBlocker: true });
        return;
      }
      // not awaited, so that the next dialog does not wait for the list
      void queryClient.invalidateQueries({ queryKey: ["workspace", workspaceId, "members"] });
    },
  });
  const isOwn = leaving?.user_id === user.id;
  return (
    <>
      <Table
        label={text.membersTitle}
        rows={members}
        keyOf={({ user_id }) => user_id}
        columns={[
          {
            key: "person",
            head: text.person,
            cell: ({ name, email }) => (
              <>
                <span className="block font-medium">{name}</span>
                <span className="text-muted">
                  <Address>{email}</Address>
                </span>
              </>
            ),
          },
          {
            key: "role",
            head: text.role,
            cell: (member) => <RoleSelect workspaceId={workspaceId} member={member} />,
          },
          {
            key: "since",
            head: text.since,
            isMinor: true,
            cell: ({ joined_at }) => <When at={joined_at} />,
          },
          {
            key: "remove",
            head: <span className="sr-only">{text.remove}</span>,
            cell: (member) =>
              member.user_id === user.id ? (
                <Button look="quiet" onClick={() => setLeaving(member)}>
                  {text.leave}
                </Button>
              ) : (
                <Button
                  look="quiet"
                  aria-label={text.removeOf(member.name)}
                  offBecause={mayNot}
                  onClick={() => setLeaving(member)}
                >
                  {text.remove}
                </Button>
              ),
          },
        ]}
      />
      <ConfirmDialog
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onConfirm={(signal) => leaving && remove.mutate({ member: leaving, signal })}
        title={isOwn ? text.leaveTitle : text.removeTitle(leaving?.name ?? "")}
        action={isOwn ? text.leave : text.remove}
        name={(isOwn ? workspace?.name : undefined) ?? leaving?.name ?? ""}
        isBusy={remove.isPending}
        error={remove.error}
      >
        {isOwn ? text.leaveWords : text.removeWords}
      </ConfirmDialog>
    </>
  );
}

/**
 * Selects the role of a member. Saved by a button, because arrow keys change a select on each
 * press, and a wrong role can revoke the right to change it back.
 */
function RoleSelect({ workspaceId, member }: { workspaceId: string; member: Member }) {
  const text = useWorkspaceText();
  const shared = useSharedText();
  const mayNot = useMayNotChangeMembers(workspaceId);
  const { user } = useMe();
  const { user_id: userId, name, role } = member;
  const [chosen, setChosen] = useState<Member["role"]>();
  const shown = chosen ?? role;
  const setRole = useMutation({
    mutationFn: () =>
      api.workspaces.members.setRole({ workspaceId, userId, body: { role: shown } }),
    onSuccess: () => showToast(text.roleChanged(name, shared.roleNames[shown])),
    onSettled: async () => {
      // the user's own role determines what the page may request
      if (userId === user.id) await queryClient.invalidateQueries(meQuery);
      await queryClient.invalidateQueries({ queryKey: ["workspace", workspaceId] });
      setChosen(undefined);
    },
  });
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        setRole.mutate();
      }}
    >
      <select
        aria-label={text.roleOf(name)}
        value={shown}
        disabled={mayNot !== undefined || setRole.isPending}
        title={mayNot}
        onChange={({ target }) => setChosen(ROLES.find((one) => one === target.value))}
        className="rounded-md border border-edge bg-surface px-2 py-1"
      >
        {ROLES.map((one) => (
          <option key={one} value={one}>
            {shared.roleNames[one]}
          </option>
        ))}
      </select>
      {shown !== role && (
        <Button
          type="submit"
          look="primary"
          isBusy={setRole.isPending}
          offBecause={mayNot}
          aria-label={text.saveRoleOf(name)}
        >
          {shared.save}
        </Button>
      )}
      {setRole.error && <ErrorWords error={setRole.error} />}
    </form>
  );
}
