import type { SQL } from "drizzle-orm";
import type { App } from "../../app.ts";
import type { BatchResults } from "../../db/client.ts";
import {
  selectSubscriber,
  selectSubscriberByEmail,
  type SubscriberRow,
} from "../subscribers/index.ts";
import { selectSuppressed } from "../suppressions/index.ts";
import {
  mailTemplate,
  selectTemplate,
  selectTemplateByName,
  type MailTemplate,
} from "../templates/index.ts";
import { selectOperationByKey, selectSubscriberSuppression, type OperationRow } from "./queries.ts";

/** What a send asks D1 for; nothing is read for what is undefined or empty. */
export interface SendNeeds {
  templateId: string | undefined;
  /** Instead of an id. */
  templateName?: string | undefined;
  subscriberId: string | undefined;
  /** Instead of an id: the subscriber with this email, if there is one. */
  subscriberEmail?: string;
  emails: string[];
  idempotencyKey: string | undefined;
}

export interface SendFacts {
  /** The project's own. */
  template: MailTemplate | undefined;
  subscriber: SubscriberRow | undefined;
  suppressed: Set<string>;
  operation: OperationRow | undefined;
}

const NONE = "";

/** The statements of a send's first round trip, which the access check runs with its own. */
export function sendReads({ db }: App, projectId: string | SQL, needs: SendNeeds) {
  const { templateName, subscriberId, subscriberEmail, emails } = needs;
  return [
    templateName === undefined
      ? selectTemplate(db, projectId, needs.templateId ?? NONE)
      : selectTemplateByName(db, projectId, templateName),
    subscriberEmail === undefined
      ? selectSubscriber(db, projectId, subscriberId ?? NONE)
      : selectSubscriberByEmail(db, projectId, subscriberEmail),
    subscriberId
      ? selectSubscriberSuppression(db, projectId, subscriberId)
      : selectSuppressed(db, projectId, emails),
    selectOperationByKey(db, projectId, needs.idempotencyKey ?? NONE),
  ] as const;
}

/** The results of `sendReads`. */
export type SendResults = BatchResults<ReturnType<typeof sendReads>>;

/** Names what `sendReads` found. */
export function factsOf([templates, subscribers, suppressed, operations]: SendResults): SendFacts {
  const [template] = templates;
  return {
    template: template && mailTemplate(template),
    subscriber: subscribers[0],
    suppressed: new Set(suppressed.map(({ email }) => email)),
    operation: operations[0],
  };
}
