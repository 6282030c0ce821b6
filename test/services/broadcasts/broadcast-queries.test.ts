/* The SQL of broadcasts against rows of the tests: what each statement changes and leaves alone. */
import { serverError } from "../../support/refusals.ts";
import { env } from "cloudflare:test";
import { sql, type SQL } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { openDatabase, runBatch } from "../../../src/db/client.ts";
import type { Deps } from "../../../src/deps.ts";
import { finishIfDone } from "../../../src/services/broadcasts/finish-if-done.ts";
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
  claimNextChunk,
  claimChunk,
  deleteHeldChunk,
  deletePendingChunks,
  chunkHeld,
  releaseChunks,
  takeOverdueChunks,
  updateHeldChunk,
  type ChunkClaim,
} from "../../../src/services/broadcasts/chunk-queries.ts";
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

describe("chunks without a worker", () => {
  it("are those whose message or worker was lost, of broadcasts that send or were cancelled", async () => {
    const broadcast = await newBroadcast();
    const { id } = broadcast;
    await newChunk(id, "s1", { due_at: NOW - 100 });
    await newChunk(id, "s2", { due_at: NOW - 99 });
    await newChunk(id, "s3", { ...HELD, due_at: NOW });
    await newChunk(id, "s4", { ...HELD, due_at: NOW + 1 });
    for (const state of ["paused", "done", "queued"] as const)
      await newChunk((await newBroadcast({ state })).id, "s5", { due_at: 1 });
    const cancelled = await newBroadcast({ state: "cancelled" });
    await newChunk(cancelled.id, "s6", { due_at: NOW - 200 });
    const take = async (limit: number) =>
      (await takeOverdueChunks(db, NOW, { busyMs: 100, idleMs: 50 }, limit))
        .map(({ broadcastId, afterId }) => [broadcastId === id, afterId] as const)
        .toSorted(([, one], [, other]) => one.localeCompare(other));
    expect(await take(1)).toEqual([
      [true, "s3"],
      [false, "s6"],
    ]);
    expect(await take(9)).toEqual([
      [true, "s1"],
      [true, "s3"],
    ]);
    expect((await chunksOf(id)).map(({ due_at }) => due_at)).toEqual([NOW, NOW - 99, NOW, NOW + 1]);
    expect(await take(9)).toEqual([[true, "s3"]]);
    await allRows("delete from broadcast_chunks where state = 'claimed'");
    await newChunk(id, "s7", { due_at: NOW - 49 });
    expect(await take(9)).toEqual([[true, "s2"]]); // nobody works on its broadcast
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
  it("keeps the counts of the waiting chunks without mails in flight and deletes these alone", async () => {
    const [one, twin] = [
      await newBroadcast({ state: "cancelled" }),
      await newBroadcast({ state: "cancelled" }),
    ];
    await newChunk(one.id, "s1", COUNTS);
    await newChunk(one.id, "s2", COUNTS);
    await newChunk(one.id, "s3", { ...COUNTS, ...HELD });
    await newChunk(one.id, "s4", { ...COUNTS, in_flight: '["s5"]' });
    await newChunk(twin.id, "s1", COUNTS);
    await runBatch(db, deletePendingChunks(db, PROJECT, one.id));
    expect(await countsOf(one)).toEqual({ sent: 2, failed: 4, bounced: 6, suppressed: 8 });
    expect(await countsOf(twin)).toEqual(NOTHING);
    expect((await chunksOf(one.id)).map((row) => row["after_id"])).toEqual(["s3", "s4"]);
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
  const UNTIL = NOW + 500;
  const CLAIMED = { state: "claimed", lease_token: "mine", due_at: UNTIL };

  it("succeeds when the chunk is due, up to five seconds early, and changes no other chunk", async () => {
    const [one, twin] = [await newBroadcast(), await newBroadcast()];
    await newChunk(one.id, "s1", { due_at: NOW + 5_000 });
    await newChunk(one.id, "s2");
    await newChunk(twin.id, "s1");
    const taken = await claimChunk(db, claimOf(one), NOW, UNTIL);
    expect(taken).toMatchObject([
      { broadcastId: one.id, afterId: "s1", state: "claimed", leaseToken: "mine", dueAt: UNTIL },
    ]);
    expect(await chunksOf(one.id)).toMatchObject([CLAIMED, { after_id: "s2", state: "pending" }]);
    expect(await chunksOf(twin.id)).toMatchObject([{ state: "pending" }]);
  });

  it.each([
    ["waits for longer", { due_at: NOW + 5_001 }, 0],
    ["has a worker", { state: "claimed", lease_token: "theirs", due_at: NOW + 1 }, 0],
    ["had a worker until now", { state: "claimed", lease_token: "theirs", due_at: NOW }, 1],
  ])("of one that %s", async (_what, change, rows) => {
    const one = await newBroadcast();
    await newChunk(one.id, "s1", change);
    expect(await claimChunk(db, claimOf(one), NOW, UNTIL)).toHaveLength(rows);
  });

  const next = async (one: BroadcastRow, afterId = "s1") =>
    (await claimNextChunk(db, claimOf(one, afterId), NOW, UNTIL)).map((row) => row.afterId);

  it("goes on with the next chunk that waits and is due, of the same broadcast", async () => {
    const [one, twin] = [await newBroadcast(), await newBroadcast()];
    await newChunk(one.id, "s0");
    await newChunk(one.id, "s1", HELD);
    await newChunk(one.id, "s2", { state: "claimed", lease_token: "theirs", due_at: NOW });
    await newChunk(one.id, "s3", { due_at: NOW + 5_001 });
    await newChunk(one.id, "s4");
    await newChunk(one.id, "s5");
    for (const afterId of ["s12", "s4"]) await newChunk(twin.id, afterId);
    expect(await next(one)).toEqual(["s4"]);
    expect((await chunksOf(one.id))[4]).toMatchObject({ after_id: "s4", ...CLAIMED });
    for (const row of await chunksOf(twin.id)) expect(row).toMatchObject({ state: "pending" });
    expect(await next(one)).toEqual(["s5"]);
    expect(await next(one)).toEqual([]);
  });

  it("goes on with none unless the broadcast is sending", async () => {
    await newBroadcast();
    const one = await newBroadcast({ state: "paused" });
    await newChunk(one.id, "s2");
    expect(await next(one)).toEqual([]);
  });

  it("looks at the ten chunks that follow", async () => {
    const one = await newBroadcast();
    const ids = Array.from({ length: 10 }, (_, n) => `t${n}`);
    for (const id of ids.slice(0, 9)) await newChunk(one.id, id, { due_at: NOW + 9_000 });
    await newChunk(one.id, "t9");
    expect(await next(one)).toEqual(["t9"]);
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
    await addChunkCounts(db, claimOf(one), sql`1 = 0`);
    expect(await countsOf(one)).toEqual(NOTHING);
    await addChunkCounts(db, claimOf(one));
    expect(await countsOf(one)).toEqual(COUNTS);
    const [other] = await selectBroadcast(db, "0");
    expect(other).toMatchObject(NOTHING);
  });
});
