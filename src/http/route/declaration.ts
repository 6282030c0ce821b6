import type { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ZodType } from "zod";
import type { BatchResults } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import type { OpenHit } from "../../services/limits/index.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";
import type { BodyRule } from "../read-body.ts";
import type { Reads } from "./reads.ts";
import type { AccessOf, Auth, ListedRules, RuleOf, ScopeOf } from "./auth.ts";
import type { Example, Shown, Words } from "./words.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The names of the parameters in a path. */
export type ParamOf<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParamOf<More>
    : Rest
  : never;

/** The checked input of a request. */
export interface Input<Path extends string, Body, Query> {
  c: HttpContext;
  deps: Deps;
  body: Body;
  /** The body as it came. */
  bytes: Uint8Array;
  query: Query;
  /** Returns a parameter of the path. */
  param: (name: ParamOf<Path>) => string;
}

/** The answers of a route; `Value` is what its handler returns. */
export interface Answers<Value> {
  /** The schema of the JSON answer; without one the route answers 204. */
  answer?: ZodType<unknown, Value>;
  /** The status of `answer`; 200 unless it is set. */
  status?: ContentfulStatusCode;
  /** The schemas of successful answers with other statuses. */
  otherAnswers?: Record<number, ZodType | undefined>;
}

interface Facts extends Words {
  auth: Auth;
  method: Method;
  path: string;
  /** The schema of the body; without one the route takes no body and ignores any. */
  body?: ZodType;
  query?: ZodType;
}

/** A route as its feature declares it; it has the rules of its `auth`. */
export type Declaration<
  A extends Auth,
  Path extends string,
  Body,
  Query,
  R extends Reads,
  Value,
> = RuleOf<A> &
  Answers<Value> &
  Facts &
  Shown<Body> &
  Pick<BodyRule<Body>, "base64At" | "isList" | "bodyTypes"> & {
    auth: A;
    path: Path;
    body?: ZodType<Body>;
    query?: ZodType<Query>;
    maxBodyBytes?: number;
    /**
     * True when the handler counts a valid call of a small body with its work, in one visit. Calls
     * that are refused count all the same.
     */
    countsWithWork?: true;
    /** True when the route makes something, once for each `Idempotency-Key` of its caller. */
    once?: true;
    /** Reads that run with the access check, or after it for a large body; only for valid input. */
    reads?: (input: Input<Path, Body, Query> & ScopeOf<A>) => R;
    /** Returns the answer's value; a Response serves for headers and for other statuses. */
    handle: (
      input: Input<Path, Body, Query> &
        AccessOf<A> & { reads: BatchResults<R>; hit: OpenHit | undefined },
    ) => Promise<NoInfer<Value> | Response>;
  };

/** A route as the table of all routes lists it, with its mount on the server. */
export interface Route extends Facts, ListedRules {
  /** True when pages of any site may call it (any-origin.ts). */
  anyOrigin: boolean;
  example?: Example;
  /** Parsers of bodies of other types than JSON, by type. */
  bodyTypes?: BodyRule<unknown>["bodyTypes"];
  /** The largest body in bytes. */
  maxBytes: number;
  /** The schema of each successful answer by status; undefined for one without a body. */
  answers: Record<number, ZodType | undefined>;
  mount: (server: Hono<HttpEnv>) => void;
}
