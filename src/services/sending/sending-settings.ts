import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { projects } from "../../db/schema/index.ts";
import type { SendingUse, VersionedLimits } from "../../lib/permits/permit-messages.ts";
import { DEFAULT_LIMITS, type SendingLimits } from "../../lib/permits/sending-limits.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { firstProject, projectExists, updateProject } from "../projects/index.ts";
import { askPermits } from "./ask-permits.ts";
import { presetFor, type Preset } from "./presets.ts";

/** The limits of a project's server with their use, what it taught, and what its provider says. */
export interface Sending {
  limits: SendingLimits;
  use: SendingUse;
  preset: Preset | undefined;
}

/** Returns the limits of a project with their version. */
export function limitsOf({ sendingLimits, sendingVersion }: ProjectRow): VersionedLimits {
  return { limits: { ...DEFAULT_LIMITS, ...sendingLimits }, version: sendingVersion };
}

/** Returns the limits of a project's server and their use. Throws unavailable. */
export async function readSending({ deps }: Ctx, project: ProjectRow): Promise<Sending> {
  const versioned = limitsOf(project);
  const use = await askPermits(deps, project.id, (object) => object.limitSending(versioned));
  return {
    limits: versioned.limits,
    use,
    preset: presetFor(project.smtpHost, project.smtpUser),
  };
}

/**
 * Replaces the limits of a project's server. The route checks `projects:write`. They hold for every
 * permit from now on. Throws unavailable when the project's object does not answer: the limits are
 * then saved, and hold from the next mail.
 */
export async function saveSending(
  ctx: Ctx,
  project: ProjectRow,
  limits: SendingLimits,
): Promise<Sending> {
  const { db, now } = ctx.deps;
  const fact = {
    scopeId: project.id,
    action: "sending.update",
    targetType: "project",
    targetId: project.id,
    metadata: setLimits(limits),
  } as const;
  const change = {
    sendingLimits: limits,
    sendingVersion: sql<number>`${projects.sendingVersion} + 1`,
    updatedAt: now(),
  };
  const [, rows] = await runBatch(db, [
    auditStatement(ctx, fact, projectExists(project.id)),
    updateProject(db, project.id, change),
  ]);
  return readSending(ctx, firstProject(rows));
}

/** Returns the limits that are set, for the audit log. */
function setLimits(limits: SendingLimits): Record<string, number> {
  const entries = Object.entries(limits).filter(([, limit]) => limit !== null);
  return Object.fromEntries(entries);
}
