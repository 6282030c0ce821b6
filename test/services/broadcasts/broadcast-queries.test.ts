/* The SQL of broadcasts against rows of the tests: what each statement changes and leaves alone. */
import { env } from "cloudflare:test";
import { sql, type SQL } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { openDatabase, runBatch } from "../../../src/db/client.ts";
import type { Deps } from "../../../src/deps.ts";
import {
  claimRecipients,
  parseRecipients,
  selectAhead,
  selectUnsettled,
  type NextPage,
} from "../../../src/services/broadcasts/claim-queries.ts";
import { finishIfDone } from "../../../src/services/broadcasts/finish-if-done.ts";
import { insertNextChunks, updatePlanned } from "../../../src/services/broadcasts/plan-queries.ts";
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
  selectUnplanned,
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
  for (const table of ["subscribers", "suppressions", "broadcasts", "broadcast_chunks"])
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

describe("a new broadcast", () => {
  it("ends its audience at the newest subscriber of its project and status", async () => {
    await subscribe(["s1", "s2", "s3"]);
    await subscribe(["s7"], { status: "pending" });
    await subscribe(["s8"], { project_id: OTHER });
    expect(await newBroadcast()).toMatchObject({ cutoffId: "s3", state: "sending", sent: 0 });
    expect((await newBroadcast({ status: "pending" })).cutoffId).toBe("s7");
    expect((await newBroadcast({ status: "unsubscribed" })).cutoffId).toBe("");
  });
});

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
      moveState(db, projectId, one.id, from, { state: "paused", error: "because" });
    expect(await move(OTHER, ["sending"])).toEqual([]);
    expect(await move(PROJECT, ["queued", "paused"])).toEqual([]);
    expect(await move(PROJECT, ["queued", "sending"])).toMatchObject([
      { id: one.id, state: "paused", error: "because" },
    ]);
    expect(await selectBroadcast(db, twin.id)).toMatchObject([{ state: "sending", error: null }]);
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

describe("the planning of a broadcast", () => {
  const plan = (broadcast: BroadcastRow, chunks: number, size: number) =>
    runBatch(db, [
      insertNextChunks(db, broadcast, { chunks, size, now: NOW }),
      updatePlanned(db, broadcast, chunks * size, NOW + 60),
    ]);
  const planned = async ({ id }: BroadcastRow) =>
    (
      await allRows(
        "select after_id, until_id from broadcast_chunks where broadcast_id = ? order by after_id",
        id,
      )
    ).map((row) => `${String(row["after_id"])}-${String(row["until_id"])}`);

  it("makes chunks of its audience alone, in order, step by step up to the cut-off", async () => {
    await subscribe(["s1", "s2", "s4", "s5", "s6"]);
    await subscribe(["s3"], { status: "pending" });
    await subscribe(["s0"], { project_id: OTHER });
    const broadcast = await newBroadcast();
    const twin = await newBroadcast();
    await subscribe(["s8"]);
    const [inserted, moved] = await plan(broadcast, 2, 2);
    expect(inserted.map(({ afterId }) => afterId)).toEqual(["", "s2"]);
    expect(moved).toEqual([{ plannedId: "s5" }]);
    expect(await planned(broadcast)).toEqual(["-s2", "s2-s5"]);
    const fresh = { state: "pending", due_at: NOW, lease_token: "", in_flight: "[]", again: "[]" };
    expect((await chunksOf(broadcast.id))[1]).toMatchObject({ ...fresh, cursor_id: "s2" });
    const [next] = await selectBroadcast(db, broadcast.id);
    expect(next).toMatchObject({ plannedId: "s5", planDueAt: NOW + 60 });
    const [, last] = await plan(next ?? broadcast, 2, 2);
    expect(last).toEqual([{ plannedId: "s6" }]);
    expect(await planned(broadcast)).toEqual(["-s2", "s2-s5", "s5-s6"]);
    expect(await selectBroadcast(db, twin.id)).toMatchObject([{ plannedId: "" }]);
  });

  it("does nothing when another planner was faster", async () => {
    await subscribe(["s1", "s2", "s3", "s4"]);
    const broadcast = await newBroadcast();
    await newBroadcast(); // has planned as little as the loser believes
    await plan(broadcast, 1, 2);
    const [inserted, moved] = await plan(broadcast, 1, 2);
    expect([inserted, moved]).toEqual([[], []]);
    expect(await planned(broadcast)).toEqual(["-s2"]);
  });

  it("ends at the cut-off at once when there is nobody", async () => {
    const broadcast = await newBroadcast({ cutoffId: "s5" });
    const [inserted, moved] = await plan(broadcast, 2, 2);
    expect([inserted, moved]).toEqual([[], [{ plannedId: "s5" }]]);
  });

  it("is resumed when it is due and not complete, unless the broadcast stopped", async () => {
    const half = { plannedId: "s1", cutoffId: "s5" };
    const due = [
      await newBroadcast({ state: "queued", plannedId: "s5", cutoffId: "s5" }),
      await newBroadcast(half),
    ];
    await newBroadcast({ ...half, planDueAt: NOW + 1 });
    await newBroadcast({ plannedId: "s5", cutoffId: "s5" });
    for (const state of ["paused", "cancelled", "done"] as const)
      await newBroadcast({ ...half, state });
    const found = await selectUnplanned(db, NOW, 10);
    expect(found.map(({ id }) => id).toSorted()).toEqual(due.map(({ id }) => id).toSorted());
    expect(await selectUnplanned(db, NOW, 1)).toHaveLength(1);
  });
});

const claimOf = ({ id }: BroadcastRow, afterId = "s1"): ChunkClaim => ({
  broadcastId: id,
  afterId,
  leaseToken: "mine",
});
const HELD = { state: "claimed", lease_token: "mine" };

/** A broadcast to s1 … s9 whose chunk from s1 to s6 is held at s2. */
async function heldChunk(change: Partial<BroadcastRow> = {}) {
  await subscribe(["s1", "s2", "s4", "s5", "s6", "s7"]);
  await subscribe(["s3"], { status: "pending" });
  await subscribe(["s30"], { project_id: OTHER });
  const broadcast = await newBroadcast(change);
  const again = JSON.stringify([{ id: "s5", error: "e" }]);
  await newChunk(broadcast.id, "s1", { ...HELD, until_id: "s6", cursor_id: "s2", again });
  return broadcast;
}

describe("the recipients that a worker reads ahead", () => {
  const read = async (broadcast: BroadcastRow, page: NextPage, size = 9) => {
    const [row] = await selectAhead(db, broadcast, { ...page, size });
    return parseRecipients(row?.recipients);
  };
  const idsOf = async (...given: Parameters<typeof read>) =>
    (await read(...given)).map(({ id }) => id);

  it("are the audience after an id, in order, up to a size and to another id", async () => {
    const broadcast = await heldChunk();
    expect(await idsOf(broadcast, { kind: "range", after: "s2", to: "s6" }, 2)).toEqual([
      "s4",
      "s5",
    ]);
    expect(await idsOf(broadcast, { kind: "range", after: "s5", to: "s6" })).toEqual(["s6"]);
    expect(await idsOf(broadcast, { kind: "range", after: "s2", to: "s3" })).toEqual([]);
  });

  it("are those of the named ones who still are in the audience", async () => {
    const broadcast = await heldChunk();
    const ids = ["s4", "s2", "s3", "s30", "s9"];
    expect(await idsOf(broadcast, { kind: "ids", ids })).toEqual(["s2", "s4"]);
  });

  it("show the suppression of their own project", async () => {
    const broadcast = await heldChunk();
    const rest = { reason: "manual", source: "", created_at: 1, last_seen_at: 1 };
    const suppress = (project_id: string, email: string) =>
      insertRow("suppressions", { id: newId(), project_id, email, ...rest });
    await suppress(PROJECT, "s4@any.test");
    await suppress(OTHER, "s5@any.test");
    const shown = (id: string, suppressed: number) => ({
      id,
      email: `${id}@any.test`,
      name: `Name ${id}`,
      metadata: { a: 1 },
      suppressed,
    });
    const found = await read(broadcast, { kind: "ids", ids: ["s4", "s5"] });
    expect(found).toEqual([shown("s4", 1), shown("s5", 0)]);
  });
});

describe("a claim of recipients", () => {
  const FROM = { cursorId: "s2", again: [{ id: "s5", error: "e" }] };
  const TO = { cursorId: "s4", again: [] };
  const claim = (broadcast: BroadcastRow, leaseToken = "mine") =>
    claimRecipients(
      db,
      { ...claimOf(broadcast), leaseToken },
      { claimed: ["s5", "s4"], inHand: ["s1"], from: FROM, to: TO },
      { accepted: ["s2"] },
    );

  it("records them with those in hand and moves the chunk past them", async () => {
    const broadcast = await heldChunk();
    expect(await claim(broadcast)).toEqual([{ state: "sending" }]);
    const moved = { cursor_id: "s4", in_flight: '["s1","s5","s4"]', again: "[]" };
    expect(await chunksOf(broadcast.id)).toMatchObject([moved]);
    expect(await claim(broadcast)).toEqual([{ state: "sending" }]); // an answer was lost
    expect(await chunksOf(broadcast.id)).toMatchObject([moved]);
    const same = { claimed: [], inHand: [], from: FROM, to: { ...FROM, cursorId: "s6" } };
    await claimRecipients(db, claimOf(broadcast), same, {});
    const unchanged = { cursor_id: "s6", in_flight: "[]", again: "[]" };
    expect(await chunksOf(broadcast.id)).toMatchObject([unchanged]);
  });

  it("claims nobody while the broadcast is not sending, and records the outcomes", async () => {
    const broadcast = await heldChunk({ state: "paused" });
    await newBroadcast(); // another one sends
    expect(await claim(broadcast)).toEqual([{ state: "paused" }]);
    expect(await chunksOf(broadcast.id)).toMatchObject([
      { cursor_id: "s2", in_flight: '["s1"]', again: '[{"id":"s5","error":"e"}]' },
    ]);
    expect(await allRows("select accepted from broadcast_chunks")).toEqual([
      { accepted: '["s2"]' },
    ]);
  });

  it("is made by the holder of the lease alone", async () => {
    const broadcast = await heldChunk();
    const before = await chunksOf(broadcast.id);
    expect(await claim(broadcast, "theirs")).toEqual([]);
    expect(await chunksOf(broadcast.id)).toEqual(before);
  });

  it("leaves those in flight and those accepted to the next holder, and to nobody else", async () => {
    const broadcast = await heldChunk();
    await claim(broadcast);
    const [row] = await selectUnsettled(db, claimOf(broadcast));
    const ids = (json?: string) => parseRecipients(json).map(({ id }) => id);
    expect([ids(row?.inFlight), ids(row?.accepted)]).toEqual([["s1", "s4", "s5"], ["s2"]]);
    expect(await selectUnsettled(db, { ...claimOf(broadcast), leaseToken: "theirs" })).toEqual([]);
  });
});

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
