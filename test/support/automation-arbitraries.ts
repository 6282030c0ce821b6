/* Random automations, people and what happens to them, for tests against the simulator. */
import fc from "fast-check";
import type { Definition, Step, Trigger } from "../../src/lib/automation-definition.ts";
import type { Edit, Fact, Person, Rules } from "./automation-model.ts";
import { HOOK_URL } from "./events.ts";
import { MINUTE } from "./times.ts";

const PEOPLE = ["ann", "bob", "cyd", "dan"];
const TAGS = ["a", "b"];
export const TOPICS = ["news", "tips"];
const DATE_FIELD = "since";
/** Stands for the address of somebody in the team. */
export const TEAM = "team";
const ZONES = ["UTC", "Asia/Kolkata", "America/Phoenix"]; // without daylight saving

const where = fc.constantFrom(
  "tag:a",
  "not tag:b",
  "tag:a or tag:b",
  "metadata.plan:pro",
  "status:pending",
  "topic:news",
);
const topic = fc.constantFrom(...TOPICS);
const span = fc.constantFrom("20 minutes", "5 hours", "1 day", "3 days", "1 week");
const time = fc.constantFrom("00:00", "08:30", "17:00");
const weekday = fc.constantFrom("monday" as const, "friday" as const);
const tags = fc.subarray(TAGS, { minLength: 1 });

type Unnamed<S> = S extends Step ? Omit<S, "id"> : never;
type Part = Unnamed<Exclude<Step, { type: "branch" }>> | Fork;
interface Fork {
  type: "branch";
  ways: { where: string; steps: Part[] }[];
  else: Part[];
}

/** Undefined in three of four cases. */
const sometimes = <T>(own: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: own });

const to = sometimes(fc.constantFrom("active" as const, "pending" as const));
const leaf: fc.Arbitrary<Part> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.tuple(to, sometimes(topic)).map(([status, about]) => mailFor(status, about)),
  },
  { weight: 3, arbitrary: span.map((length) => ({ type: "wait" as const, for: length })) },
  {
    weight: 1,
    arbitrary: fc
      .record(
        { time, zone: fc.constantFrom("recipient", ...ZONES), weekday },
        { requiredKeys: ["time", "zone"] },
      )
      .map((until) => ({ type: "wait" as const, until })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ name: fc.constantFrom("bought", "seen"), within: span })
      .map((event) => ({ type: "wait" as const, event })),
  },
  {
    weight: 2,
    arbitrary: fc.oneof(
      tags.map((add) => ({ type: "set" as const, add_tags: add })),
      tags.map((remove) => ({ type: "set" as const, remove_tags: remove })),
      fc.constantFrom("pro", "free").map((plan) => ({ type: "set" as const, metadata: { plan } })),
      fc
        .tuple(topic, fc.boolean())
        .map(([one, isOn]) => ({ type: "set" as const, topics: { [one]: isOn } })),
    ),
  },
  { weight: 1, arbitrary: fc.constant({ type: "webhook" as const, url: HOOK_URL }) },
  { weight: 1, arbitrary: fc.constant<Part>({ type: "notify", emails: [TEAM] }) },
  { weight: 1, arbitrary: fc.constant({ type: "end" as const }) },
);

const mailFor = (status: "active" | "pending" | undefined, about: string | undefined): Part => ({
  type: "send",
  subject: "",
  html_body:
    '<p>Hello</p><a href="{{confirm_url}}">Confirm</a><a href="{{unsubscribe_link}}">Unsubscribe</a>',
  ...(status && { to: status }),
  ...(about && { topic_id: about }),
});

const partsOf = (depth: number): fc.Arbitrary<Part[]> =>
  depth === 0
    ? fc.array(leaf, { maxLength: 2 })
    : fc.array(
        fc.oneof(
          { weight: 5, arbitrary: leaf },
          {
            weight: 1,
            arbitrary: fc.record({
              type: fc.constant("branch" as const),
              ways: fc.uniqueArray(fc.record({ where, steps: partsOf(depth - 1) }), {
                minLength: 1,
                maxLength: 2,
                selector: (way) => way.where, // a start refuses two ways with one condition
              }),
              else: partsOf(depth - 1),
            }),
          },
        ),
        { minLength: depth, maxLength: 5 },
      );

/** Names the parts of a version, and their mails. Nothing follows an end, as a start requires. */
function stepsOf(parts: readonly Part[], version: number): Step[] {
  let last = 0;
  return named(parts, version, () => `s${++last}`);
}

function named(parts: readonly Part[], version: number, next: () => string): Step[] {
  const end = parts.findIndex(ends);
  return (end === -1 ? parts : parts.slice(0, end + 1)).map((part): Step => {
    const id = next();
    if (part.type === "send") return { ...part, id, subject: `${id} of ${version}` };
    if (part.type !== "branch") return { ...part, id };
    return {
      id,
      type: "branch",
      ways: part.ways.map((way) => ({ where: way.where, steps: named(way.steps, version, next) })),
      else: named(part.else, version, next),
    };
  });
}

const ends = (part: Part): boolean =>
  part.type === "end" ||
  (part.type === "branch" &&
    [...part.ways.map(({ steps }) => steps), part.else].every((way) => way.some(ends)));

const trigger: fc.Arbitrary<Trigger> = fc
  .tuple(
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.constantFrom<Trigger>(
          { type: "event", event: "go" },
          { type: "manual" },
          { type: "joined" },
          { type: "confirmed" },
          { type: "topic", topic_id: "news" },
          { type: "tag_added", tag: "in" },
          { type: "tag_removed", tag: "in" },
        ),
      },
      {
        weight: 2,
        // The id of a segment is its condition, in parentheses so that no other is the same.
        arbitrary: where.map((own) => ({ type: "segment" as const, segment_id: `(${own})` })),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom(-3, 0, 2, 40), fc.boolean())
          .map(([days, yearly]) => ({ type: "date" as const, field: DATE_FIELD, days, yearly })),
      },
    ),
    sometimes(where),
  )
  .map(([own, condition]) => (condition === undefined ? own : { ...own, where: condition }));

const goal = sometimes(fc.constantFrom({ event: "bought" }, { event: "seen" }, { where: "tag:b" }));

const definition: fc.Arbitrary<Definition> = fc
  .record({
    trigger,
    parts: partsOf(2),
    goal,
    reentry: fc.constantFrom<Definition["reentry"]>("never", "always", { after_days: 2 }),
  })
  .map(({ parts, goal: own, ...others }) => ({
    ...others,
    steps: stepsOf(parts, 1),
    ...(own && { goal: own }),
  }));

const rules = fc.record<Rules>({
  quietHours: fc.constantFrom(
    null,
    null,
    { from: "22:00", to: "08:30" },
    { from: "10:00", to: "19:15" },
  ),
  maxPerWeek: fc.constantFrom(0, 1, 2),
  minDays: fc.constantFrom(0, 3),
});

/** Days around those of the stories, this year and before. */
const since = fc
  .tuple(fc.constantFrom(2023, 2026), fc.integer({ min: 0, max: 40 }))
  .map(([year, day]) => new Date(Date.UTC(year, 7, 25 + day)).toISOString().slice(0, 10));

const people = fc.tuple(
  ...PEOPLE.map((id) =>
    fc.record<Person>({
      id: fc.constant(id),
      status: fc.constantFrom("active", "active", "pending"),
      isSuppressed: fc.constant(false),
      tags: fc.subarray([...TAGS, "in"]),
      metadata: fc.record({
        timezone: fc.constantFrom(...ZONES),
        plan: fc.constantFrom("pro", "free"),
        [DATE_FIELD]: since,
      }),
      topics: fc.subarray(TOPICS),
    }),
  ),
);

/** A fact; null stands for the one by which somebody enters. */
type Drawn =
  | Exclude<Fact, Edit>
  | { who: string; type: null }
  | (Omit<Edit, "steps"> & { parts: Part[] });

const who = fc.constantFrom(...PEOPLE);
const fact: fc.Arbitrary<Drawn> = fc.oneof(
  { weight: 20, arbitrary: who.map((one) => ({ type: null, who: one })) },
  { weight: 5, arbitrary: who.map((one): Drawn => ({ type: "event", who: one, name: "go" })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(who, fc.constantFrom("bought", "seen"))
      .map(([one, name]): Drawn => ({ type: "event", who: one, name })),
  },
  { weight: 3, arbitrary: who.map((one): Drawn => ({ type: "is_entered", who: one })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom("tag" as const, "untag" as const), who, fc.constantFrom("in", ...TAGS))
      .map(([type, one, tag]): Drawn => ({ type, who: one, tag })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom("joins" as const, "confirms" as const, "leaves" as const), who)
      .map(([type, one]): Drawn => ({ type, who: one })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom("is_suppressed" as const, "is_deleted" as const), who)
      .map(([type, one]): Drawn => ({ type, who: one })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom("consents" as const, "revokes" as const), who, topic)
      .map(([type, one, about]): Drawn => ({ type, who: one, topic: about })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom("pause" as const, "start" as const, "stop" as const)
      .map((type): Drawn => ({ type })),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("edit" as const),
      parts: partsOf(1),
      goal,
      inside: fc.constantFrom("stay" as const, "move" as const),
    }),
  },
);

/** A fact or a look of the sender, some time after the one before. */
export type Happening = { after: number; fact: Fact | "look" };

const gap = fc.oneof(
  fc.integer({ min: 1, max: 90 }),
  fc.integer({ min: 90, max: 3_000 }),
  fc.integer({ min: 3_000, max: 12_000 }),
);

const happenings = fc.array(
  fc.record({
    after: gap.map((minutes) => minutes * MINUTE + 1),
    fact: fc.oneof(
      { weight: 2, arbitrary: fact },
      { weight: 1, arbitrary: fc.constant("look" as const) },
    ),
  }),
  { minLength: 3, maxLength: 18 },
);

/** Returns a person as one whom the fact of the trigger lets in. */
function ready(person: Person, { type }: Trigger): Person {
  const { tags: own, topics } = person;
  if (type === "joined") return { ...person, status: "unsubscribed" };
  if (type === "confirmed") return { ...person, status: "pending" };
  if (type === "tag_added") return { ...person, tags: own.filter((tag) => tag !== "in") };
  if (type === "tag_removed") return { ...person, tags: [...new Set([...own, "in"])] };
  if (type === "topic") return { ...person, topics: topics.filter((one) => one !== "news") };
  return person;
}

/** Returns what lets somebody in. */
function entry({ type, ...own }: Trigger, one: string): Fact {
  if (type === "tag_added") return { type: "tag", who: one, tag: "in" };
  if (type === "tag_removed") return { type: "untag", who: one, tag: "in" };
  if (type === "confirmed") return { type: "confirms", who: one };
  if (type === "joined") return { type: "joins", who: one };
  if (type === "topic") return { type: "consents", who: one, topic: "news" };
  if (type === "segment") return { type: "tag", who: one, tag: "a" };
  return "event" in own
    ? { type: "event", who: one, name: own.event }
    : { type: "is_entered", who: one };
}

/** An automation, its people, the rules of its project, and what happens. */
export interface Story {
  definition: Definition;
  people: Person[];
  rules: Rules;
  happenings: Happening[];
}

export const stories: fc.Arbitrary<Story> = fc
  .record({ definition, people, rules, happened: happenings })
  .map(({ happened, ...story }) => ({
    ...story,
    people: story.people.map((one) =>
      one.id === "dan" ? one : ready(one, story.definition.trigger),
    ),
    happenings: happened.map(({ after, fact: one }, n): Happening => {
      if (one === "look") return { after, fact: one };
      return { after, fact: factOf(story.definition, one, n) };
    }),
  }));

function factOf({ trigger: given }: Definition, one: Drawn, n: number): Fact {
  if (one.type === null) return entry(given, one.who);
  if (one.type !== "edit") return one;
  const { parts, ...edit } = one;
  return { ...edit, steps: stepsOf(parts, n + 2) };
}
