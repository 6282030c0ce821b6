import { z } from "zod";
import type { LearnedFact } from "../../lib/rates/rate-types.ts";
import { CONNECTIONS_MAX, DEFAULT_LIMITS } from "../../lib/rates/sending-limits.ts";
import { readSending, saveSending, type Sending } from "../../services/sending/index.ts";
import { countAnswer, idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { expectedVersions, setVersion } from "../entity-tag.ts";
import { route } from "../route/route.ts";
import { fault } from "../fault.ts";
import { presenterOf } from "../presenter.ts";

const MAX_PER_SECOND = 1_000;
/** For a slower rate, use the hourly limit. */
const MIN_PER_SECOND = 0.1;
const MAX_PER_LONG_WINDOW = 100_000_000;
const MAX_PER_DOMAIN = 100_000;

const rate = (max: number) => z.number().int().min(1).max(max).optional();

/** The body replaces all limits: an omitted field is unset. */
const sendingBody = z.object({
  max_connections: z
    .number()
    .int()
    .min(1)
    .max(CONNECTIONS_MAX)
    .default(DEFAULT_LIMITS.maxConnections),
  max_per_second: z
    .number()
    .min(MIN_PER_SECOND)
    .max(MAX_PER_SECOND)
    .refine((value) => value < 1 || Number.isInteger(value), fault("not_whole_or_below_one"))
    .optional(),
  max_per_hour: rate(MAX_PER_LONG_WINDOW),
  max_per_day: rate(MAX_PER_LONG_WINDOW),
  max_per_domain_per_minute: rate(MAX_PER_DOMAIN),
});

const limitsAnswer = z.strictObject({
  max_connections: countAnswer,
  max_per_second: z.number().positive().nullable(),
  max_per_hour: countAnswer.nullable(),
  max_per_day: countAnswer.nullable(),
  max_per_domain_per_minute: countAnswer.nullable(),
});

const learnedAnswer = z
  .strictObject({ limit: countAnswer, at: timeAnswer, why: z.string() })
  .nullable();

const senderAnswer = z
  .strictObject({
    in_flight: countAnswer.describe("Emails handed to the mail server that it has not answered."),
    waiting: countAnswer.describe("Emails waiting for a connection or a limit."),
    connections: countAnswer.describe("Connections to the mail server: `used.connections`."),
    work: z
      .strictObject({
        kind: z.enum(["broadcast", "batch"]),
        id: idAnswer,
        name: z.string().describe("Its name, or its subject if it has none."),
      })
      .nullable()
      .describe("The broadcast or batch being sent."),
    next_at: timeAnswer
      .nullable()
      .describe("When the sender runs next; null while it runs or nothing is scheduled."),
    cooldown: z
      .strictObject({ server: z.literal("first"), until: timeAnswer, error: z.string() })
      .nullable()
      .describe("Set while emails go to the fallback first because the first server failed."),
  })
  .describe("What the project's sender is doing now.");

const sendingAnswer = namedAnswer("Sending", {
  ...limitsAnswer.shape,
  used: z.strictObject({
    connections: countAnswer,
    last_hour: countAnswer,
    last_day: countAnswer,
  }),
  learned: z.strictObject({ connections: learnedAnswer, per_minute: learnedAnswer }),
  sender: senderAnswer,
  preset: z
    .strictObject({
      name: z.string(),
      limits: limitsAnswer,
      note: z.string().nullable(),
      source: z.url(),
    })
    .nullable(),
});

const present = presenterOf(sendingAnswer);

const learnedOf = (fact: LearnedFact | null) => fact && { ...fact, at: fact.atMs };

/** Presents the limits of a project's SMTP server (API reference §9.5). */
function presentSending({ limits, use, sender, preset }: Sending) {
  const { learned } = use;
  const { cooldown, nextAtMs: nextAt } = sender;
  return present({
    ...limits,
    used: use,
    learned: {
      connections: learnedOf(learned.connections),
      perMinute: learnedOf(learned.perMinute),
    },
    sender: {
      ...sender,
      nextAt,
      cooldown: cooldown && { server: "first", until: cooldown.untilMs, error: cooldown.error },
    },
    preset: preset ?? null,
  });
}

export const sendingRoutes = [
  route({
    auth: "cookie",
    method: "GET",
    path: "/projects/:id/sending",
    operation: "projects.sending.get",
    summary: "Returns the limits of the project's mail server and their use.",
    capability: "read",
    answer: sendingAnswer,
    handle: async ({ c, ctx, project }) => {
      setVersion(c, project.updatedAt);
      return presentSending(await readSending(ctx, project));
    },
  }),
  route({
    auth: "cookie",
    method: "PUT",
    path: "/projects/:id/sending",
    operation: "projects.sending.save",
    summary: "Replaces the limits of the project's mail server.",
    obeysIfMatch: true,
    example: { body: { max_connections: 4, max_per_hour: 2_000 } },
    capability: "projects:write",
    body: sendingBody,
    answer: sendingAnswer,
    handle: async ({ c, ctx, project, body }) => {
      const limits = {
        maxConnections: body.max_connections,
        maxPerSecond: body.max_per_second ?? null,
        maxPerHour: body.max_per_hour ?? null,
        maxPerDay: body.max_per_day ?? null,
        maxPerDomainPerMinute: body.max_per_domain_per_minute ?? null,
      };
      const saved = await saveSending(ctx, project, limits, expectedVersions(c));
      setVersion(c, saved.project.updatedAt);
      return presentSending(saved);
    },
  }),
];
