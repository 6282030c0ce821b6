import { recordEvents } from "../../services/events/index.ts";
import { eventsBody } from "../project/event-body.ts";
import { recordedAnswer } from "../project/events.ts";
import { route } from "../route/route.ts";

export const trackRoute = route({
  auth: "secret",
  method: "POST",
  path: "/track",
  operation: "keyed.track",
  summary: "Records events of people, one or up to 1,000.",
  once: true,
  example: { body: { name: "purchased", email: "ann@example.com", data: { total: 42 } } },
  capability: "events:write",
  limit: "keyed_track",
  body: eventsBody,
  namesUnknownFields: true,
  answer: recordedAnswer,
  status: 202,
  handle: ({ ctx, project, body: { events, pathOf } }) =>
    recordEvents(ctx, project, events, pathOf),
});
