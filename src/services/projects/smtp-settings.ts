import { and, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { refusal } from "../../errors.ts";
import type { LocationHint } from "../../lib/location-hint.ts";
import type { EmailAddress } from "../../mail/address.ts";
import type { ProjectRow } from "../access/index.ts";
import { changeProject } from "./change-project.ts";
import { endSessions } from "./end-sessions.ts";
import {
  checkServer,
  missingPassword,
  type ServerChange,
  type ServerInput,
} from "./mail-servers.ts";
import type { NewProject } from "./queries.ts";

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
  const facts = {
    host: first.host,
    port: first.port,
    ...(fallback ? { fallback_host: fallback.host, fallback_port: fallback.port } : {}),
    ...(fallback === null ? { fallback_removed: true } : {}),
  };
  const columns = {
    ...firstColumns(first),
    ...(input.fallback === null ? NO_FALLBACK : fallback && fallbackColumns(fallback)),
    locationHint: input.locationHint ?? sql`coalesce(location_hint, ${input.near ?? null})`,
    ...(input.fromName === undefined ? {} : { fromName: input.fromName }),
    ...(input.fromEmail === undefined ? {} : { fromEmail: input.fromEmail }),
  };
  const change = { columns, action: "smtp.update", facts, expected } as const;
  const when = and(first.when, fallback?.when);
  const saved = await changeProject(ctx, project.id, { ...change, when });
  if (saved.isChanged) {
    deps.waitUntil(endSessions(deps, saved.project));
    return saved.project;
  }
  throw (
    missingPassword(saved.project, "first", first) ??
    (fallback && missingPassword(saved.project, "fallback", fallback)) ??
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
