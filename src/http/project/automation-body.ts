import { z } from "zod";
import {
  WEEKDAYS,
  withGoal,
  type Definition,
  type Step,
  type Trigger,
} from "../../lib/automation-definition.ts";
import { allSteps, parseSpan } from "../../lib/automation-steps.ts";
import { isEventName } from "../../lib/event-name.ts";
import { clockOf, ZONE_CHARACTERS_MAX } from "../../lib/time-zones.ts";
import { MOST_CHARACTERS } from "../../services/segments/index.ts";
import { fault } from "../fault.ts";
import { emailField, metadataField, nameField, subjectField, uuidField } from "../fields.ts";
import { withoutNulls } from "../given.ts";
import { tagField, tagsField } from "./tag-fields.ts";

/** Limits of a definition (API reference §12.18). */
const MOST_STEPS = 100;
const MOST_LEVELS = 5;
const MOST_WAYS = 10;
const MOST_NOTIFIED = 10;
const MOST_TOPICS = 50;
const MOST_DAYS = 365;
const MOST_REENTRY_DAYS = 3_650;
const MAX_URL_CHARACTERS = 2_048;
const MAX_KEY_CHARACTERS = 200;

/** An object of a definition: it has no other fields, and null counts as omitted. */
const part = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.preprocess(withoutNulls, z.strictObject(shape));

/** A condition as text. A draft may have one that does not parse; its start refuses it. */
const whereField = z.string().max(MOST_CHARACTERS);

const eventField = z.string().refine(isEventName, fault("not_event_name"));

const spanField = z
  .string()
  .refine((text) => parseSpan(text) !== undefined, fault("not_span"))
  .describe("1 minute to 365 days, such as `90 minutes`, `3 days` or `2 weeks`.");

const stepIdField = z
  .string()
  .regex(/^[a-z0-9_-]{1,40}$/, fault("not_step_id"))
  .refine((id) => !(id in {}), fault("reserved_name"))
  .describe("1 to 40 of a-z, 0-9, - and _, unique in the automation.");

/** A time of day such as `09:30`. */
export const timeOfDayField = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, fault("not_time_of_day"));

/** The time zone of each recipient, or a named one. */
export const anyZoneField = z
  .string()
  .max(ZONE_CHARACTERS_MAX)
  .refine((zone) => zone === "recipient" || clockOf(zone) !== undefined, fault("not_time_zone"))
  .default("recipient")
  .describe("`recipient`, or a time zone of the IANA database.");

const untilField = part({
  weekday: z.enum(WEEKDAYS).optional(),
  time: timeOfDayField,
  zone: anyZoneField,
});

const where = whereField.optional();

const triggerField = z
  .preprocess(
    withoutNulls,
    z.discriminatedUnion("type", [
      z.strictObject({ type: z.literal("event"), event: eventField, where }),
      z.strictObject({ type: z.enum(["joined", "confirmed", "manual"]), where }),
      z.strictObject({ type: z.literal("topic"), topic_id: uuidField, where }),
      z.strictObject({ type: z.enum(["tag_added", "tag_removed"]), tag: tagField, where }),
      z.strictObject({ type: z.literal("segment"), segment_id: uuidField, where }),
      z.strictObject({
        type: z.literal("date"),
        field: z.string().min(1).max(MAX_KEY_CHARACTERS),
        days: z.int().min(-MOST_DAYS).max(MOST_DAYS).optional(),
        yearly: z.boolean().optional(),
        where,
      }),
    ]),
  )
  .meta({ id: "AutomationTrigger" }) as z.ZodType<Trigger>; // an omitted field is never undefined

const id = stepIdField;

const sendStep = z
  .strictObject({
    id,
    type: z.literal("send"),
    template_id: uuidField.optional(),
    subject: subjectField.optional().describe("That of the template by default."),
    html_body: z.string().optional(),
    topic_id: uuidField.optional(),
    to: z.enum(["active", "pending"]).optional(),
  })
  .refine(({ template_id, html_body }) => template_id === undefined || html_body === undefined, {
    path: ["html_body"],
    message: fault("not_with", { field: "template_id" }),
  });

const waitStep = z
  .strictObject({
    id,
    type: z.literal("wait"),
    for: spanField.optional(),
    until: untilField.optional(),
    event: part({ name: eventField, within: spanField }).optional(),
  })
  .refine((wait) => [wait.for, wait.until, wait.event].filter(Boolean).length === 1, {
    message: fault("exactly_one", { fields: "for, until, event" }),
  });

const stepField: z.ZodType<Step> = z
  .preprocess(
    withoutNulls,
    z.discriminatedUnion("type", [
      sendStep,
      waitStep,
      z.strictObject({
        id,
        type: z.literal("branch"),
        get ways() {
          return z
            .array(part({ where: whereField, steps: z.array(stepField) }))
            .min(1)
            .max(MOST_WAYS);
        },
        get else() {
          return z.array(stepField).default([]);
        },
      }),
      z.strictObject({
        id,
        type: z.literal("set"),
        add_tags: tagsField.optional(),
        remove_tags: tagsField.optional(),
        metadata: metadataField.optional(),
        topics: z
          .record(uuidField, z.boolean())
          .refine((topics) => Object.keys(topics).length <= MOST_TOPICS, {
            message: fault("too_many", { max: MOST_TOPICS }),
          })
          .optional()
          .describe("Ids of topics: true subscribes, and false unsubscribes."),
      }),
      z.strictObject({ id, type: z.literal("webhook"), url: z.string().max(MAX_URL_CHARACTERS) }),
      z.strictObject({
        id,
        type: z.literal("notify"),
        emails: z.array(emailField).max(MOST_NOTIFIED),
      }),
      z.strictObject({ id, type: z.literal("end") }),
    ]),
  )
  .meta({ id: "AutomationStep" }) as z.ZodType<Step>; // a wait has exactly one of its three fields

const stepsField = z.array(stepField).superRefine((steps, context) => {
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: path.split(".").slice(1), message });
  const all = allSteps({ steps });
  if (all.length > MOST_STEPS) refuse("steps", fault("too_many_steps", { max: MOST_STEPS }));
  const known = new Set<string>();
  for (const { step, path, parents } of all) {
    if (parents.length > MOST_LEVELS)
      return refuse(path, fault("too_many_branches", { max: MOST_LEVELS }));
    if (known.has(step.id)) refuse(`${path}.id`, fault("not_unique_id"));
    known.add(step.id);
  }
});

const goalAnswer = z
  .strictObject({ event: eventField.optional(), where: whereField.optional() })
  .meta({ id: "AutomationGoal" });

const goalField = z
  .preprocess(withoutNulls, goalAnswer)
  .refine(({ event, where }) => event === undefined || where === undefined, {
    message: fault("either", { one: "event", other: "where" }),
  });

const reentryField = z
  .union(
    [
      z.enum(["never", "always"]),
      z.strictObject({ after_days: z.int().min(1).max(MOST_REENTRY_DAYS) }),
    ],
    fault("not_reentry", { max: MOST_REENTRY_DAYS }),
  )
  .meta({ id: "AutomationReentry" });

/** The parts of a definition as the API shows them. */
export const definitionAnswer = {
  trigger: triggerField,
  steps: z.array(stepField),
  goal: goalAnswer.nullable(),
  reentry: reentryField,
};

/** A definition as stored, and as in a project's export. */
export const storedDefinition = z.strictObject({
  trigger: triggerField,
  steps: stepsField,
  goal: z
    .union([z.strictObject({ event: eventField }), z.strictObject({ where: whereField })])
    .optional(),
  reentry: reentryField,
}) as z.ZodType<Definition>; // an omitted goal is never undefined

const fields = {
  name: nameField,
  trigger: triggerField,
  steps: stepsField,
  goal: goalField.describe("An object without fields is none."),
  reentry: reentryField,
};

export const newAutomationBody = z
  .strictObject({
    ...fields,
    steps: stepsField.default([]),
    goal: fields.goal.optional(),
    reentry: reentryField.default("never"),
  })
  .transform(({ name, goal, ...rest }) => ({ name, definition: withGoal(rest, goal) }));

export const automationChangeBody = z
  .strictObject(fields)
  .partial()
  .extend({
    inside: z
      .enum(["stay", "move"])
      .default("stay")
      .describe("Whether people who are inside stay on their version."),
  })
  .refine(({ inside: _inside, ...change }) => Object.keys(change).length > 0, {
    message: fault("nothing_given"),
  });
