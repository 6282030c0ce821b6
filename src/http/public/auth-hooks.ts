import { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";
import type { HookService } from "../../db/schema/index.ts";
import { refusal } from "../../errors.ts";
import { readLimited } from "../../lib/read-limited.ts";
import type { SendAnswer } from "../../project-object.ts";
import { openHook, receiveCall } from "../../services/auth-hooks/index.ts";
import { CREATE } from "../../services/events/index.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";
import { finishAnyway } from "../project/send.ts";
import { sizeInWords } from "../read-body.ts";
import { refusalOf } from "../render-errors.ts";

/** Maximum size of a call, for emails that Clerk has rendered and large metadata of users. */
const MAX_CALL_BYTES = 1_048_576;

/**
 * The time after which Supabase gets its answer, although the email is still on its way: it waits
 * five seconds, and would otherwise take back the sign-up that the email confirms.
 */
const SUPABASE_WAIT_MS = 4_000;

/**
 * Errors that Supabase shall not pass on to the user: those of its own settings. It passes an error
 * on only if the status is 200, and the body has the error's.
 */
const IN_STATUS: ReadonlySet<number> = new Set([401, 403, 413, 429]);

/** What a call has led to; undefined if its emails are still on their way. */
type Outcome = SendAnswer[] | undefined;

/**
 * Returns the routes that services call: for their emails, which they then do not send themselves,
 * and for events of people (docs/hooks.md). Both the token in the URL and the signature must be right.
 */
export function authHookRoutes() {
  return new Hono<HttpEnv>()
    .post("/hooks/supabase/:token", async (c) => {
      const outcome = await receive(c, "supabase", SUPABASE_WAIT_MS);
      const failed = outcome?.find(({ kind }) => kind !== "sent");
      return failed ? refuseSupabase(c, 200, notSent(failed)) : c.json({});
    })
    .post("/hooks/clerk/:token", async (c) => {
      const [answer] = (await receive(c, "clerk")) ?? [];
      if (!answer) return c.json({ message: "ignored" });
      // Svix repeats a call that fails, which helps only if the server has put the email off.
      if (answer.kind === "refused" && answer.failure === "transient")
        throw refusal("smtp_failed", { reason: answer.error });
      return c.json({ message: answer.kind, id: answer.id });
    })
    .post("/hooks/stripe/:token", async (c) => {
      await receive(c, "stripe");
      return c.json({ received: true });
    })
    .onError((error, c) => {
      const { status, body } = refusalOf(error, c);
      if (!c.req.path.startsWith("/hooks/supabase/")) return c.json(body, status);
      return refuseSupabase(c, IN_STATUS.has(status) || status >= 500 ? status : 200, {
        status,
        message: body.error,
      });
    });
}

/** What happens to events of unknown people, as the parameter `create` of the URL says. */
const createOf = (c: HttpContext) => CREATE.find((one) => one === c.req.query("create"));

/** Sends the emails of a call, and waits for them, for at most `waitMs`. */
async function receive(c: HttpContext, service: HookService, waitMs?: number): Promise<Outcome> {
  const { ctx } = c.var;
  const open = await openHook(ctx, service, c.req.param("token") ?? "");
  const read = await readLimited(c.req.raw.body, MAX_CALL_BYTES);
  if (!read.ok) throw refusal("payload_too_large", { limit: sizeInWords(MAX_CALL_BYTES) });
  const header = (name: string) => c.req.header(name) ?? "";
  const receiving = finishAnyway(
    ctx,
    receiveCall(ctx, open, { bytes: read.bytes, header }, createOf(c)),
  );
  if (waitMs === undefined) return receiving;
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(late.resolve, waitMs);
  return Promise.race([receiving, late.promise]).finally(() => clearTimeout(timer));
}

/** An error as Supabase expects it. */
export const supabaseErrorAnswer = z.strictObject({
  error: z.strictObject({ http_code: z.number(), message: z.string() }),
});

interface Refused {
  status: number;
  message: string;
}

/** Returns why an email was not sent, without the words of the server: the user reads this. */
function notSent({ kind, id }: SendAnswer): Refused {
  if (kind === "suppressed") return { status: 422, message: "This address gets no email." };
  return { status: 502, message: `The email could not be sent (${id}).` };
}

const refuseSupabase = (
  c: HttpContext,
  status: ContentfulStatusCode,
  { status: code, message }: Refused,
) =>
  c.json(
    { error: { http_code: code, message } } satisfies z.input<typeof supabaseErrorAnswer>,
    status,
  );
