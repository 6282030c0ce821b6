import type { App } from "../../app.ts";
import type { Statement } from "../../db/client.ts";
import { selectSubscriber, type SubscriberRow } from "../subscribers/index.ts";
import { selectSuppressed } from "../suppressions/index.ts";
import { selectTemplate, type TemplateRow } from "../templates/index.ts";
import { selectOperationByKey, selectSubscriberSuppression, type OperationRow } from "./queries.ts";

/** What a send asks D1 for; nothing is read for what is undefined or empty. */
export interface SendNeeds {
  templateId: string | undefined;
  subscriberId: string | undefined;
  emails: string[];
  idempotencyKey: string | undefined;
}

export interface SendFacts {
  template: TemplateRow | undefined;
  subscriber: SubscriberRow | undefined;
  suppressed: Set<string>;
  operation: OperationRow | undefined;
}

const NONE = "";

/** The statements of a send's first round trip, which the access check runs with its own. */
export function sendReads({ db }: App, projectId: string, needs: SendNeeds): Statement[] {
  const { subscriberId, emails } = needs;
  return [
    selectTemplate(db, projectId, needs.templateId ?? NONE),
    selectSubscriber(db, projectId, subscriberId ?? NONE),
    subscriberId
      ? selectSubscriberSuppression(db, projectId, subscriberId)
      : selectSuppressed(db, projectId, emails),
    selectOperationByKey(db, projectId, needs.idempotencyKey ?? NONE),
  ];
}

/** The results of `sendReads`, given in its order. */
export function factsOf(results: unknown[]): SendFacts {
  const [templates, subscribers, suppressed, operations] = results as [
    TemplateRow[],
    SubscriberRow[],
    { email: string }[],
    OperationRow[],
  ];
  return {
    template: templates[0],
    subscriber: subscribers[0],
    suppressed: new Set(suppressed.map(({ email }) => email)),
    operation: operations[0],
  };
}
