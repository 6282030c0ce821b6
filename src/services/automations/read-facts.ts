import { sql } from "drizzle-orm";
import { runBatch } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import type { Definition, Step } from "../../lib/automation-definition.ts";
import { allSteps } from "../../lib/automation-steps.ts";
import type { ProjectRow } from "../access/index.ts";
import {
  parseOfAutomation,
  selectUnknownTopics,
  topicsOf,
  type Condition,
} from "../segments/index.ts";
import { selectTemplate, type TemplateRow } from "../templates/index.ts";

/** What the project has of the things that a definition names. */
export interface DefinitionFacts {
  templates: ReadonlyMap<string, TemplateRow>;
  /**
   * The topics, segments, fields, tags and URLs of webhooks that the definition names and the
   * project lacks.
   */
  missing: Record<"topics" | "segments" | "fields" | "tags" | "webhooks", ReadonlySet<string>>;
}

/** Returns the event of the trigger; null for other triggers. */
export const eventOf = ({ trigger }: Definition): string | null =>
  trigger.type === "event" ? trigger.event : null;

/** The conditions of a definition with their paths. */
export function conditionsOf({ trigger, steps, goal }: Definition) {
  return [
    { path: "trigger.where", where: trigger.where },
    { path: "goal.where", where: goal && "where" in goal ? goal.where : undefined },
    ...allSteps({ steps }).flatMap(({ step, path }) =>
      step.type === "branch"
        ? step.ways.map(({ where }, n) => ({ path: `${path}.ways.${n}.where`, where }))
        : [],
    ),
  ].filter((one): one is { path: string; where: string } => one.where !== undefined);
}

/** Reads in one round trip what a definition names. */
export async function readFacts(
  { db }: Deps,
  { id: projectId }: ProjectRow,
  definition: Definition,
): Promise<DefinitionFacts> {
  const steps = allSteps(definition).map(({ step }) => step);
  const { trigger } = definition;
  const templateIds = unique(steps.map((step) => step.type === "send" && step.template_id));
  const lacking = (names: string[], known: ReturnType<typeof sql>) =>
    db.all<{ name: string }>(
      sql`select value as name from json_each(${JSON.stringify(names)}) named where not exists (${known})`,
    );
  const [topics, named, segments, fields, tags, webhooks, ...templates] = await runBatch(db, [
    lacking(
      unique([...steps.flatMap(topicIdsOf), trigger.type === "topic" && trigger.topic_id]),
      sql`select 1 from topics where id = named.value and project_id = ${projectId}`,
    ),
    selectUnknownTopics(db, projectId, unique(conditionsOf(definition).flatMap(topicsIn))),
    lacking(
      unique([trigger.type === "segment" && trigger.segment_id]),
      sql`select 1 from segments where id = named.value and project_id = ${projectId}`,
    ),
    lacking(
      unique([trigger.type === "date" && trigger.field]),
      sql`select 1 from fields where project_id = ${projectId} and key = named.value`,
    ),
    lacking(
      unique([trigger.type === "tag_removed" && trigger.tag, ...steps.flatMap(removedTagsOf)]),
      sql`select 1 from subscriber_tags where project_id = ${projectId} and tag = named.value`,
    ),
    lacking(
      unique(steps.map((step) => step.type === "webhook" && step.url)),
      sql`select 1 from webhooks where project_id = ${projectId} and url = named.value`,
    ),
    ...templateIds.map((id) => selectTemplate(db, projectId, id)),
  ]);
  const names = (rows: { name: string }[]) => new Set(rows.map(({ name }) => name));
  return {
    templates: new Map(templates.flat().map((row) => [row.id, row])),
    missing: {
      topics: names([...topics, ...named]),
      segments: names(segments),
      fields: names(fields),
      tags: names(tags),
      webhooks: names(webhooks),
    },
  };
}

const unique = (names: (string | false | undefined)[]): string[] => [
  ...new Set(names.filter((name) => name !== false && name !== undefined)),
];

/** Returns the topics that a step names. */
export function topicIdsOf(step: Step): string[] {
  if (step.type === "set") return Object.keys(step.topics ?? {});
  return step.type === "send" && step.topic_id !== undefined ? [step.topic_id] : [];
}

/** Returns the tags that a step takes away. */
export const removedTagsOf = (step: Step): string[] =>
  step.type === "set" ? (step.remove_tags ?? []) : [];

/** Returns the topics in a condition; none if it does not parse. */
export function topicsIn({ where }: { where: string }): string[] {
  const condition = parsedOf(where);
  return condition ? topicsOf(condition) : [];
}

/** Parses a condition; undefined if it does not parse. */
export function parsedOf(where: string): Condition | undefined {
  try {
    return parseOfAutomation(where);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
