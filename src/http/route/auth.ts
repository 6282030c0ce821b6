import type { SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { BatchResults } from "../../db/client.ts";
import type { Verdict } from "../../lib/sliding-window.ts";
import type {
  Capability,
  ProjectAccess,
  UserActor,
  WorkspaceAccess,
} from "../../services/access/index.ts";
import type { LicensedFeature } from "../../services/licensing/index.ts";
import type { LimitedAction, OpenHit } from "../../services/limits/index.ts";
import type { HttpContext } from "../http-env.ts";
import type { Reads } from "./reads.ts";

/** The rules of a route without a login; its body must be a small one. */
export interface PublicRule {
  /** True when pages of any site may call it, without credentials. */
  anyOrigin?: true;
  /** Throws the errors that come before an invalid body (API reference §2.9: 404 before 400). */
  beforeBadBody?: (c: HttpContext) => Promise<void>;
}

/** The rules of a route below `/workspaces/:id`. */
export interface WorkspaceRule {
  capability: Capability;
  license?: LicensedFeature;
  /** The parameter with the affected member; for the member themselves membership is enough. */
  selfParam?: string;
}

/** The rules of a route below `/projects/:id`. */
export interface ProjectRule {
  capability: Capability;
  license?: LicensedFeature;
  limit?: LimitedAction;
}

/** The rules of a route of the key-based API. */
export interface SecretKeyRule {
  capability: Capability;
  limit: LimitedAction;
}

/**
 * The rules of a route for keys that are not secret. It counts valid calls alone, so a caller with
 * bad bodies uses up nobody else's rate. Its body must be a small one.
 */
export interface AnyKeyRule extends SecretKeyRule {
  anyOrigin?: true;
  takeValid: (c: HttpContext, ctx: Ctx, projectId: string) => Promise<Verdict>;
}

/** The rules that the table of all routes lists. */
export interface ListedRules {
  capability?: Capability;
  license?: LicensedFeature;
  limit?: LimitedAction;
  selfParam?: string;
  anyOrigin?: boolean;
}

/** Rules of one way in. Those of other ways are a type error, because nothing would check them. */
type Only<Rule> = Rule & { [Name in Exclude<keyof ListedRules, keyof Rule>]?: never };

type Nothing = object;

/**
 * For each way in: the rules that a route declares, the scope that its reads have, and the facts
 * about the caller that its handler receives.
 */
interface Ways {
  public: { rule: Only<PublicRule>; scope: Nothing; access: Nothing };
  /** A provider that posts bounces of the project in the path. */
  ingest_token: { rule: Only<Nothing>; scope: { projectId: string }; access: Nothing };
  user: { rule: Only<Nothing>; scope: { tokenHash: string }; access: { actor: UserActor } };
  /** The owner of the first account. */
  operator: Ways["user"];
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

/** The ways in: `auth` of a route. */
export type Auth = keyof Ways;
export type RuleOf<A extends Auth> = Ways[A]["rule"];
export type ScopeOf<A extends Auth> = Ways[A]["scope"];
/** A caller whom the access check let in. */
export type AccessOf<A extends Auth> = Ways[A]["access"] & { ctx: Ctx };

/** The checks of one way in. */
export interface Checks<A extends Auth> {
  /** Admits the caller or throws; the reads run in the same round trip. */
  enter: <R extends Reads>(
    c: HttpContext,
    rule: RuleOf<A> & { auth: A } & { method: string },
    reads: (scope: ScopeOf<A>) => R,
  ) => Promise<AccessOf<A> & { reads: BatchResults<R> }>;
  /** True when routes take small bodies alone. */
  isForSmallBodies?: true;
  beforeBadBody?: (c: HttpContext, rule: RuleOf<A>) => Promise<void>;
  /** Counts a call, valid or not, once its caller is known. */
  count?: (
    c: HttpContext,
    rule: RuleOf<A> & { method: string },
    access: AccessOf<A>,
  ) => Promise<void>;
  /** Opens the hit of a valid call, which its handler counts with its work. */
  openHit?: (rule: RuleOf<A>, access: AccessOf<A>) => OpenHit | undefined;
  /** Counts the hit of a call whose handler has ended, unless it was counted, and applies it. */
  closeHit?: (c: HttpContext, hit: OpenHit, access: AccessOf<A>) => Promise<void>;
  /** Counts a valid call. */
  countValid?: (c: HttpContext, rule: RuleOf<A>, access: AccessOf<A>) => Promise<void>;
}
