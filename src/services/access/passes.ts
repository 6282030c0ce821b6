import { sql, type SQL } from "drizzle-orm";
import { holdersOf, usableByKey, type Capability, type KeyGrant } from "./capabilities.ts";

/** A session or access token, identified by the hash of its token, at a point in time. */
export interface SessionAt {
  tokenHash: string;
  isAccessToken: boolean;
  now: number;
}

/** Returns the SQL condition that the row `s` of `sessions` is this session, and live. */
export const live = ({ tokenHash, isAccessToken, now }: SessionAt): SQL =>
  sql`s.token_hash = ${tokenHash} and s.expires_at > ${now} and s.ends_at > ${now}
    and (s.name is not null) = ${isAccessToken ? 1 : 0}`;

/**
 * What the credential of a route without a project must be: a session, a session or an access token
 * for all projects, or any session or access token.
 */
export type Reach = "session" | "person" | "any";

/** Returns the SQL condition that a session is live and has the reach. */
export const sessionPasses = (session: SessionAt, reach: Reach): SQL =>
  sql`exists (select 1 from sessions s where ${live(session)}
    and (${reach === "any" ? 1 : 0} or s.project_ids is null))`;

/**
 * Returns the SQL condition that the user of a live session holds a capability in a workspace or
 * project, and that an access token reaches it. The member `selfId` needs no capability.
 */
export function rolePasses(
  table: "workspaces" | "projects",
  id: string,
  session: SessionAt,
  capability: Capability,
  selfId = "",
): SQL {
  const workspace = table === "projects" ? sql`t.workspace_id` : sql`t.id`;
  const reached =
    table === "projects" ? sql`instr(s.project_ids, json_quote(t.id)) > 0` : sql`false`;
  const holders = JSON.stringify(holdersOf(capability));
  return sql`exists (select 1 from sessions s, ${sql.identifier(table)} t, workspace_members m
    where ${live(session)} and t.id = ${id} and m.workspace_id = ${workspace} and m.user_id = s.user_id
      and (s.project_ids is null or ${reached})
      and (instr(${holders}, json_quote(m.role)) > 0 or m.user_id = ${selfId}))`;
}

/**
 * Returns the SQL condition that a key has one of these types, holds a capability, and belongs to
 * the given project, if one is given.
 */
export function keyPasses(
  keyHash: string,
  types: readonly KeyGrant["type"][],
  capability: Capability,
  projectId?: string,
): SQL {
  const able = JSON.stringify(types.filter((type) => usableByKey(type).includes(capability)));
  const isOfProject = projectId === undefined ? sql`` : sql` and k.project_id = ${projectId}`;
  return sql`exists (select 1 from api_keys k, projects p where k.key_hash = ${keyHash}
    and p.id = k.project_id${isOfProject} and instr(${able}, json_quote(k.type)) > 0
    and instr(k.capabilities, ${JSON.stringify(capability)}) > 0)`;
}
