import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import type { EmailAddress } from "../../mail/address.ts";
import type { ProjectRow } from "../access/index.ts";
import type { FieldRow } from "../fields/index.ts";
import { audienceSettingsOf } from "../projects/index.ts";
import { joinList } from "../subscribers/index.ts";
import { personProof, type TopicRow } from "../topics/index.ts";
import { openReads, sourceOfForm, type FormRow } from "./form-queries.ts";

/** A form as its page shows it: without fields and topics that the project no longer offers. */
export interface OpenForm {
  form: FormRow;
  project: ProjectRow;
  fields: { field: FieldRow; required: boolean }[];
  topics: TopicRow[];
  consentText: string;
  /** True if new subscribers are asked to confirm. */
  asks: boolean;
}

/** Reads an open form; undefined for any other id. Takes one D1 round trip. */
export async function openForm({ deps }: Ctx, id: string): Promise<OpenForm | undefined> {
  const [[form], [project], fields, topics] = await runBatch(deps.db, openReads(deps.db, id));
  if (!form?.isOpen || !project) return undefined;
  const { content } = form;
  const settings = audienceSettingsOf(project);
  const known = new Map(fields.map((field) => [field.key, field]));
  return {
    form,
    project,
    fields: content.fields.flatMap(({ key, required }) => {
      const field = known.get(key);
      return field ? [{ field, required }] : [];
    }),
    topics: topics.filter((topic) => content.topics.includes(topic.id)),
    consentText: content.consentText || settings.formText,
    asks: content.doubleOptIn || settings.doubleOptIn,
  };
}

/** A valid answer to a form. */
export interface FormAnswer {
  email: EmailAddress;
  name: string;
  /** Values by the keys of fields. */
  metadata: Record<string, unknown>;
  /** Ids of the chosen topics, if the person chooses. */
  topics: readonly string[];
  turnstileToken: string | undefined;
}

/**
 * Subscribes a person by a form, as `joinList` does. An address that the project knows changes only
 * by a confirmation: somebody who left, or an active subscriber who chooses more topics, is asked
 * by mail, at most once in ten minutes. The result does not reveal which addresses are known,
 * suppressed or erased.
 */
export async function joinByForm(ctx: Ctx, open: OpenForm, answer: FormAnswer): Promise<void> {
  const { form, project, asks, consentText } = open;
  const { email, name, metadata, turnstileToken } = answer;
  const { chooseTopics } = form.content;
  const offered = open.topics.map(({ id }) => id);
  const names = chooseTopics ? offered.filter((id) => answer.topics.includes(id)) : offered;
  const proof = personProof(ctx, "join", consentText);
  const confirmation = { confirm: "none", isPublic: true } as const;
  await joinList(
    ctx,
    project,
    {
      email,
      name,
      status: asks ? "pending" : "active",
      metadata: { ...metadata, source: sourceOfForm(form.id) },
    },
    {
      mail: asks ? confirmation : undefined,
      topics: { names, isDefault: offered.length === 0, proof },
      consent: { action: asks ? "requested" : "subscribed", proof },
      isPublic: true,
    },
    { turnstileToken, again: { asks: sql`true`, mail: confirmation } },
  );
}
