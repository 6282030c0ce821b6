import type { BroadcastRow } from "./queries.ts";

/** The columns of a broadcast that was never a draft, as the database fills them in. */
export const NO_DRAFT: Pick<
  BroadcastRow,
  | "name"
  | "topicId"
  | "audienceWhere"
  | "whereAt"
  | "fromId"
  | "variables"
  | "plan"
  | "sendAt"
  | "perHour"
  | "draftedAt"
  | "updatedAt"
  | "decidesAt"
  | "winner"
  | "variantOutcomes"
  | "waitingFor"
  | "resumptions"
> = {
  name: "",
  topicId: null,
  audienceWhere: null,
  whereAt: 0,
  fromId: "",
  variables: null,
  plan: null,
  sendAt: null,
  perHour: null,
  draftedAt: null,
  updatedAt: 0,
  decidesAt: 0,
  winner: null,
  variantOutcomes: null,
  waitingFor: null,
  resumptions: 0,
};
