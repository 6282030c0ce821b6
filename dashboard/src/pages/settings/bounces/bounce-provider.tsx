import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { api, type Client } from "../../../api/client.ts";
import { useProject } from "../../../api/projects.ts";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { ErrorWords, problemsOf } from "../../../ui/error-words.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { providerKeysQuery } from "./bounce-queries.ts";
import { useSaving } from "../use-saving.ts";
import { useSettingsText } from "../use-settings-text.ts";
import { useBouncesText } from "./use-bounces-text.ts";

type Keys = Awaited<ReturnType<Client["projects"]["bounceUrl"]["signatures"]["get"]>>;
type KeyField = "sns_topic_arn" | "sendgrid_public_key" | SecretKey;
type SecretKey = `${"mailgun" | "resend" | "postal" | "zeptomail" | "lettermint"}_signing_key`;

/** Providers by the name in their URL, with the field of the key with which they sign. */
const PROVIDERS: Record<string, { title: string; key?: KeyField }> = {
  ses: { title: "Amazon SES", key: "sns_topic_arn" },
  brevo: { title: "Brevo" },
  elasticemail: { title: "Elastic Email" },
  lettermint: { title: "Lettermint", key: "lettermint_signing_key" },
  mailgun: { title: "Mailgun", key: "mailgun_signing_key" },
  mailjet: { title: "Mailjet" },
  postal: { title: "Postal", key: "postal_signing_key" },
  postmark: { title: "Postmark" },
  resend: { title: "Resend", key: "resend_signing_key" },
  scaleway: { title: "Scaleway", key: "sns_topic_arn" },
  sendgrid: { title: "SendGrid", key: "sendgrid_public_key" },
  smtp2go: { title: "SMTP2GO" },
  sparkpost: { title: "SparkPost" },
  zeptomail: { title: "ZeptoMail", key: "zeptomail_signing_key" },
};

interface BounceProviderProps {
  url: string;
  /** Why the user may not change the keys. */
  mayNot: string | undefined;
  /** Details of the URL. */
  children: ReactNode;
}

/** The URL for reports of a provider, and the key with which it signs them. */
export function BounceProvider({ url, mayNot, children }: BounceProviderProps) {
  const text = useBouncesText();
  const { url: label } = useSettingsText();
  const [name, setName] = useState("");
  const key = PROVIDERS[name]?.key;
  return (
    <div className="flex flex-col gap-4">
      <SelectField
        label={text.bounceProvider}
        value={name}
        onChange={({ target }) => setName(target.value)}
        className="max-w-xl"
      >
        <option value="">{text.otherProvider}</option>
        {Object.entries(PROVIDERS).map(([id, { title }]) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </SelectField>
      <div>
        <CodeBlock label={label} code={name === "" ? url : url.replace("?", `/${name}?`)} />
        {children}
      </div>
      {key && <ProviderKey key={key} field={key} mayNot={mayNot} />}
    </div>
  );
}

function ProviderKey({ field, mayNot }: { field: KeyField; mayNot: string | undefined }) {
  const { id: projectId } = useProject();
  const keys = useQuery(providerKeysQuery(projectId));
  if (keys.error) return <ErrorWords error={keys.error} onRetry={() => void keys.refetch()} />;
  return keys.data && <KeyForm {...{ field, mayNot }} keys={keys.data} />;
}

interface KeyFormProps {
  field: KeyField;
  mayNot: string | undefined;
  keys: Keys;
}

function KeyForm({ field, mayNot, keys }: KeyFormProps) {
  const text = useBouncesText();
  const { id: projectId } = useProject();
  const isShown = field === "sns_topic_arn" || field === "sendgrid_public_key";
  const [typed, setTyped] = useState(isShown ? keys[field] : "");
  const save = useSaving(providerKeysQuery(projectId).queryKey, async () => {
    await api.projects.bounceUrl.signatures.save({ projectId, body: { [field]: typed } });
    if (!isShown) setTyped("");
  });
  const isSaved = !isShown && keys[`has_${field}`];
  return (
    <Form
      of={save}
      onSubmit={() => save.mutate(undefined)}
      action={text.saveKey}
      offBecause={mayNot}
      look="plain"
    >
      <TextField
        label={text.providerKeys[field]}
        hint={isSaved ? text.keySaved : text.providerKeyHint}
        type={isShown || field === "postal_signing_key" ? "text" : "password"}
        autoComplete="off"
        value={typed}
        error={problemsOf(save.error)[field]}
        onChange={({ target }) => setTyped(target.value)}
      />
    </Form>
  );
}
