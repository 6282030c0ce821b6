/* The SQL of broadcasts against rows of the tests: what each statement changes and leaves alone. */
import { serverError } from "../../support/refusals.ts";
import { env } from "cloudflare:test";
import { sql, type SQL } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { openDatabase, runBatch } from "../../../src/db/client.ts";
import type { Deps } from "../../../src/deps.ts";
import { finishIfDone } from "../../../src/services/broadcasts/finish.ts";
import {
  audience,
  countBroadcasts,
  insertBroadcast,
  isInState,
  moveState,
  selectBroadcast,
  selectBroadcasts,
  selectOpenCounts,
  selectProjectBroadcast,
  type BroadcastRow,
} from "../../../src/services/broadcasts/queries.ts";
import {
  addChunkCounts,
  claimChunk,
  deleteHeldChunk,
  deletePendingChunks,
  chunkHeld,
  releaseChunks,
  updateHeldChunk,
  type ChunkClaim,
} from "../../../src/services/broadcasts/chunk-queries.ts";
import { selectDueWork, selectStalledProjects } from "../../../src/services/broadcasts/due-work.ts";
import { allRows, insertRow, type Row } from "../../support/rows.ts";

const db = openDatabase(env.DB);
const NOW = 1_000_000;
const newId = () => crypto.randomUUID();
const world = { db, newId, config: { workspaceStorageBytes: null } };

beforeEach(async () => {
  for (const table of ["subscribers", "broadcasts", "broadcast_chunks"])
    await allRows(`delete from ${table}`);
});

const PROJECT = "project";
const OTHER = "other project";
const LISTED = { projectId: PROJECT, state: undefined };

async function subscribe(ids: string[], change: Row = {}) {
  for (const id of ids)
    await insertRow("subscribers", {
      id,
      project_id: PROJECT,
      email: `${id}@any.test`,
      name: `Name ${id}`,
      status: "active",
      metadata: '{"a":1}',
      source: "",
      subscribed_at: 1,
      created_at: 1,
      updated_at: 1,
      ...change,
    });
}

async function newBroadcast(change: Partial<BroadcastRow> = {}): Promise<BroadcastRow> {
  const row = {
    id: newId(),
    projectId: PROJECT,
    templateId: null,
    subject: "s",
    htmlBody: "h",
    textBody: "t",
    status: "active" as const,
    source: null,
    state: "sending" as const,
    logKey: "k",
    plannedId: "",
    planDueAt: NOW,
    createdAt: 1,
    ...change,
  };
  const [made] = await insertBroadcast(db, row);
  const { cutoffId } = change;
  if (!made) throw new Error("no row");
  if (cutoffId === undefined) return made;
  await allRows("update broadcasts set cutoff_id = ? where id = ?", cutoffId, made.id);
  return { ...made, cutoffId };
}

const newChunk = (broadcastId: string, afterId: string, change: Row = {}) =>
  insertRow("broadcast_chunks", {
    broadcast_id: broadcastId,
    after_id: afterId,
    until_id: "s9",
    cursor_id: afterId,
    state: "pending",
    due_at: NOW,
    lease_token: "",
    in_flight: "[]",
    again: "[]",
    deferred: "[]",
    ...change,
  });

const chunksOf = (broadcastId: string) =>
  allRows(
    "select after_id, state, due_at, lease_token, cursor_id, in_flight, again, sent from broadcast_chunks where broadcast_id = ? order by after_id",
    broadcastId,
  );
const countsOf = async ({ id }: BroadcastRow) =>
  (await allRows("select sent, failed, bounced, suppressed from broadcasts where id = ?", id))[0];
const NOTHING = { sent: 0, failed: 0, bounced: 0, suppressed: 0 };
const COUNTS = { sent: 1, failed: 2, bounced: 3, suppressed: 4 };

const holds = async (condition: SQL) =>
  (await db.all<{ held: number }>(sql`select ${condition} as held`))[0]?.held === 1;

describe("the audience of a broadcast", () => {
  const idsOf = async (broadcast: BroadcastRow) =>
    (
      await db.all<{ id: string }>(
        sql`select id from subscribers where ${audience(broadcast)} order by id`,
      )
    ).map(({ id }) => id);

  it("has one status and, if it names one, one source, and uses the index of each kind", async () => {
    await subscribe(["s1"]);
    await subscribe(["s2"], { source: "shop" });
    await subscribe(["s3"], { source: "blog" });
    await subscribe(["s4"], { status: "pending", source: "shop" });
    await subscribe(["s5"], { project_id: OTHER, source: "shop" });
    const all = await newBroadcast();
    const shop = await newBroadcast({ source: "shop" });
    expect([await idsOf(all), await idsOf(shop)]).toEqual([["s1", "s2", "s3"], ["s2"]]);
    const planOf = async (broadcast: BroadcastRow) =>
      JSON.stringify(
        await db.all(
          sql`explain query plan select id from subscribers where ${audience(broadcast)} and id > '' order by id`,
        ),
      );
    expect(await planOf(all)).toContain("subscribers_by_status");
    expect(await planOf(shop)).toContain("subscribers_by_source");
  });
});

describe("the reads of broadcasts", () => {
  it("find one by id, for its own project alone, and list the project's own, newest first", async () => {
    const ids = ["b1", "b3", "b2"];
    for (const id of ids) await newBroadcast({ id });
    await newBroadcast({ id: "b0", projectId: OTHER });
    expect(await selectBroadcast(db, "b1")).toMatchObject([{ id: "b1", projectId: PROJECT }]);
    expect(await selectProjectBroadcast(db, PROJECT, "b2")).toMatchObject([{ id: "b2" }]);
    expect(await selectProjectBroadcast(db, OTHER, "b2")).toEqual([]);
    const page = async (limit: number, offset: number) =>
      (await selectBroadcasts(db, LISTED, { limit, offset })).map(({ id }) => id);
    expect(await page(2, 0)).toEqual(["b3", "b2"]);
    expect(await page(2, 2)).toEqual(["b1"]);
    expect(await countBroadcasts(db, LISTED)).toEqual([{ total: 3 }]);
  });

  it("add up the counts of the chunks in progress, for each of the broadcasts", async () => {
    for (const [id, after] of [
      ["b1", "s1"],
      ["b1", "s2"],
      ["b2", "s1"],
      ["b3", "s1"],
    ] as const)
      await newChunk(id, after, COUNTS);
    const counts = await selectOpenCounts(db, sql`values ('b1'), ('b2')`);
    expect(counts).toEqual([
      { broadcastId: "b1", sent: 2, failed: 4, bounced: 6, suppressed: 8, unknown: 0 },
      { broadcastId: "b2", ...COUNTS, unknown: 0 },
    ]);
  });
});

describe("the state of a broadcast", () => {
  it("moves from one of the given states, in its own project, and moves no other", async () => {
    const [one, twin] = [await newBroadcast(), await newBroadcast()];
    const move = (projectId: string, from: BroadcastRow["state"][]) =>
      moveState(db, projectId, one.id, from, {
        state: "paused",
        reasons: [serverError("because")],
      });
    expect(await move(OTHER, ["sending"])).toEqual([]);
    expect(await move(PROJECT, ["queued", "paused"])).toEqual([]);
    expect(await move(PROJECT, ["queued", "sending"])).toMatchObject([
      { id: one.id, state: "paused", reasons: [serverError("because")] },
    ]);
    expect(await selectBroadcast(db, twin.id)).toMatchObject([{ state: "sending", reasons: null }]);
  });

  it("is a condition: this broadcast, of this project, in one of these states", async () => {
    const one = await newBroadcast({ state: "paused" });
    await newBroadcast({ state: "sending" });
    expect(await holds(isInState(PROJECT, one.id, ["cancelled", "paused"]))).toBe(true);
    expect(await holds(isInState(PROJECT, one.id, ["sending"]))).toBe(false);
    expect(await holds(isInState(OTHER, one.id, ["paused"]))).toBe(false);
    expect(await holds(isInState(PROJECT, newId(), ["paused"]))).toBe(false);
  });

  it("becomes done when all chunks are planned and gone, and not before", async () => {
    const planned = { plannedId: "s5", cutoffId: "s5" };
    const [done, working] = [await newBroadcast(planned), await newBroadcast(planned)];
    await newChunk(working.id, "s1");
    const planning = await newBroadcast({ plannedId: "s4", cutoffId: "s5" });
    const paused = await newBroadcast({ ...planned, state: "paused" });
    const stateOf = async ({ id }: BroadcastRow) =>
      (await allRows("select state, finished_at from broadcasts where id = ?", id))[0];
    const other = await newBroadcast(planned);
    const finish = (at: number, id?: string) =>
      runBatch(db, finishIfDone({ ...world, now: () => at } as unknown as Deps, id));
    await finish(NOW, other.id);
    expect(await stateOf(other)).toEqual({ state: "done", finished_at: NOW });
    expect(await stateOf(done)).toEqual({ state: "sending", finished_at: null });
    await finish(NOW + 1);
    expect(await stateOf(done)).toEqual({ state: "done", finished_at: NOW + 1 });
    expect(await stateOf(other)).toEqual({ state: "done", finished_at: NOW });
    for (const one of [working, planning, paused])
      expect(await stateOf(one)).toEqual({ state: one.state, finished_at: null });
  });
});

const claimOf = ({ id }: BroadcastRow, afterId = "s1"): ChunkClaim => ({
  broadcastId: id,
  afterId,
  leaseToken: "mine",
});
const HELD = { state: "claimed", lease_token: "mine" };

const PLANNED = { plannedId: "s9", cutoffId: "s9" };

describe("the work that is due", () => {
  const dueOf = async () =>
    (await selectDueWork(db, PROJECT, NOW)).map(
      ({ broadcastId, afterId, dueAt }) => `${broadcastId} ${afterId ?? "-"} ${dueAt}`,
    );

  it("is steps of broadcasts, then chunks of batches and of broadcasts, then what comes later", async () => {
    await newBroadcast({ ...PLANNED, id: "sends" });
    await newChunk("sends", "s1", { due_at: NOW - 1 });
    await newChunk("sends", "s2", { due_at: NOW + 7 });
    await newChunk("sends", "s3", HELD);
    await newBroadcast({ ...PLANNED, id: "batch", kind: "batch" });
    await newChunk("batch", "s1");
    await newBroadcast({ id: "plans", plannedId: "s1", cutoffId: "s9" });
    await newBroadcast({ id: "queued", state: "queued" });
    await newBroadcast({ id: "draft", state: "scheduled", planDueAt: NOW + 5 });
    await newBroadcast({ ...PLANNED, id: "canary", canaryDueAt: NOW + 6 });
    await newChunk("canary", "s1", HELD);
    expect(await dueOf()).toEqual([
      "plans - 0",
      "queued - 0",
      `batch s1 ${NOW}`,
      `sends s1 ${NOW - 1}`,
      `draft - ${NOW + 5}`,
      `canary - ${NOW + 6}`,
      `sends s2 ${NOW + 7}`,
    ]);
  });

  it("is the end of a broadcast without chunks, unless it waits for its winner", async () => {
    await newBroadcast({ ...PLANNED, id: "ends" });
    await newBroadcast({ plannedId: "", cutoffId: "", id: "nobody" });
    await newBroadcast({ ...PLANNED, id: "waits", decidesAt: NOW + 9 });
    expect(await dueOf()).toEqual(["ends - 0", "nobody - 0"]);
  });

  it("is nothing of another project, or of what is paused, waits or has ended", async () => {
    await newBroadcast({ plannedId: "", cutoffId: "s9", projectId: OTHER });
    await newBroadcast({ state: "queued", waitingFor: { broadcastId: "b", name: "B" } });
    for (const state of ["paused", "cancelled", "done", "draft"] as const)
      await newChunk((await newBroadcast({ state, plannedId: "", cutoffId: "s9" })).id, "s1");
    expect(await dueOf()).toEqual([]);
  });
});

describe("the projects whose sender may have died", () => {
  it("have work in hand, also of a cancelled broadcast, or due", async () => {
    const change = (projectId: string) => ({ ...PLANNED, id: projectId, projectId });
    await newBroadcast(change("in hand"));
    await newChunk("in hand", "s1", { ...HELD, due_at: NOW + 9 });
    await newBroadcast({ ...change("cancelled"), state: "cancelled" });
    await newChunk("cancelled", "s1", HELD);
    await newBroadcast(change("due"));
    await newChunk("due", "s1");
    await newBroadcast(change("later"));
    await newChunk("later", "s1", { due_at: NOW + 1 });
    await newBroadcast({ ...change("paused"), state: "paused" });
    await newChunk("paused", "s1");
    const stalled = await selectStalledProjects(db, NOW, 9);
    const ids = stalled.map(({ projectId }) => projectId).toSorted();
    expect(ids).toEqual(["cancelled", "due", "in hand"]);
    expect(await selectStalledProjects(db, NOW, 1)).toHaveLength(1);
  });
});

describe("a resume", () => {
  it("makes the waiting chunks of its broadcast due, and no others", async () => {
    const [one, twin] = [await newBroadcast(), await newBroadcast()];
    await newChunk(one.id, "s1", { due_at: NOW + 100 });
    await newChunk(one.id, "s2", { ...HELD, due_at: NOW + 100 });
    await newChunk(twin.id, "s1", { due_at: NOW + 100 });
    expect(await releaseChunks(db, one.id, NOW)).toEqual([{ afterId: "s1" }]);
    const dueAts = async ({ id }: BroadcastRow) => (await chunksOf(id)).map((row) => row["due_at"]);
    expect(await dueAts(one)).toEqual([NOW, NOW + 100]);
    expect(await dueAts(twin)).toEqual([NOW + 100]);
  });
});

describe("a cancel", () => {
  it("keeps the counts of the waiting chunks and deletes these alone", async () => {
    const [one, twin] = [
      await newBroadcast({ state: "cancelled" }),
      await newBroadcast({ state: "cancelled" }),
    ];
    await newChunk(one.id, "s1", COUNTS);
    await newChunk(one.id, "s2", COUNTS);
    await newChunk(one.id, "s3", { ...COUNTS, ...HELD });
    await newChunk(twin.id, "s1", COUNTS);
    await runBatch(db, deletePendingChunks(db, PROJECT, one.id));
    expect(await countsOf(one)).toEqual({ sent: 2, failed: 4, bounced: 6, suppressed: 8 });
    expect(await countsOf(twin)).toEqual(NOTHING);
    expect((await chunksOf(one.id)).map((row) => row["after_id"])).toEqual(["s3"]);
    expect(await chunksOf(twin.id)).toHaveLength(1);
  });

  it("deletes nothing of a broadcast that is not cancelled", async () => {
    await newBroadcast({ state: "cancelled" });
    const one = await newBroadcast();
    await newChunk(one.id, "s1", COUNTS);
    await runBatch(db, deletePendingChunks(db, PROJECT, one.id));
    expect([await countsOf(one), await chunksOf(one.id)]).toEqual([
      NOTHING,
      [expect.objectContaining({ after_id: "s1" })],
    ]);
  });
});

describe("the claim of a chunk", () => {
  it("succeeds when the chunk is due, and changes no other chunk", async () => {
    const [one, twin] = [await newBroadcast(), await newBroadcast()];
    await newChunk(one.id, "s1");
    await newChunk(one.id, "s2");
    await newChunk(twin.id, "s1");
    const claimed = { state: "claimed", lease_token: "mine", due_at: NOW };
    expect(await claimChunk(db, claimOf(one), NOW)).toMatchObject([
      { broadcastId: one.id, afterId: "s1", state: "claimed", leaseToken: "mine" },
    ]);
    expect(await chunksOf(one.id)).toMatchObject([claimed, { after_id: "s2", state: "pending" }]);
    expect(await chunksOf(twin.id)).toMatchObject([{ state: "pending" }]);
  });

  it.each([
    ["waits for longer", { due_at: NOW + 1 }, 0],
    ["an earlier run has left", { state: "claimed", lease_token: "theirs", due_at: NOW + 1 }, 1],
  ])("of one that %s", async (_what, change, rows) => {
    const one = await newBroadcast();
    await newChunk(one.id, "s1", change);
    expect(await claimChunk(db, claimOf(one), NOW)).toHaveLength(rows);
  });
});

describe("a held chunk", () => {
  const twoChunks = async () => {
    const one = await newBroadcast();
    await newChunk(one.id, "s1", { ...COUNTS, ...HELD });
    await newChunk(one.id, "s2", { ...COUNTS, lease_token: "theirs" });
    await newChunk((await newBroadcast({ id: "0" })).id, "s1", { sent: 50, lease_token: "mine" });
    await newChunk(one.id, "s0", { sent: 60, lease_token: "mine" });
    return one;
  };

  it("is changed and deleted by its holder alone", async () => {
    const one = await twoChunks();
    expect(await updateHeldChunk(db, claimOf(one), { sent: 9 })).toMatchObject([{ sent: 9 }]);
    expect(await updateHeldChunk(db, claimOf(one, "s2"), { sent: 9 })).toEqual([]);
    expect((await chunksOf(one.id)).map(({ sent }) => sent)).toEqual([60, 9, 1]);
    await deleteHeldChunk(db, claimOf(one, "s2"));
    await deleteHeldChunk(db, claimOf(one), sql`1 = 0`);
    expect(await chunksOf(one.id)).toHaveLength(3);
    await deleteHeldChunk(db, claimOf(one));
    expect((await chunksOf(one.id)).map((row) => row["after_id"])).toEqual(["s0", "s2"]);
    expect(await chunksOf("0")).toHaveLength(1);
  });

  it("is a condition: this chunk, of this broadcast, with this lease", async () => {
    const one = await twoChunks();
    expect(await holds(chunkHeld(claimOf(one)))).toBe(true);
    expect(await holds(chunkHeld(claimOf(one, "s2")))).toBe(false);
    expect(await holds(chunkHeld(claimOf(one, "s3")))).toBe(false);
    expect(await holds(chunkHeld({ ...claimOf(one), broadcastId: newId() }))).toBe(false);
  });

  it("adds its counts to its broadcast, once held, and to no other", async () => {
    const one = await twoChunks();
    await addChunkCounts(db, claimOf(one, "s2"));
    await addChunkCounts(db, claimOf(one), { when: sql`1 = 0` });
    expect(await countsOf(one)).toEqual(NOTHING);
    await addChunkCounts(db, claimOf(one));
    expect(await countsOf(one)).toEqual(COUNTS);
    const [other] = await selectBroadcast(db, "0");
    expect(other).toMatchObject(NOTHING);
  });
});
