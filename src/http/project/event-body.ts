import { z } from "zod";
import { CREATE, type NewEvent } from "../../services/events/index.ts";
import { isEventName } from "../../lib/event-name.ts";
import { fault, refuse } from "../fault.ts";
import { emailField, jsonField, timestampField, uuidField } from "../fields.ts";
import { listField, withoutNulls } from "../given.ts";
import { writtenAs } from "../route/written-as.ts";

/** Limits of a call and of an event (API reference §4.2). */
const MOST_EVENTS = 1_000;
const MOST_DATA_CHARACTERS = 4_096;

export const eventNameField = z.string().refine(isEventName, fault("not_event_name"));

export const eventDataField = jsonField(MOST_DATA_CHARACTERS);

const fields = z.object({
  name: eventNameField,
  email: emailField.optional(),
  subscriber_id: uuidField.optional(),
  data: eventDataField.default({}),
  occurred_at: timestampField.optional().describe("Now by default; at most 90 days ago."),
  create: z
    .enum(CREATE)
    .default("none")
    .describe("Whether an unknown address joins as a subscriber."),
});

const event = z
  .preprocess(withoutNulls, fields)
  .transform(({ email, subscriber_id: subscriberId, occurred_at, ...own }, context): NewEvent => {
    const rest = { ...own, occurredAt: occurred_at };
    if (email !== undefined && subscriberId !== undefined)
      return refuse(context, fault("either", { one: "email", other: "subscriber_id" }));
    if (email !== undefined) return { ...rest, whom: { email } };
    if (subscriberId !== undefined) return { ...rest, whom: { subscriberId } };
    return refuse(context, fault("missing_field", { field: "email or subscriber_id" }));
  });

const list = listField(event, MOST_EVENTS).refine((events) => events.length > 0, fault("empty"));

/** Events, and the path of each in the body. */
export interface EventsInput {
  events: readonly NewEvent[];
  pathOf: (index: number, field: string) => string;
}

const single = event.transform((one): EventsInput => ({
  events: [one],
  pathOf: (_index, field) => field,
}));
const array = list.transform((events): EventsInput => ({
  events,
  pathOf: (index, field) => `${index}.${field}`,
}));
const named = z.object({ events: list }).transform(({ events }): EventsInput => ({
  events,
  pathOf: (index, field) => `events.${index}.${field}`,
}));

const formOf = (given: unknown) => {
  if (Array.isArray(given)) return array;
  return typeof given === "object" && given !== null && "events" in given ? named : single;
};

const written = z.array(fields).max(MOST_EVENTS);

/** The body of a call: an event, or up to 1,000 as a list or as `{events}`. */
export const eventsBody = writtenAs(
  z.unknown().transform((given, context): EventsInput => {
    const { data, error } = formOf(given).safeParse(given);
    for (const { path, message } of error?.issues ?? [])
      context.addIssue({ code: "custom", path, message });
    return data ?? z.NEVER;
  }),
  z.union([fields, z.object({ events: written }), written]),
);
