import { z } from "zod";
import { AppError, refusal } from "../../errors.ts";
import type { HttpContext } from "../http-env.ts";
import { idempotencyKeyOf } from "../idempotency-key.ts";
import { pages } from "../project/log-query.ts";
import { sendBody } from "../project/send-body.ts";
import { MAX_SEND_BYTES } from "../project/send.ts";
import type { Asked, DoorRoute } from "./door-route.ts";
import { theirMessageOf } from "./errors.ts";
import { listedMail, mailField, shownMail, type LoggedMail } from "./mail.ts";
import { parsed } from "./parsed.ts";
import { withTime } from "./time.ts";
import { listPage } from "./pages.ts";

const MAX_BATCH = 100;
/** The emails of a batch that are sent at the same time; our own choice. */
const AT_ONCE = 5;

/** The errors of an email that is logged as suppressed. */
const SUPPRESSED = new Set<string>(["suppressed", "opted_out"]);

type OwnMail = z.output<typeof mailField>;

/**
 * Sends one email and returns its ID. As with Resend, an email to an address that is suppressed or
 * has opted out of the topic is accepted, and logged as suppressed. Words as its time mean another
 * one in each repetition, so the Idempotency-Key takes the words.
 */
async function send(asked: Asked, mail: OwnMail, key: string | undefined): Promise<string> {
  const timed = withTime(asked, mail);
  const said = timed.scheduled_at === mail.scheduled_at ? undefined : mail;
  try {
    const { id } = await asked.call<{ id: string }>("POST", "/send", timed, key, said);
    return id;
  } catch (error) {
    if (!(error instanceof AppError) || !SUPPRESSED.has(error.code)) throw error;
    return String(error.details.fields?.["id"]);
  }
}

/** Returns an email of a batch, or its error if our send would not accept its form. */
function readOne(asked: Asked, given: unknown): OwnMail | AppError {
  try {
    const mail = parsed(mailField, given);
    parsed(sendBody, JSON.parse(JSON.stringify(withTime(asked, mail))));
    return mail;
  } catch (error) {
    if (isRefused(error)) return error;
    throw error;
  }
}

/** Throws unless the caller may send and its rate limit leaves that many emails. */
async function requireRoom({ ask }: Asked, count: number): Promise<void> {
  const { headers, ok, status } = await ask("POST", "/send", {}); // sends nothing
  if (!ok && status !== 400) return; // the first send throws the same error
  const limit = Number(headers.get("RateLimit-Limit"));
  const retryAfterSeconds = Number(headers.get("RateLimit-Reset"));
  if (Number(headers.get("RateLimit-Remaining")) < count)
    throw refusal("rate_limited", { limit }, { retryAfterSeconds });
}

const isRefused = (one: unknown): one is AppError => one instanceof AppError;

/** Sends the emails, the first one alone: most errors concern all of them. */
async function sendAll(
  asked: Asked,
  mails: (OwnMail | AppError)[],
  isStrict: boolean,
): Promise<(string | AppError)[]> {
  const key = idempotencyKeyOf(asked.c);
  const sendOne = async (mail: OwnMail | AppError, index: number) => {
    if (isRefused(mail)) return mail;
    return send(asked, mail, key && `${key}/${index}`).catch((error: unknown) => {
      if (isRefused(error)) return error;
      throw error;
    });
  };
  const ids: (string | AppError)[] = [];
  while (ids.length < mails.length) {
    const from = ids.length;
    const part = mails.slice(from, from + (from === 0 ? 1 : AT_ONCE));
    ids.push(...(await Promise.all(part.map((mail, at) => sendOne(mail, from + at)))));
    if (isStrict && ids.some(isRefused)) return ids;
  }
  return ids;
}

async function sendBatch(asked: Asked) {
  const list = parsed(z.array(z.unknown()).min(1).max(MAX_BATCH), asked.body);
  const isStrict = asked.c.req.header("x-batch-validation") !== "permissive";
  const mails = list.map((one) => readOne(asked, one));
  const atFault = (list: unknown[]) => {
    const index = list.findIndex(isRefused);
    return { index, error: list[index] };
  };
  const faulty = atFault(mails);
  if (isStrict && isRefused(faulty.error)) throw inBatch(faulty.error, faulty.index, 0);
  await requireRoom(asked, mails.length);
  const ids = await sendAll(asked, mails, isStrict);
  const sent = ids.filter((id) => typeof id === "string");
  const { index, error } = atFault(ids);
  if (isStrict && isRefused(error)) throw inBatch(error, index, sent.length);
  const errors = ids.flatMap((one, at) =>
    isRefused(one) ? [{ index: at, message: theirMessageOf(one) }] : [],
  );
  return { data: sent.map((id) => ({ id })), ...(isStrict ? {} : { errors }) };
}

/** Returns the error of a batch for that of one of its emails. */
function inBatch(error: AppError, index: number, sent: number): AppError {
  const rest = sent === 0 ? "nothing was sent" : `${sent} other emails were sent`;
  const message = `email ${index} of the batch: ${theirMessageOf(error)}; ${rest}`;
  return new AppError(error.code, message, {}, error.params);
}

/** Returns our cursor of the page after an email. */
async function cursorOf({ call }: Asked, id: string): Promise<string | null> {
  const { sent_at } = await call<LoggedMail>("GET", `/logs/${encodeURIComponent(id)}`);
  return pages.cursorOf([Date.parse(sent_at), id]);
}

const pathOf = (c: HttpContext) => `/logs/${encodeURIComponent(c.req.param("id") ?? "")}`;

export const emailRoutes: DoorRoute[] = [
  {
    method: "POST",
    path: "/emails",
    maxBodyBytes: MAX_SEND_BYTES,
    answer: async (asked) => {
      const mail = parsed(mailField, asked.body);
      return { id: await send(asked, mail, idempotencyKeyOf(asked.c)) };
    },
  },
  {
    method: "POST",
    path: "/emails/batch",
    maxBodyBytes: MAX_SEND_BYTES,
    answer: sendBatch,
  },
  {
    method: "GET",
    path: "/emails",
    answer: (asked) =>
      listPage(
        asked,
        { path: "/logs", field: "logs", cursorOf: (id) => cursorOf(asked, id) },
        listedMail,
      ),
  },
  {
    method: "GET",
    path: "/emails/:id",
    answer: async ({ c, call }) => shownMail(await call<LoggedMail>("GET", pathOf(c))),
  },
  {
    method: "PATCH",
    path: "/emails/:id",
    answer: async (asked) => {
      const change = withTime(asked, asked.body);
      const { id } = await asked.call<{ id: string }>("PATCH", pathOf(asked.c), change);
      return { object: "email", id };
    },
  },
  {
    method: "POST",
    path: "/emails/:id/cancel",
    answer: async ({ c, call }) => {
      await call("POST", `${pathOf(c)}/cancel`);
      return { object: "email", id: c.req.param("id") };
    },
  },
];
