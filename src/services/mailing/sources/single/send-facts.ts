import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../../../deps.ts";
import { optionalRead, type BatchResults } from "../../../../db/client.ts";
import { notFound } from "../../../../errors.ts";
import {
  selectSubscriber,
  selectSubscriberByEmail,
  type SubscriberRow,
} from "../../../subscribers/index.ts";
import { selectStorage, type StorageRow } from "../../../storage/index.ts";
import { selectSuppressed, type SuppressedAddress } from "../../../suppressions/index.ts";
import { selectTopicOfMail, type TopicRecipient } from "../../../topics/index.ts";
import {
  mailTemplate,
  selectTemplate,
  selectTemplateByName,
  type MailTemplate,
} from "../../../templates/index.ts";
import {
  selectOperationByKey,
  selectSubscriberSuppression,
  type OperationRow,
} from "../../operations/operation-queries.ts";

/** The reads that a send needs from D1. An undefined or empty field causes no read. */
export interface SendNeeds {
  templateId: string | undefined;
  /** The name of the template, if the send gives no id. */
  templateName?: string | undefined;
  subscriberId: string | undefined;
  /** The email of a possible subscriber, if the send gives no id. */
  subscriberEmail?: string;
  emails: string[];
  topicId?: string | undefined;
  idempotencyKey: string | undefined;
}

/** The topic of a mail. */
export interface MailTopic {
  id: string;
  name: string;
  /** The ids of the recipients who are subscribers, by address. */
  subscribers: Map<string, string>;
  /** The addresses that get no mail of the topic. */
  optedOut: Set<string>;
}

export interface SendFacts {
  /** The project's own template. */
  template: MailTemplate | undefined;
  subscriber: SubscriberRow | undefined;
  /** The addresses that get no mail. */
  suppressed: Set<string>;
  /** The suppressed addresses that the project erased. Nothing may store them. */
  erased: Set<string>;
  topic?: MailTopic | undefined;
  operation: OperationRow | undefined;
  /** The fill level of the database. */
  storage: StorageRow | undefined;
}

/** Returns the statements of a send's first round trip, which run along with the access check. */
export function sendReads(deps: Deps, projectId: string | SQL, needs: SendNeeds) {
  const { db } = deps;
  const { templateId, templateName, subscriberId, subscriberEmail, emails } = needs;
  const recipients =
    subscriberId === undefined
      ? sql`select value as email from json_each(${JSON.stringify(emails)})`
      : sql`select email from subscribers where id = ${subscriberId} and project_id = ${projectId}`;
  return [
    templateName === undefined
      ? optionalRead(templateId, (id) => selectTemplate(db, projectId, id))
      : selectTemplateByName(db, projectId, templateName),
    subscriberEmail === undefined
      ? optionalRead(subscriberId, (id) => selectSubscriber(db, projectId, id))
      : selectSubscriberByEmail(db, projectId, subscriberEmail),
    subscriberId === undefined
      ? selectSuppressed(deps, projectId, emails)
      : selectSubscriberSuppression(db, projectId, subscriberId),
    optionalRead(needs.idempotencyKey, (key) => selectOperationByKey(db, projectId, key)),
    selectStorage(db),
    optionalRead(needs.topicId, (id) => selectTopicOfMail(db, projectId, id, recipients)),
  ] as const;
}

/** The results of `sendReads`. */
export type SendResults = BatchResults<ReturnType<typeof sendReads>>;

/** Returns the results of `sendReads` by name. */
export function factsOf(results: SendResults): SendFacts {
  const [templates, subscribers, suppressed, operations, storages, topics] = results;
  const [template] = templates;
  return {
    template: template && mailTemplate(template),
    subscriber: subscribers[0],
    ...unmailable(suppressed),
    operation: operations[0],
    storage: storages[0],
    topic: topicIn(topics),
  };
}

function topicIn(rows: TopicRecipient[]): MailTopic | undefined {
  const [topic] = rows;
  if (!topic) return undefined;
  const recipients = rows.flatMap(({ email, ...one }) =>
    email === null ? [] : [{ ...one, email }],
  );
  return {
    id: topic.id,
    name: topic.name,
    subscribers: new Map(
      recipients.flatMap(({ email, subscriberId: id }) => (id === null ? [] : [[email, id]])),
    ),
    optedOut: new Set(recipients.filter(({ consents }) => !consents).map(({ email }) => email)),
  };
}

/** Sorts the addresses of `selectSuppressed` into the sets that the facts of a send contain. */
export const unmailable = (
  hits: SuppressedAddress[],
): Pick<SendFacts, "suppressed" | "erased"> => ({
  suppressed: new Set(hits.map(({ email }) => email)),
  erased: new Set(hits.filter(({ erased }) => erased).map(({ email }) => email)),
});

/** Returns the template of a send. Throws not_found if the project has none with that id. */
export function requireTemplate({ template }: SendFacts): MailTemplate {
  if (!template) throw notFound("template");
  return template;
}
