import type { Client } from "../../api/client.ts";
import { problemsOf } from "../../ui/error-words.tsx";
import { CheckField, TextField } from "../../ui/field.tsx";
import { useSettingsText } from "./use-settings-text.ts";

type WebhookEvents = NonNullable<
  NonNullable<Parameters<Client["projects"]["webhooks"]["update"]>[0]["body"]>["events"]
>;

/** Events that a webhook can subscribe to by name (API reference §15). */
const EVENTS: WebhookEvents = [
  "email.sent",
  "email.delivery_delayed",
  "email.failed",
  "email.suppressed",
  "email.scheduled",
  "email.bounced",
  "email.complained",
  "email.opened",
  "email.clicked",
  "subscriber.created",
  "subscriber.confirmed",
  "subscriber.updated",
  "subscriber.unsubscribed",
  "broadcast.started",
  "broadcast.paused",
  "broadcast.finished",
  "automation.step",
];

/** Form values of an endpoint. */
export interface TypedWebhook {
  url: string;
  events: WebhookEvents;
}

/** Returns the known events in the order of the form. */
export const knownEvents = (events: readonly string[]): WebhookEvents =>
  EVENTS.filter((one) => events.includes(one));

interface WebhookFieldsProps {
  typed: TypedWebhook;
  error: Error | null;
  onChange: (part: Partial<TypedWebhook>) => void;
}

/** URL of an endpoint and its event subscriptions; none selected means all. */
export function WebhookFields({ typed: { url, events }, error, onChange }: WebhookFieldsProps) {
  const text = useSettingsText();
  return (
    <>
      <TextField
        label={text.url}
        hint={text.urlHint}
        type="url"
        value={url}
        error={problemsOf(error)["url"]}
        onChange={({ target }) => onChange({ url: target.value })}
        placeholder="https://example.com/hooks/mail"
        required
      />
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 text-sm font-medium">{text.events}</legend>
        <p className="text-sm text-muted">{text.eventsHint}</p>
        {EVENTS.map((event) => (
          <CheckField
            key={event}
            label={event}
            checked={events.includes(event)}
            onChange={({ target }) => {
              const others = events.filter((one) => one !== event);
              onChange({ events: knownEvents(target.checked ? [...others, event] : others) });
            }}
          />
        ))}
      </fieldset>
    </>
  );
}
