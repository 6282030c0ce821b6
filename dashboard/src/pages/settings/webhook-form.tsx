import { useState } from "react";
import type { Client } from "../../api/client.ts";
import { problemsOf } from "../../ui/error-words.tsx";
import { CheckField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { useSettingsText } from "./use-settings-text.ts";

export type WebhookEvents = NonNullable<
  NonNullable<Parameters<Client["projects"]["webhooks"]["update"]>[0]["body"]>["events"]
>;

/** The events that a webhook can ask for by name (API reference §15). */
const EVENTS: WebhookEvents = [
  "email.sent",
  "email.failed",
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
];

interface WebhookFormProps {
  url: string;
  events: readonly string[];
  action: string;
  of: { error: Error | null; isPending: boolean };
  onSubmit: (webhook: { url: string; events: WebhookEvents }) => void;
}

/** The address of an endpoint and the events that it hears; none chosen means all. */
export function WebhookForm({ action, of, onSubmit, ...given }: WebhookFormProps) {
  const text = useSettingsText();
  const mayNot = useMayNot("webhooks:write");
  const [url, setUrl] = useState(given.url);
  const [events, setEvents] = useState(new Set(given.events));
  return (
    <Form
      of={of}
      onSubmit={() => onSubmit({ url, events: EVENTS.filter((one) => events.has(one)) })}
      action={action}
      offBecause={mayNot}
    >
      <TextField
        label={text.url}
        hint={text.urlHint}
        type="url"
        value={url}
        error={problemsOf(of.error)["url"]}
        onChange={({ target }) => setUrl(target.value)}
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
            checked={events.has(event)}
            onChange={({ target }) => {
              const next = new Set(events);
              if (target.checked) next.add(event);
              else next.delete(event);
              setEvents(next);
            }}
          />
        ))}
      </fieldset>
    </Form>
  );
}
