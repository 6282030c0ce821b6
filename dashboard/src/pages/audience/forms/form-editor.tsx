import { useQuery } from "@tanstack/react-query";
import { fieldsQuery, topicsQuery } from "../../../api/audience.ts";
import { api } from "../../../api/client.ts";
import { useProject } from "../../../api/projects.ts";
import { NOT_STORED, type Versioned } from "../../../api/versioned.ts";
import { wordParam } from "../../../lib/search-params.ts";
import { SettingsForm } from "../../../parts/settings-edit/settings-form.tsx";
import { useSettingsEdit } from "../../../parts/settings-edit/use-settings-edit.ts";
import { problemsOf } from "../../../ui/error-words.tsx";
import { CheckField, SelectField, TextArea, TextField } from "../../../ui/field.tsx";
import { FieldGroup } from "../../../ui/field-group.tsx";
import { useSavingRow } from "../use-saving-row.ts";
import { NEW, type FormFields } from "./form-fields.ts";
import { LookFields } from "./look-fields.tsx";
import { formQuery, formsQuery, type SignupForm } from "./form-queries.ts";
import { FormPreview } from "./form-preview.tsx";
import { useFormsText } from "./use-forms-text.ts";

const ASKS = ["none", "optional", "required"] as const;
const LANGUAGES = ["en", "de", "fr", "es", "pt"] as const;

interface FormEditorProps {
  /** Undefined for a new form. */
  stored: Versioned<SignupForm | undefined> | undefined;
  onDone: () => void;
}

/** What a form asks and says, with its page as it is typed. */
export function FormEditor({ stored = NOT_STORED, onDone }: FormEditorProps) {
  const text = useFormsText();
  const { id: projectId } = useProject();
  const form = stored.value;
  const topics = (useQuery(topicsQuery(projectId)).data?.topics ?? []).filter(
    ({ visibility }) => visibility === "public",
  );
  const known = useQuery(fieldsQuery(projectId)).data?.fields ?? [];
  const edit = useSettingsEdit<SignupForm | undefined, FormFields>(stored, {
    queryKey: formQuery(projectId, form?.id ?? "new").queryKey,
    fieldsOf: (one) =>
      Object.fromEntries(
        Object.entries(NEW).map(([name, value]) => [
          name,
          one?.[name as keyof FormFields] ?? value,
        ]),
      ) as FormFields, // of the same names
    put: ({ redirect_url, language, accent, ...rest }, options, before) => {
      const body = {
        ...rest,
        // what the project no longer offers
        fields: rest.fields.filter(({ key }) => known.some((field) => field.key === key)),
        topics: rest.topics.filter((id) => topics.some((topic) => topic.id === id)),
        redirect_url: redirect_url ?? "",
        language: language ?? "",
        accent: accent ?? "",
      } as Parameters<typeof api.projects.forms.create>[0]["body"];
      return before
        ? api.projects.forms.update({ projectId, formId: before.id, body }, options)
        : api.projects.forms.create({ projectId, body });
    },
  });
  const save = useSavingRow(formsQuery(projectId).queryKey, edit.store, form ? undefined : onDone);
  const { fields: typed, change } = edit;
  const problems = problemsOf(save.error);
  const askOf = (key: string) => {
    const asked = typed.fields.find((field) => field.key === key);
    if (!asked) return "none";
    return asked.required ? "required" : "optional";
  };
  const ask = (key: string, how: string) => {
    const others = typed.fields.filter((field) => field.key !== key);
    const required = how === "required";
    change({ fields: how === "none" ? others : [...others, { key, required }] });
  };
  const shown = known.filter(({ key }) => askOf(key) !== "none");
  const choose = (id: string, isOn: boolean) =>
    change({ topics: [...typed.topics.filter((one) => one !== id), ...(isOn ? [id] : [])] });
  const asks = ASKS.map((how) => (
    <option key={how} value={how}>
      {text.asks[how]}
    </option>
  ));
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <SettingsForm edit={edit} save={save}>
        <TextField
          label={text.name}
          hint={text.nameHint}
          value={typed.name}
          error={problems["name"]}
          onChange={({ target }) => change({ name: target.value })}
          required
          autoFocus
        />
        <TextField
          label={text.heading}
          value={typed.title}
          error={problems["title"]}
          onChange={({ target }) => change({ title: target.value })}
          required
        />
        <TextArea
          label={text.words}
          isOptional
          rows={2}
          value={typed.text}
          error={problems["text"]}
          onChange={({ target }) => change({ text: target.value })}
        />
        <SelectField
          label={text.nameField}
          value={typed.name_field}
          onChange={({ target }) => change({ name_field: wordParam(target.value, ASKS) ?? "none" })}
        >
          {asks}
        </SelectField>
        {known.length > 0 && (
          <FieldGroup title={text.fields}>
            {shown.map(({ key, label }) => (
              <SelectField
                key={key}
                label={label}
                value={askOf(key)}
                onChange={({ target }) => ask(key, target.value)}
              >
                {asks}
              </SelectField>
            ))}
            {shown.length < known.length && (
              <SelectField
                label={text.addField}
                value=""
                onChange={({ target }) => ask(target.value, "optional")}
              >
                <option value="">{text.chooseField}</option>
                {known
                  .filter((field) => !shown.includes(field))
                  .map(({ key, label }) => (
                    <option key={key} value={key}>
                      {label}
                    </option>
                  ))}
              </SelectField>
            )}
          </FieldGroup>
        )}
        {topics.length > 0 && (
          <FieldGroup title={text.topics}>
            <p className="text-sm text-muted">{text.topicsHint}</p>
            {topics.map(({ id, name }) => (
              <CheckField
                key={id}
                label={name}
                checked={typed.topics.includes(id)}
                onChange={({ target }) => choose(id, target.checked)}
              />
            ))}
            {typed.topics.length > 0 && (
              <CheckField
                label={text.chooseTopics}
                checked={typed.choose_topics}
                onChange={({ target }) => change({ choose_topics: target.checked })}
              />
            )}
          </FieldGroup>
        )}
        <TextArea
          label={text.consentText}
          hint={text.consentHint}
          isOptional
          rows={2}
          value={typed.consent_text}
          error={problems["consent_text"]}
          onChange={({ target }) => change({ consent_text: target.value })}
        />
        <CheckField
          label={text.doubleOptIn}
          hint={text.doubleOptInHint}
          checked={typed.double_opt_in}
          onChange={({ target }) => change({ double_opt_in: target.checked })}
        />
        <LookFields form={typed} problems={problems} onChange={change} />
        <TextField
          label={text.redirect}
          hint={text.redirectHint}
          isOptional
          value={typed.redirect_url ?? ""}
          error={problems["redirect_url"]}
          onChange={({ target }) => change({ redirect_url: target.value || null })}
        />
        <SelectField
          label={text.language}
          value={typed.language ?? ""}
          onChange={({ target }) =>
            change({ language: wordParam(target.value, LANGUAGES) ?? null })
          }
        >
          <option value="">{text.languageOfProject}</option>
          {LANGUAGES.map((language) => (
            <option key={language} value={language}>
              {text.languages[language]}
            </option>
          ))}
        </SelectField>
      </SettingsForm>
      <FormPreview form={typed} />
    </div>
  );
}
