import { and, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { refusal } from "../../errors.ts";
import type { LocationHint } from "../../lib/location-hint.ts";
import type { EmailAddress } from "../../mail/address.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { endSessions } from "./end-sessions.ts";
import { firstProject } from "./first-project.ts";
import {
  checkServer,
  missingPassword,
  type ServerChange,
  type ServerInput,
} from "./mail-servers.ts";
import { projectIs, requireVersion } from "./project-version.ts";
import { selectProject, updateProject, type NewProject } from "./queries.ts";

export interface SmtpInput extends ServerInput {
  /** The fallback server; undefined keeps the stored one, and null removes it. */
  fallback?: ServerInput | null | undefined;
  /** The new value; undefined keeps the stored one, and a null address clears it. */
  fromName: string | undefined;
  fromEmail: EmailAddress | null | undefined;
  /**
   * The region in which the project's Durable Object is created; undefined keeps the stored one.
   */
  locationHint: LocationHint | undefined;
  /** The region of this request, used if no region was ever stored. */
  near: LocationHint | undefined;
}

const NO_FALLBACK = {
  fallbackHost: null,
  fallbackPort: null,
  fallbackUser: null,
  fallbackPasswordSealed: null,
};

/**
 * Saves the SMTP settings with encrypted passwords, and ends sessions with the previous ones. The
 * route checks `projects:write`. A stored password is valid only for its host, port and user;
 * otherwise anyone who may edit the settings could have it sent to their own server. Throws 400 for
 * a private or malformed host, for a host of Cloudflare, for port 25, and without a password if
 * none is stored or if host, port or user change. Throws precondition_failed if the project's
 * version is not one of the expected ones.
 */
export async function saveSmtpSettings(
  ctx: Ctx,
  project: ProjectRow,
  input: SmtpInput,
  expected?: number[],
): Promise<ProjectRow> {
  const { deps } = ctx;
  const first = await checkServer(deps, project.id, "first", input);
  const fallback =
    input.fallback && (await checkServer(deps, project.id, "fallback", input.fallback));
  const fact = {
    scopeId: project.id,
    action: "smtp.update",
    metadata: {
      host: first.host,
      port: first.port,
      ...(fallback ? { fallback_host: fallback.host, fallback_port: fallback.port } : {}),
      ...(fallback === null ? { fallback_removed: true } : {}),
    },
  } as const;
  const when = sql`${and(projectIs(project.id, expected), first.when, fallback?.when)}`;
  const change = {
    ...firstColumns(first),
    ...(input.fallback === null ? NO_FALLBACK : fallback && fallbackColumns(fallback)),
    locationHint: input.locationHint ?? sql`coalesce(location_hint, ${input.near ?? null})`,
    ...(input.fromName === undefined ? {} : { fromName: input.fromName }),
    ...(input.fromEmail === undefined ? {} : { fromEmail: input.fromEmail }),
    updatedAt: deps.now(),
  };
  const [, saved, current] = await runBatch(deps.db, [
    auditStatement(ctx, fact, when),
    updateProject(deps.db, project.id, change, when),
    selectProject(deps.db, project.id),
  ]);
  const [row] = saved;
  if (row) {
    deps.waitUntil(endSessions(deps, row));
    return row;
  }
  const stored = firstProject(current);
  requireVersion(stored, expected);
  throw (
    missingPassword(stored, "first", first) ??
    (fallback && missingPassword(stored, "fallback", fallback)) ??
    refusal("smtp_settings_changed", {})
  );
}

function firstColumns({ host, port, user, passwordSealed }: ServerChange): Partial<NewProject> {
  const sealed = passwordSealed === null ? {} : { smtpPasswordSealed: passwordSealed };
  return { smtpHost: host, smtpPort: port, smtpUser: user, ...sealed };
}

function fallbackColumns({ host, port, user, passwordSealed }: ServerChange): Partial<NewProject> {
  const sealed = passwordSealed === null ? {} : { fallbackPasswordSealed: passwordSealed };
  return { fallbackHost: host, fallbackPort: port, fallbackUser: user, ...sealed };
}
