import { zValidator } from "@hono/zod-validator";
import type { Hono } from "hono";
import { z, type ZodType } from "zod";
import { isTestKey } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { withoutEmpty } from "../given.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";
import { refusalOfIssues } from "../issues.ts";
import { wantsStrict } from "../prefer.ts";
import {
  MAX_BODY_BYTES,
  noBody,
  receiveJson,
  SMALL_BODY_BYTES,
  type Parsed,
} from "../read-body.ts";
import { orNone, type Reads } from "./reads.ts";
import { idempotencyOf } from "../idempotency-key.ts";
import { answerOnce } from "./answer-once.ts";
import { answersOf, respond } from "./answer.ts";
import type { Auth, ScopeOf } from "./auth.ts";
import { CHECKS } from "./checks.ts";
import type { Declaration, Input, ParamOf, Route } from "./declaration.ts";
import { faultOfIds } from "./path-ids.ts";
import { unknownFieldsOf, warnerOf } from "./unknown-fields.ts";

/**
 * Declares a route. Order of checks: credential, license, resource, role or capability, rate limit,
 * path, query, body (API reference §2.9). The access check and the route's own reads share one D1
 * round trip. A large body may take a minute to arrive, so access is checked again in the round
 * trip of the reads.
 */
export function route<
  A extends Auth,
  Path extends string,
  Body = unknown,
  Query = unknown,
  const R extends Reads = [],
  Value = void,
>(declared: Declaration<A, Path, Body, Query, R, Value>): Route {
  const { auth, method, path, body, anyOrigin = false } = declared;
  const checks = CHECKS[auth];
  const largest = declared.maxBodyBytes ?? MAX_BODY_BYTES;
  const maxBytes = checks.isForSmallBodies ? SMALL_BODY_BYTES : largest;
  const { bodyTypes } = declared;
  const findUnknown = body && declared.namesUnknownFields && unknownFieldsOf(body);
  const rule = body && { schema: body, maxBytes, bodyTypes, findUnknown };

  const answerWith = (c: HttpContext, { warned }: Warned, made: Value | Response) =>
    made instanceof Response ? made : respond(c, declared, warned(made));

  async function serve(c: HttpContext, judged: Judged<Query>): Promise<Response> {
    const incoming = rule ? await receiveJson(c, rule) : noBody<Body>();
    const inputOf = ({ value, bytes, unknown }: Valid<Body>, query: Query) => {
      const param = (name: ParamOf<Path>) => c.req.param(name) ?? "";
      const { deps } = c.var.ctx;
      const warned = warnerOf(unknown);
      const input: Input<Path, Body, Query> = { c, deps, body: value, bytes, query, param, warned };
      return input;
    };
    const enter = <T extends Reads>(reads: (scope: ScopeOf<A>) => T) =>
      checks.enter(c, declared, reads);
    const enterWith = (input: Input<Path, Body, Query>) =>
      enter((scope) => orNone(declared.reads?.({ ...scope, ...input })));
    const fault = faultOfIds(c, path);
    // No resource has a malformed id.
    const enterFaulty = () =>
      enter(() => []).catch((refused: unknown) => {
        throw refused instanceof AppError && refused.status === 404 ? fault : refused;
      });
    try {
      const { early } = incoming;
      const isValid = !fault && early?.ok && judged.success;
      const withReads = isValid ? await enterWith(inputOf(early, judged.data)) : undefined;
      const opened = withReads ?? (await (fault ? enterFaulty() : enter(() => [])));
      if (!fault && !early?.ok) await checks.beforeBadBody?.(c, declared);
      const hit =
        withReads && declared.countsWithWork ? checks.openHit?.(declared, withReads) : undefined;
      if (!hit) await checks.count?.(c, declared, opened);
      if (fault) throw fault;
      if (!judged.success) throw refusalOfIssues(judged.error.issues);
      const parsed = await incoming.finish();
      if (!parsed.ok) throw parsed.error;
      await checks.countValid?.(c, declared, opened);
      const input = inputOf(parsed, judged.data);
      const entered = withReads ?? (await enterWith(input));
      const facts = { ...entered, hit };
      const handle = async () => {
        const isStrict = wantsStrict(c) || isTestKey(entered.ctx.actor);
        if (parsed.unknown.length > 0 && isStrict) throw refusalOfIssues(parsed.unknown);
        return declared.handle({ ...facts, ...input });
      };
      const idempotency = declared.once && idempotencyOf(c, entered.ctx, input.bytes);
      if (idempotency)
        return await answerOnce(c, entered.ctx, idempotency, async () =>
          answerWith(c, input, await handle()),
        );
      const handling = handle();
      // A rate-limit error takes precedence over any error of the handler.
      if (hit) await handling.catch(() => undefined).then(() => checks.closeHit?.(c, hit, entered));
      return answerWith(c, input, await handling);
    } finally {
      incoming.end();
    }
  }

  const { query } = declared;
  const mount = (server: Hono<HttpEnv>) => {
    if (query) server.on(method, path, judge(query), (c) => serve(c, c.req.valid("query")));
    else server.on(method, path, (c) => serve(c, { success: true, data: NO_QUERY as Query }));
  };
  const takesKey = declared.once ?? declared.takesIdempotencyKey;
  return {
    ...declared,
    ...(takesKey && { takesIdempotencyKey: takesKey }),
    anyOrigin,
    maxBytes,
    answers: answersOf(declared),
    mount,
  };
}

type Valid<Body> = Extract<Parsed<Body>, { ok: true }>;
type Warned = Pick<Input<string, unknown, unknown>, "warned">;
type Judged<Query> = ReturnType<ZodType<Query>["safeParse"]>;

/** Placeholder query of a route without a query schema. */
const NO_QUERY: unknown = undefined;

/**
 * Returns middleware that validates the query without refusing, because other checks come first.
 */
function judge<Query>(schema: ZodType<Query>) {
  const judging = z.unknown().transform((query) => schema.safeParse(query));
  return zValidator("query", z.preprocess(withoutEmpty, judging));
}
