import { queryOptions } from "@tanstack/react-query";
import { api, type Client } from "../../api/client.ts";
import type { Role } from "../../api/session.ts";
import { versioned } from "../../api/versioned.ts";

export const ROLES: readonly Role[] = ["owner", "admin", "developer", "member", "viewer"];

/** The service returns no more at once. */
const MOST = 200;

export type Member = Awaited<
  ReturnType<Client["workspaces"]["members"]["list"]>
>["members"][number];
export type Invitation = Awaited<
  ReturnType<Client["workspaces"]["invitations"]["list"]>
>["invitations"][number];

/** A workspace with its version, for a form that changes it. */
export const workspaceQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "version"],
    queryFn: ({ signal }) =>
      versioned((onResponse) => api.workspaces.get({ workspaceId }, { signal, onResponse })),
  });

export const membersQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "members"],
    queryFn: ({ signal }) => api.workspaces.members.list({ workspaceId, limit: MOST }, { signal }),
  });

export const invitationsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "invitations"],
    queryFn: ({ signal }) =>
      api.workspaces.invitations.list({ workspaceId, limit: MOST }, { signal }),
  });
