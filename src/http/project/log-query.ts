import { z } from "zod";
import { LOG_STATUSES } from "../../db/schema/index.ts";
import { invalidField, notFound } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import type { LogRow, LogSearch, Recipient } from "../../services/email-log/index.ts";
import type { ScheduledRow } from "../../services/mailing/index.ts";
import type { SubscriberRow } from "../../services/subscribers/index.ts";
import { fault } from "../fault.ts";
import { emailField, timestampField, uuidField } from "../fields.ts";
import { pagesOf } from "../paging.ts";

const MAX_TAG_NAME_CHARACTERS = 64;
const MAX_TAG_VALUE_CHARACTERS = 256;

/** A search for one recipient covers this many of the newest broadcasts and mails of automations. */
export const BROADCASTS_SEARCHED = 200;

export const pages = pagesOf(
  "logs",
  z.tuple([z.int(), uuidField]),
  ({ sentAt, id }: LogRow | ScheduledRow): [number, string] => [sentAt, id],
);

/** The query of the log (API reference §16.1). */
export const logQuery = pages
  .query({
    status: z
      .enum([...LOG_STATUSES, "scheduled"])
      .optional()
      .describe("`scheduled` lists the emails that wait for their time; no search finds them."),
    from: timestampField.optional(),
    to: timestampField.optional(),
    to_email: emailField.optional(),
    subscriber_id: uuidField.optional(),
    template_id: uuidField.optional(),
    broadcast_id: uuidField.optional(),
    automation_id: uuidField.optional(),
    step_id: z.string().optional().describe("A step of `automation_id`."),
    batch_id: uuidField.optional(),
    tag: z.string().max(MAX_TAG_NAME_CHARACTERS).optional().describe("The name of a tag."),
    tag_value: z
      .string()
      .max(MAX_TAG_VALUE_CHARACTERS)
      .optional()
      .describe("The value of `tag`, or of any tag without it."),
  })
  .refine(({ automation_id: id, step_id: step }) => step === undefined || id !== undefined, {
    path: ["step_id"],
    message: fault("only_with", { field: "automation_id" }),
  });

type LogQuery = z.output<typeof logQuery>;

/** Returns true for a query that counters and offsets cannot serve. */
export function isSearch(query: LogQuery): boolean {
  const { to_email: email, subscriber_id: subscriber, template_id: template } = query;
  const { broadcast_id: broadcast, tag, tag_value: value } = query;
  const { automation_id: automation, batch_id: batch } = query;
  const given = [email, subscriber, template, broadcast, automation, batch, tag, value];
  return given.some((one) => one !== undefined);
}

/** Returns true for a search for the mails of one recipient. */
export const isOfRecipient = ({ to_email: email, subscriber_id: id }: LogQuery) =>
  email !== undefined || id !== undefined;

/** Returns the search of a query. Throws invalid_request for scheduled emails. */
export function searchOf(query: LogQuery): LogSearch {
  const { status, from, to, tag, after } = query;
  if (status === "scheduled")
    throw invalidField("status", faultOf("not_with", { field: "the fields of a search" }));
  return {
    status,
    from,
    to,
    tag,
    after,
    toEmail: query.to_email,
    subscriberId: query.subscriber_id,
    templateId: query.template_id,
    broadcastId: query.broadcast_id,
    automationId: query.automation_id,
    stepId: query.step_id,
    tagValue: query.tag_value,
  };
}

/**
 * Returns the single recipient of a search, if any. Throws not_found for an unknown subscriber, and
 * invalid_request for an address that is not the subscriber's.
 */
export function recipientOf(
  query: LogQuery,
  subscriber: SubscriberRow | undefined,
  broadcasts: Recipient["broadcasts"],
): Recipient | undefined {
  const { to_email: given, subscriber_id: id } = query;
  if (id !== undefined && !subscriber) throw notFound("subscriber");
  if (id !== undefined && given !== undefined && given !== subscriber?.email)
    throw invalidField("to_email", faultOf("not_of_subscriber"));
  const email = given ?? subscriber?.email;
  return email === undefined ? undefined : { email, subscriberId: subscriber?.id, broadcasts };
}
