import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Message } from "../../messages/message.ts";
import type { Definition } from "../../lib/automation-definition.ts";
import { RUN_OUTCOMES } from "../../lib/run-outcomes.ts";
import { timestamp } from "./columns.ts";

/**
 * Events of people that applications report. Two rows each: the event, and its entry by person.
 * `seq` is in the order of commits. The trigger `events_reach_automations` of the migration starts
 * and moves runs in the same transaction.
 */
export const events = sqliteTable(
  "events",
  {
    seq: integer().primaryKey(),
    projectId: text("project_id").notNull(),
    subscriberId: text("subscriber_id").notNull(),
    name: text().notNull(),
    data: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    occurredAt: timestamp().notNull(),
    receivedAt: timestamp().notNull(),
  },
  (table) => [
    index("events_by_person").on(table.projectId, table.subscriberId, table.name, table.occurredAt),
  ],
);

export const AUTOMATION_STATES = ["draft", "active", "paused", "stopped"] as const;

/** Automations: who enters, and the steps they take. WITHOUT ROWID. */
export const automations = sqliteTable(
  "automations",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    name: text().notNull(),
    state: text({ enum: AUTOMATION_STATES }).notNull(),
    /** The version that people enter. */
    version: integer().notNull(),
    /** Its definition. While it is running, an edit makes a new version. */
    definition: text({ mode: "json" }).$type<Definition>().notNull(),
    /** Copies of fields of the definition that the triggers of the migration read. */
    triggerType: text("trigger_type").notNull(),
    /** The event, topic or tag of the trigger; "" for the other types. */
    triggerKey: text("trigger_key").notNull(),
    /** Milliseconds until a person may enter again after a run has ended; null for never. */
    reentryMs: integer("reentry_ms"),
    /** Why the service paused it, if it did. */
    reasons: text({ mode: "json" }).$type<Message[]>(),
    /** Up to which time the walk of a date or segment has looked; 0 for other types. */
    lookedAt: timestamp().notNull().default(0),
    createdAt: timestamp().notNull(),
    /** Increases with each change of the definition. */
    updatedAt: timestamp().notNull(),
    startedAt: timestamp(),
    /**
     * The last subscriber of a walk in progress; "" between walks. Once it is stopped, the last run
     * of the walk that ends them; "~" after it.
     */
    walkedTo: text("walked_to").notNull().default(""),
  },
  (table) => [
    index("automations_by_project").on(table.projectId, table.id),
    // The triggers of the migration, the sender, and the minute sweep.
    index("automations_by_trigger").on(
      table.state,
      table.projectId,
      table.triggerType,
      table.triggerKey,
    ),
  ],
);

/** Versions that people have entered, with their definition. WITHOUT ROWID. */
export const automationVersions = sqliteTable(
  "automation_versions",
  {
    automationId: text("automation_id").notNull(),
    version: integer().notNull(),
    projectId: text("project_id").notNull(),
    definition: text({ mode: "json" }).$type<Definition>().notNull(),
    createdAt: timestamp().notNull(),
    /** True if people inside move at their next step: to the first later version that does not move on. */
    movesOn: integer("moves_on", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.automationId, table.version] })],
);

/**
 * Runs: one row for each time that a person enters an automation. WITHOUT ROWID. An entry writes
 * the row, its entry by person and its entry by due time.
 */
export const automationRuns = sqliteTable(
  "automation_runs",
  {
    automationId: text("automation_id").notNull(),
    id: text().notNull(),
    projectId: text("project_id").notNull(),
    subscriberId: text("subscriber_id").notNull(),
    version: integer().notNull(),
    /** The step at which the person rests; "" before the first. */
    step: text().notNull(),
    /** Number of moves so far. A move requires the number that it has read. */
    moves: integer().notNull(),
    /** When the next move is due; null for a run that has ended or waits for a confirmation. */
    dueAt: timestamp(),
    /** The event that ends the wait at this step early; null for none. */
    waitsFor: text("waits_for"),
    /** The event that the wait or the goal has got; null for none. */
    heard: text(),
    /** True once the event of the goal has come. */
    goalMet: integer("goal_met", { mode: "boolean" }).notNull(),
    /** Data of the event that started the run; null for other triggers. */
    data: text({ mode: "json" }).$type<Record<string, unknown>>(),
    /** Mails of the run: step, time and the chunk that carries it, the newest last. */
    mails: text({ mode: "json" }).$type<{ step: string; at: number; page: string }[]>().notNull(),
    enteredAt: timestamp().notNull(),
    movedAt: timestamp().notNull(),
    endedAt: timestamp(),
    outcome: text({ enum: RUN_OUTCOMES }),
  },
  (table) => [
    primaryKey({ columns: [table.automationId, table.id] }),
    index("automation_runs_by_person").on(table.subscriberId, table.automationId, table.id),
    index("automation_runs_by_due")
      .on(table.automationId, table.dueAt)
      .where(sql`due_at is not null`),
  ],
);

/**
 * What the runs of a version have counted at a step: `in` and `out`, and ends by their name. The
 * step "" is the entry. WITHOUT ROWID.
 */
export const automationCounts = sqliteTable(
  "automation_counts",
  {
    automationId: text("automation_id").notNull(),
    version: integer().notNull(),
    step: text().notNull(),
    what: text().notNull(),
    n: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.automationId, table.version, table.step, table.what] })],
);
