import { sql, type SQL } from "drizzle-orm";
import { holdersOf, usableByKey, type Capability, type KeyGrant } from "./capabilities.ts";

/** A session, identified by the hash of its token, at a point in time. */
export interface SessionAt {
  tokenHash: string;
  now: number;
}

const live = ({ tokenHash, now }: SessionAt): SQL =>
  sql`s.token_hash = ${tokenHash} and s.expires_at > ${now} and s.ends_at > ${now}`;

/** Returns the SQL condition that a session is live. */
export const sessionPasses = (session: SessionAt): SQL =>
  sql`exists (select 1 from sessions s where ${live(session)})`;

/**
 * Returns the SQL condition that the user of a live session holds a capability in a workspace or
 * project. The member `selfId` needs no capability.
 */
export function rolePasses(
  table: "workspaces" | "projects",
  id: string,
  session: SessionAt,
  capability: Capability,
  selfId = "",
): SQL {
  const workspace = table === "projects" ? sql`t.workspace_id` : sql`t.id`;
  const holders = JSON.stringify(holdersOf(capability));
  return sql`exists (select 1 from sessions s, ${sql.identifier(table)} t, workspace_members m
    where ${live(session)} and t.id = ${id} and m.workspace_id = ${workspace} and m.user_id = s.user_id
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
