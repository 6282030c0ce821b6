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

/** Parameter names in a path. */
export type ParamOf<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParamOf<More>
    : Rest
  : never;

/** Validated input of a request. */
export interface Input<Path extends string, Body, Query> {
  c: HttpContext;
  deps: Deps;
  body: Body;
  /** The raw body. */
  bytes: Uint8Array;
  query: Query;
  param: (name: ParamOf<Path>) => string;
  /** Adds the warnings about the body to an answer that the handler makes by itself. */
  warned: <Answer>(answer: Answer) => Answer;
}

/** Responses of a route; `Value` is the return value of its handler. */
export interface Answers<Value> {
  /** Schema of the JSON response; without one the route responds with 204. */
  answer?: ZodType<unknown, Value>;
  /** Status of `answer`; 200 by default. */
  status?: ContentfulStatusCode;
  /** Schemas of successful responses with other statuses. */
  otherAnswers?: Record<number, ZodType | undefined>;
}

interface Facts extends Words {
  auth: Auth;
  method: Method;
  path: string;
  /** Schema of the body; without one the route ignores any body. */
  body?: ZodType;
  query?: ZodType;
  /** True if the route reports unknown fields of the body to the caller. */
  namesUnknownFields?: true;
}

/** A route as declared by its feature, with the rules of its `auth`. */
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
  Pick<BodyRule<Body>, "bodyTypes"> & {
    auth: A;
    path: Path;
    body?: ZodType<Body>;
    query?: ZodType<Query>;
    maxBodyBytes?: number;
    /**
     * True if the handler counts a valid call with a small body together with its work, in one call
     * to the Durable Object. Refused calls count as usual.
     */
    countsWithWork?: true;
    /** True if the route creates something, once per caller and `Idempotency-Key`. */
    once?: true;
    /**
     * Reads that share the round trip of the access check, or follow it for a large body; run only
     * for valid input.
     */
    reads?: (input: Input<Path, Body, Query> & ScopeOf<A>) => R;
    /** Returns the value of the response; return a Response for custom headers or statuses. */
    handle: (
      input: Input<Path, Body, Query> &
        AccessOf<A> & { reads: BatchResults<R>; hit: OpenHit | undefined },
    ) => Promise<NoInfer<Value> | Response>;
  };

/** A route in the table of all routes, with its mount function. */
export interface Route extends Facts, ListedRules {
  /** True if pages of any site may call it (any-origin.ts). */
  anyOrigin: boolean;
  example?: Example;
  /** Parsers of other content types than JSON, by type. */
  bodyTypes?: BodyRule<unknown>["bodyTypes"];
  /** Maximum body size in bytes. */
  maxBytes: number;
  /** Schema of each successful response by status; undefined for an empty body. */
  answers: Record<number, ZodType | undefined>;
  mount: (server: Hono<HttpEnv>) => void;
}
