import type { AbPlan, BroadcastPlan } from "../../../db/schema/index.ts";
import { cutText } from "../../../lib/cut-text.ts";
import type { TrackingSwitches } from "../../../lib/tracking-switches.ts";
import type { UtmChoice } from "../../../lib/utm.ts";
import { formatCondition } from "../../segments/index.ts";
import { withoutRules } from "../leave-out-mailed.ts";
import type { BroadcastRow } from "../queries.ts";

/** The longest name of a broadcast (API reference §1.3). */
const NAME_CHARACTERS_MAX = 200;

/** The fields of a draft that its author writes. */
export interface DraftInput {
  name: string;
  /** The template of the content. Null if the draft has its own content. */
  templateId: string | null;
  /** The subject. Null for the subject of the template. */
  subject: string | null;
  /** The text that email clients show next to the subject. Null for the start of the mail. */
  previewText: string | null;
  /** The sender name. Null for the name of the project. */
  fromName: string | null;
  /** The address for replies. Null for that of the sender. */
  replyTo: string | null;
  htmlBody: string;
  textBody: string;
  topicId: string | null;
  segmentId: string | null;
  where: string | null;
  excludeSegmentIds: string[];
  variables: Record<string, unknown>;
  sendAt: number | null;
  timeZone: string | null;
  maxDelayMinutes: number | null;
  perHour: number | null;
  warmUpFirstDay: number | null;
  ab: AbPlan | null;
  tracking: TrackingSwitches;
  utm: UtmChoice;
}

/** The columns of a draft that its author's fields fill. */
type DraftColumns = Pick<
  BroadcastRow,
  | "name"
  | "templateId"
  | "subject"
  | "htmlBody"
  | "textBody"
  | "topicId"
  | "variables"
  | "sendAt"
  | "perHour"
> & { plan: BroadcastPlan };

/** A broadcast that was a draft. */
export type DraftRow = BroadcastRow & { plan: BroadcastPlan };

export const EMPTY_DRAFT: DraftInput = {
  name: "",
  templateId: null,
  subject: null,
  previewText: null,
  fromName: null,
  replyTo: null,
  htmlBody: "",
  textBody: "",
  topicId: null,
  segmentId: null,
  where: null,
  excludeSegmentIds: [],
  variables: {},
  sendAt: null,
  timeZone: null,
  maxDelayMinutes: null,
  perHour: null,
  warmUpFirstDay: null,
  ab: null,
  tracking: {},
  utm: {},
};

/** Returns true for a broadcast that was a draft. */
export const isDraftRow = (row: BroadcastRow): row is DraftRow => row.plan !== null;

/** Returns the columns of a draft. `resend` stays as set on creation. */
export function columnsOf(input: DraftInput, resend: BroadcastPlan["resend"]): DraftColumns {
  const { name, templateId, subject, htmlBody, textBody, topicId, variables, sendAt } = input;
  const { segmentId, where, excludeSegmentIds, maxDelayMinutes, timeZone, warmUpFirstDay } = input;
  const { perHour, ab, previewText, fromName, replyTo, tracking, utm } = input;
  const timing = { maxDelayMinutes, timeZone, warmUpFirstDay };
  return {
    name,
    templateId,
    subject: subject ?? "",
    htmlBody,
    textBody,
    topicId,
    variables,
    sendAt,
    perHour,
    plan: {
      subject,
      segmentId,
      where,
      excludeSegmentIds,
      ...timing,
      ab,
      resend,
      previewText,
      fromName,
      replyTo,
      tracking,
      utm,
    },
  };
}

/**
 * Returns the condition and the source of a broadcast that was never a draft as one line. Null for
 * all subscribers.
 */
function wholeWhere({ audienceWhere, source }: BroadcastRow): string | null {
  const where = withoutRules(audienceWhere);
  if (source === null) return where;
  const fromSource = formatCondition({ field: "source", op: "is", values: [source] });
  return where === null ? fromSource : `${fromSource} and (${where})`;
}

/**
 * Returns the fields of a draft, or of a draft that would repeat a broadcast. Content that the
 * start copied from a template is not the draft's own.
 */
export function inputOf(row: BroadcastRow): DraftInput {
  const { templateId, topicId, sendAt, perHour } = row;
  const variables = row.variables ?? {};
  if (!isDraftRow(row)) {
    const { subject, htmlBody, textBody, tracking } = row;
    const name = row.name === "" ? subject : row.name;
    const previewText = row.preheader === "" ? null : row.preheader;
    const content = { subject, previewText, htmlBody, textBody, tracking };
    const audience = { topicId, where: wholeWhere(row) };
    return { ...EMPTY_DRAFT, name, ...content, variables, perHour, ...audience };
  }
  const { resend: _resend, ...plan } = row.plan;
  const hasTemplate = templateId !== null;
  return {
    ...EMPTY_DRAFT,
    ...plan,
    name: row.name,
    templateId,
    htmlBody: hasTemplate ? "" : row.htmlBody,
    textBody: hasTemplate ? "" : row.textBody,
    topicId,
    variables,
    sendAt,
    perHour,
  };
}

/** Returns the name of a copy: the original name, truncated to fit the suffix. */
export const nameOfCopy = ({ name }: DraftInput, ending: string): string =>
  `${cutText(name, NAME_CHARACTERS_MAX - ending.length).trimEnd()}${ending}`;
