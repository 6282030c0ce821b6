import type { Ctx } from "../../context.ts";
import { runBatch, type BatchResults } from "../../db/client.ts";
import type { FormContent, StoredFormContent } from "../../db/schema/index.ts";
import type { ProjectRow } from "../access/index.ts";
import type { FieldRow } from "../fields/index.ts";
import { audienceSettingsOf } from "../projects/index.ts";
import type { TopicRow } from "../topics/index.ts";
import { wholeContent, type offeredReads, openReads } from "./form-queries.ts";
import type { FormInput } from "./manage-forms.ts";

/** A form as its page shows it: without fields and topics that the project no longer offers. */
export interface OpenForm {
  form: { id: string; content: FormContent };
  project: ProjectRow;
  fields: { field: FieldRow; required: boolean }[];
  topics: TopicRow[];
  consentText: string;
  /** True if new subscribers are asked to confirm. */
  asks: boolean;
}

/** Reads an open form; undefined for any other id. Takes one D1 round trip. */
export async function openForm({ deps }: Ctx, id: string): Promise<OpenForm | undefined> {
  const [[form], [project], ...offered] = await runBatch(deps.db, openReads(deps.db, id));
  return form?.isOpen && project ? shownForm(form, project, offered) : undefined;
}

type Offered = BatchResults<ReturnType<typeof offeredReads>>;

/** Returns a form that is not saved, and so has no id, as its page would show it. */
export const unsavedForm = (
  project: ProjectRow,
  { name: _name, isOpen: _isOpen, ...content }: FormInput,
  offered: Offered,
): OpenForm => shownForm({ id: "", content }, project, offered);

function shownForm(
  form: { id: string; content: StoredFormContent },
  project: ProjectRow,
  [fields, topics]: Offered,
): OpenForm {
  const content = wholeContent(form.content);
  const settings = audienceSettingsOf(project);
  const known = new Map(fields.map((field) => [field.key, field]));
  return {
    form: { id: form.id, content },
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
