import { queryOptions } from "@tanstack/react-query";
import { api, type Api } from "../../api/client.ts";
import { readPages } from "../../api/read-pages.ts";
import type { Role } from "../../api/session.ts";
import { versioned } from "../../api/versioned.ts";

export const ROLES: readonly Role[] = ["owner", "admin", "developer", "member", "viewer"];

export type Member = Api.Member;
export type Invitation = Api.Invitation;

/** A workspace with its version, for an edit form. */
export const workspaceQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "version"],
    queryFn: ({ signal }) =>
      versioned((onResponse) => api.workspaces.get({ workspaceId }, { signal, onResponse })),
  });

export const membersQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "members"],
    // without a limit the list is complete (API reference §1.4)
    queryFn: ({ signal }) => api.workspaces.members.list({ workspaceId }, { signal }),
  });

export const invitationsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "invitations"],
    queryFn: ({ signal }) =>
      readPages(async (page) => {
        const args = { workspaceId, ...page };
        return (await api.workspaces.invitations.list(args, { signal })).invitations;
      }),
  });
