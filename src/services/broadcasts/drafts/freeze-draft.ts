import type { Deps } from "../../../deps.ts";
import type { AbVariant } from "../../../db/schema/index.ts";
import { invalidField, notFound } from "../../../errors.ts";
import { faultOf } from "../../../messages/faults.ts";
import type { ProjectRow } from "../../access/index.ts";
import { checkTemplate, requireBody, selectTemplate } from "../../templates/index.ts";
import type { BroadcastRow } from "../queries.ts";
import type { VariantRow } from "../ab-test/variant-queries.ts";
import type { DraftInput, DraftRow } from "./draft-input.ts";
import { freezeAudience } from "./freeze-audience.ts";

/** The content and the audience of a draft, frozen at its start. */
export type Frozen = Pick<
  BroadcastRow,
  "subject" | "htmlBody" | "textBody" | "preheader" | "tracking" | "audienceWhere" | "whereAt"
> & {
  /**
   * The variants of an A/B test. The first provides the subject above. Empty without an A/B test.
   */
  variants: FrozenVariant[];
};

/** A scheduled broadcast with its content, or with the content of each variant of its A/B test. */
export interface FixedDraft {
  row: DraftRow;
  contents: Pick<BroadcastRow, "subject" | "htmlBody" | "textBody" | "preheader" | "tracking">[];
}

export type FrozenVariant = Omit<VariantRow, "broadcastId">;

/**
 * Returns the values that the start of a draft freezes, so that no later change of a template or
 * segment affects it. Throws 400 for a draft that cannot be sent, and not_found if it references
 * something that no longer exists.
 */
export async function freezeDraft(
  deps: Deps,
  project: ProjectRow,
  input: DraftInput,
): Promise<Frozen> {
  const audienceWhere = await freezeAudience(deps, project, input);
  const [plain, ...others] = input.ab?.variants ?? [OWN];
  const contents = [];
  for (const variant of plain ? [plain, ...others] : others)
    contents.push(await contentOf(deps, project, input, variant));
  const [first] = contents;
  if (!first) throw invalidField("ab", faultOf("variant_count"));
  const { subject, preheader, tracking } = first;
  // A draft's own content stays in the row, so that an undo can restore it.
  const { htmlBody, textBody } = input.ab && input.templateId === null ? input : first;
  const variants = input.ab ? contents.map((content, n) => ({ n, ...content })) : [];
  const content = { subject, htmlBody, textBody, preheader, tracking };
  return { ...content, audienceWhere, whereAt: deps.now(), variants };
}

/** The variant of a broadcast without an A/B test. */
const OWN: AbVariant = { subject: null, fromName: null, templateId: null };

async function contentOf(
  deps: Deps,
  project: ProjectRow,
  input: DraftInput,
  variant: AbVariant,
): Promise<Omit<FrozenVariant, "n">> {
  const templateId = variant.templateId ?? input.templateId;
  const template = await bodiesOf(deps, project, templateId, input);
  const subject = variant.subject ?? input.subject ?? template.subject;
  const { htmlBody, textBody, preheader, tracking } = template;
  if (subject.trim() === "") throw invalidField("subject", faultOf("required"));
  checkTemplate({ subject, htmlBody, textBody });
  requireBody({ html: htmlBody, text: textBody });
  const fromName = variant.fromName ?? input.fromName;
  return { templateId, subject, fromName, htmlBody, textBody, preheader, tracking };
}

async function bodiesOf(
  { db }: Deps,
  project: ProjectRow,
  templateId: string | null,
  { htmlBody, textBody }: DraftInput,
) {
  if (templateId === null) return { subject: "", htmlBody, textBody, preheader: "", tracking: {} };
  const [template] = await selectTemplate(db, project.id, templateId);
  if (!template) throw notFound("template");
  return template;
}
