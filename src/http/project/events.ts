import { z } from "zod";
import { listEvents, recordEvents, type ListedEvent } from "../../services/events/index.ts";
import { countAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { pageAnswer, pagesOf } from "../paging.ts";
import { presenterOf } from "../presenter.ts";
import { route } from "../route/route.ts";
import { eventNameField, eventsBody } from "./event-body.ts";

export const recordedAnswer = z.strictObject({
  accepted: countAnswer.describe("The events stored."),
  unknown: countAnswer.describe("The events that name nobody in the project."),
});

export const eventAnswer = namedAnswer("Event", {
  name: z.string(),
  data: z.record(z.string(), z.unknown()),
  occurred_at: timeAnswer,
  received_at: timeAnswer,
});

export const presentEvent = presenterOf(eventAnswer);

const pages = pagesOf(
  "events",
  z.tuple([z.int(), z.int()]),
  ({ occurredAt, seq }: ListedEvent): [number, number] => [occurredAt, seq],
);

/** Routes of events (API reference §12.17). */
export const eventRoutes = [
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: "/projects/:id/events",
    operation: "projects.events.record",
    summary: "Records events of people, one or up to 1,000.",
    once: true,
    example: {
      body: { name: "purchased", email: "ann@example.com", data: { total: 42 } },
    },
    capability: "events:write",
    body: eventsBody,
    namesUnknownFields: true,
    answer: recordedAnswer,
    status: 202,
    handle: ({ ctx, project, body: { events, pathOf } }) =>
      recordEvents(ctx, project, events, pathOf),
  }),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: "/projects/:id/subscribers/:subscriberId/events",
    operation: "projects.subscribers.events.list",
    summary: "Lists the events of a subscriber, the latest first.",
    example: { query: { name: "purchased" } },
    capability: "read",
    query: pages.query({ name: eventNameField.optional() }),
    answer: z.strictObject({ events: z.array(eventAnswer), ...pageAnswer }),
    handle: async ({ ctx, project, param, query }) => {
      const { name, ...page } = query;
      const events = await listEvents(ctx, project, param("subscriberId"), { name, page });
      const { shown, fields } = pages.cut(page, events, undefined);
      return { events: shown.map(presentEvent), ...fields };
    },
  }),
];
