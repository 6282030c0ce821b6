import type { SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { BatchResults } from "../../db/client.ts";
import type { Verdict } from "../../lib/sliding-window.ts";
import type {
  Capability,
  ProjectAccess,
  Reach,
  UserActor,
  WorkspaceAccess,
} from "../../services/access/index.ts";
import type { LicensedFeature } from "../../services/licensing/index.ts";
import type { LimitedAction, OpenHit } from "../../services/limits/index.ts";
import type { HttpContext } from "../http-env.ts";
import type { Reads } from "./reads.ts";

/** Rules of a route without authentication; it accepts only small bodies. */
export interface PublicRule {
  /** True if pages of any site may call it, without credentials. */
  anyOrigin?: true;
  /**
   * Throws the errors that take precedence over an invalid body (API reference §2.9: 404 before
   * 400).
   */
  beforeBadBody?: (c: HttpContext) => Promise<void>;
}

/** Rules of a route for a person. */
export interface UserRule {
  /**
   * "session" excludes access tokens, and "any" includes those for single projects, whose handler
   * then limits its answer to them.
   */
  reach?: Exclude<Reach, "person">;
}

/** Rules of a route below `/workspaces/:id`. */
export interface WorkspaceRule {
  capability: Capability;
  license?: LicensedFeature;
  /** The path parameter with the affected member. Members may always act on themselves. */
  selfParam?: string;
}

/** Rules of a route below `/projects/:id`. */
export interface ProjectRule {
  capability: Capability;
  license?: LicensedFeature;
  limit?: LimitedAction;
}

/** Rules of a route of the key-based API. */
export interface SecretKeyRule {
  capability: Capability;
  limit: LimitedAction;
}

/**
 * Rules of a route for public keys. It counts only valid calls, so that callers with invalid bodies
 * cannot use up anyone else's rate limit. It accepts only small bodies.
 */
export interface AnyKeyRule extends SecretKeyRule {
  anyOrigin?: true;
  takeValid: (c: HttpContext, ctx: Ctx, projectId: string) => Promise<Verdict>;
}

/** Rules as the table of all routes lists them. */
export interface ListedRules {
  reach?: Reach;
  capability?: Capability;
  license?: LicensedFeature;
  limit?: LimitedAction;
  selfParam?: string;
  anyOrigin?: boolean;
}

/**
 * Rules of one authentication method. Those of others are a type error, because nothing would check
 * them.
 */
type Only<Rule> = Rule & { [Name in Exclude<keyof ListedRules, keyof Rule>]?: never };

type Nothing = object;

/**
 * Per authentication method: the rules that a route declares, the scope of its reads, and the
 * caller's facts that its handler receives.
 */
interface Ways {
  public: { rule: Only<PublicRule>; scope: Nothing; access: Nothing };
  /** A provider that posts bounces to the project in the path. */
  ingest_token: { rule: Only<Nothing>; scope: { projectId: string }; access: Nothing };
  user: { rule: Only<UserRule>; scope: { tokenHash: string }; access: { actor: UserActor } };
  /** The owner of the first account. */
  operator: Omit<Ways["user"], "rule"> & { rule: Only<Nothing> };
  workspace: {
    rule: Only<WorkspaceRule>;
    scope: { workspaceId: string };
    access: Pick<WorkspaceAccess<[]>, "actor" | "workspace">;
  };
  cookie: {
    rule: Only<ProjectRule>;
    scope: { projectId: string };
    access: Pick<ProjectAccess, "project" | "capabilities">;
  };
  cookie_or_key: Ways["cookie"];
  secret: {
    rule: Only<SecretKeyRule>;
    scope: { projectId: SQL };
    access: Pick<ProjectAccess, "project">;
  };
  public_or_secret: Omit<Ways["secret"], "rule"> & { rule: Only<AnyKeyRule> };
}

/** Authentication methods: `auth` of a route. */
export type Auth = keyof Ways;
export type RuleOf<A extends Auth> = Ways[A]["rule"];
export type ScopeOf<A extends Auth> = Ways[A]["scope"];
/** An authorized caller. */
export type AccessOf<A extends Auth> = Ways[A]["access"] & { ctx: Ctx };

/** The checks of one authentication method. */
export interface Checks<A extends Auth> {
  /** Authorizes the caller or throws; the reads share the round trip. */
  enter: <R extends Reads>(
    c: HttpContext,
    rule: RuleOf<A> & { auth: A } & { method: string },
    reads: (scope: ScopeOf<A>) => R,
  ) => Promise<AccessOf<A> & { reads: BatchResults<R> }>;
  /** True if these routes accept only small bodies. */
  isForSmallBodies?: true;
  beforeBadBody?: (c: HttpContext, rule: RuleOf<A>) => Promise<void>;
  /** Counts a call, valid or not, once its caller is known. */
  count?: (
    c: HttpContext,
    rule: RuleOf<A> & { method: string },
    access: AccessOf<A>,
  ) => Promise<void>;
  /** Opens the hit of a valid call, which its handler counts together with its work. */
  openHit?: (rule: RuleOf<A>, access: AccessOf<A>) => OpenHit | undefined;
  /** Counts the hit after the handler, unless the handler counted it, and applies the verdict. */
  closeHit?: (c: HttpContext, hit: OpenHit, access: AccessOf<A>) => Promise<void>;
  countValid?: (c: HttpContext, rule: RuleOf<A>, access: AccessOf<A>) => Promise<void>;
}
