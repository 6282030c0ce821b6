import type { Ctx } from "../../../context.ts";
import { AppError, notFound } from "../../../errors.ts";
import type { Deps } from "../../../deps.ts";
import type { BatchResults } from "../../../db/client.ts";
import type { MailedSubscriber } from "../../../db/subscriber-columns.ts";
import type { Mailbox } from "../../../mail/address.ts";
import type { ProjectRow } from "../../access/index.ts";
import { selectStorage } from "../../storage/index.ts";
import { selectSubscriber } from "../../subscribers/index.ts";
import { selectSuppressed } from "../../suppressions/index.ts";
import type { MailTemplate } from "../../templates/index.ts";
import { testViewUrl, unsubscribeUrl } from "../../tracking/index.ts";
import { fromNamed, NO_EXTRAS, repliesTo } from "../compose.ts";
import type { SendAnswer } from "../../../project-object.ts";
import { unmailable } from "../sources/single/send-facts.ts";
import { sendMail } from "../sources/single/send-mail.ts";
import type { MailOptions, SendInput } from "../sources/single/send-input.ts";
import { addressData, subscriberData } from "../variables.ts";
import { NO_SUBSCRIBER_ID } from "./audience.ts";

/** The recipients of a test. */
export interface TestRecipients {
  to: Mailbox[];
  /** The subscriber whose variables the mail has. */
  subscriberId: string | undefined;
}

/** A test of a mail. */
export interface TestInput extends TestRecipients {
  template: MailTemplate;
  subject: string | undefined;
  data: Record<string, unknown>;
  /**
   * The subscriber whose variables the mail has if the test names none. Without one, the mail has
   * no such variables.
   */
  standIn?: MailedSubscriber;
  /** The sender name and the address for replies, if they differ from those of the project. */
  sender?: { fromName: string | null; replyTo: string | null };
  /** What a broadcast sets about its tracking and links. */
  own?: Pick<MailOptions, "tracking" | "broadcastUtm">;
}

/** The outcome of one test mail. A mail that is refused before it is sent has no log entry. */
export type TestOutcome = { to: string; answer: SendAnswer } | { to: string; refused: string };

/** Returns the reads of a test, which run with the access check. */
export function testReads(deps: Deps, projectId: string, { to, subscriberId }: TestRecipients) {
  const { db } = deps;
  const emails = to.map(({ address }) => address);
  return [
    selectSubscriber(db, projectId, subscriberId ?? ""),
    selectSuppressed(deps, projectId, emails),
    selectStorage(db),
  ] as const;
}

/**
 * Sends a mail to a few addresses like any other mail. The log entries have the tag `test`. With a
 * subscriber, the mail is the one that this subscriber would get. Its unsubscribe link unsubscribes
 * nobody, and its view link says that it is a test. Throws not_found, and the errors of `sendMail` if they affect every mail.
 */
export async function sendTests(
  ctx: Ctx,
  project: ProjectRow,
  input: TestInput,
  [subscribers, hits, [storage]]: BatchResults<ReturnType<typeof testReads>>,
): Promise<TestOutcome[]> {
  const { template, to: recipients, subject } = input;
  if (input.subscriberId !== undefined && !subscribers[0]) throw notFound("subscriber");
  const subscriber = subscribers[0] ?? input.standIn;
  const url = unsubscribeUrl(ctx.deps, project.id, NO_SUBSCRIBER_ID);
  const isToSubscriber = subscriber !== undefined;
  const unsubscribe = { url, isRequired: isToSubscriber, isSubscribers: isToSubscriber };
  const data = subscriber
    ? subscriberData(subscriber, input.data, url, await testViewUrl(ctx.deps, project.id))
    : addressData(input.data, url);
  const facts = {
    template,
    subscriber: undefined,
    ...unmailable(hits),
    operation: undefined,
    storage,
  };
  const { fromName = null, replyTo } = input.sender ?? {};
  const extras = {
    ...NO_EXTRAS,
    ...fromNamed(fromName),
    tags: { test: "true" },
    replyTo: repliesTo(replyTo),
  };
  const sent = await Promise.allSettled(
    recipients.map((to) => {
      const content = { subject, extras, data, unsubscribe, ...input.own };
      const mail: SendInput = { shape: "template", to, ...content };
      return sendMail(ctx, project, mail, facts);
    }),
  );
  const faults = sent.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  const fault = faults.find((reason) => !(reason instanceof AppError));
  if (fault !== undefined) throw fault;
  if (faults.length === sent.length) throw faults[0];
  return sent.map((one, index) => {
    const to = recipients[index]?.address ?? "";
    if (one.status === "fulfilled") return { to, answer: one.value };
    return { to, refused: one.reason instanceof AppError ? one.reason.message : "" };
  });
}
