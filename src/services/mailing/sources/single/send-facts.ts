import type { SQL } from "drizzle-orm";
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
  idempotencyKey: string | undefined;
}

export interface SendFacts {
  /** The project's own template. */
  template: MailTemplate | undefined;
  subscriber: SubscriberRow | undefined;
  /** The addresses that get no mail. */
  suppressed: Set<string>;
  /** The suppressed addresses that the project erased. Nothing may store them. */
  erased: Set<string>;
  operation: OperationRow | undefined;
  /** The fill level of the database. */
  storage: StorageRow | undefined;
}

/** Returns the statements of a send's first round trip, which run along with the access check. */
export function sendReads(deps: Deps, projectId: string | SQL, needs: SendNeeds) {
  const { db } = deps;
  const { templateId, templateName, subscriberId, subscriberEmail, emails } = needs;
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
  ] as const;
}

/** The results of `sendReads`. */
export type SendResults = BatchResults<ReturnType<typeof sendReads>>;

/** Returns the results of `sendReads` by name. */
export function factsOf(results: SendResults): SendFacts {
  const [templates, subscribers, suppressed, operations, storages] = results;
  const [template] = templates;
  return {
    template: template && mailTemplate(template),
    subscriber: subscribers[0],
    ...unmailable(suppressed),
    operation: operations[0],
    storage: storages[0],
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
