import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { joinList } from "../subscribers/index.ts";
import { personProof } from "../topics/index.ts";
import { sourceOfForm } from "./form-queries.ts";
import type { OpenForm } from "./open-form.ts";

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
