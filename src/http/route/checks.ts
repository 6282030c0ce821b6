import { runBatch } from "../../db/client.ts";
import {
  authorizeKey,
  authorizeProject,
  authorizeSession,
  authorizeWorkspace,
} from "../../services/access/index.ts";
import { requireIngestToken, selectToken } from "../../services/bounces/index.ts";
import {
  consumeRateLimit,
  consumeReadLimit,
  countHit,
  openHit,
  type OpenHit,
} from "../../services/limits/index.ts";
import { requireOperator, selectOperator } from "../../services/service-mail/index.ts";
import type { Actor, Ctx } from "../../context.ts";
import { bearerOf, credentialOf, requireSameSite } from "../credential.ts";
import type { HttpContext } from "../http-env.ts";
import { applyVerdict } from "../limit-headers.ts";
import type { Auth, Checks, SecretKeyRule } from "./auth.ts";

/** Marks the key or session as valid, and returns the caller's context. */
function admit(c: HttpContext, actor: Actor): Ctx {
  c.set("isAdmitted", true);
  return { ...c.var.ctx, actor };
}

const placeOf = (c: HttpContext) => c.req.param("id") ?? "";

/**
 * Counts a call against a rate limit of its project. If the limiter is unavailable, writes fail and
 * reads pass.
 */
async function count(
  c: HttpContext,
  { method, limit }: Partial<SecretKeyRule> & { method: string },
  { ctx, project }: { ctx: Ctx; project: { id: string } },
): Promise<void> {
  if (limit === undefined) return;
  const take = method === "GET" ? consumeReadLimit : consumeRateLimit;
  applyVerdict(c, await take(ctx, project.id, limit));
}

const atHandler = {
  openHit: ({ limit }: Partial<SecretKeyRule>, { ctx }: { ctx: Ctx }) =>
    limit && openHit(ctx, limit),
  closeHit: async (
    c: HttpContext,
    hit: OpenHit,
    { ctx, project }: { ctx: Ctx; project: { id: string } },
  ) => {
    try {
      await countHit(ctx, project.id, hit);
    } finally {
      applyVerdict(c, hit.verdict);
    }
  },
};

const ofProject: Checks<"cookie"> & Checks<"cookie_or_key"> = {
  enter: async (c, rule, reads) => {
    const projectId = placeOf(c);
    const { deps } = c.var.ctx;
    const entered = await authorizeProject(
      deps,
      credentialOf(c),
      projectId,
      rule,
      reads({ projectId }),
    );
    return { ...entered, ctx: admit(c, entered.actor) };
  },
  count,
  ...atHandler,
};

const ofKey: Pick<Checks<"secret"> & Checks<"public_or_secret">, "enter"> = {
  enter: async (c, rule, reads) => {
    const { deps } = c.var.ctx;
    const entered = await authorizeKey(deps, bearerOf(c), rule, (projectId) =>
      reads({ projectId }),
    );
    c.set("project", entered.project);
    return { ...entered, ctx: admit(c, entered.actor) };
  },
};

/** The checks of each authentication method. */
export const CHECKS: { [A in Auth]: Checks<A> } = {
  public: {
    enter: async (c, { anyOrigin }, reads) => {
      if (!anyOrigin) requireSameSite(c);
      const { ctx } = c.var;
      return { ctx, reads: await runBatch(ctx.deps.db, reads({})) };
    },
    isForSmallBodies: true,
    beforeBadBody: async (c, { beforeBadBody }) => beforeBadBody?.(c),
  },
  ingest_token: {
    enter: async (c, _rule, reads) => {
      const { ctx } = c.var;
      const { db } = ctx.deps;
      const projectId = c.req.param("projectId") ?? "";
      const [tokens, ...results] = await runBatch(db, [
        selectToken(db, projectId),
        ...reads({ projectId }),
      ]);
      requireIngestToken(tokens, c.req.query("token") ?? "");
      return { ctx, reads: results };
    },
  },
  user: {
    enter: async (c, { reach }, reads) => {
      const { deps } = c.var.ctx;
      const entered = await authorizeSession(
        deps,
        credentialOf(c),
        (tokenHash) => reads({ tokenHash }),
        reach,
      );
      return { ...entered, ctx: admit(c, entered.actor) };
    },
  },
  operator: {
    enter: async (c, _rule, reads) => {
      const { deps } = c.var.ctx;
      const entered = await authorizeSession(deps, credentialOf(c), (tokenHash) => [
        selectOperator(deps.db),
        ...reads({ tokenHash }),
      ]);
      const { actor } = entered;
      const [operators, ...results] = entered.reads;
      requireOperator(actor, operators);
      return { actor, ctx: admit(c, actor), reads: results };
    },
  },
  workspace: {
    enter: async (c, { capability, license, selfParam }, reads) => {
      const workspaceId = placeOf(c);
      const selfId = selfParam === undefined ? undefined : c.req.param(selfParam);
      const entered = await authorizeWorkspace(
        c.var.ctx.deps,
        credentialOf(c),
        workspaceId,
        { capability, license, selfId },
        reads({ workspaceId }),
      );
      return { ...entered, ctx: admit(c, entered.actor) };
    },
  },
  cookie: ofProject,
  cookie_or_key: ofProject,
  secret: { ...ofKey, count, ...atHandler },
  public_or_secret: {
    ...ofKey,
    isForSmallBodies: true,
    countValid: async (c, { takeValid }, { ctx, project }) =>
      applyVerdict(c, await takeValid(c, ctx, project.id)),
  },
};
