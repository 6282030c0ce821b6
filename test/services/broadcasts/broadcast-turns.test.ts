/* How the broadcasts of all projects share the workers. */
import { env } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/db/client.ts";
import { planBroadcast } from "../../../src/services/broadcasts/index.ts";
import { chooseChunk, selectNextInTurn } from "../../../src/services/broadcasts/choose-chunk.ts";
import { sendTurn } from "../../../src/services/mailing/index.ts";
import { TURN_LIMITS } from "../../../src/services/mailing/sources/broadcast/attempts.ts";
import {
  ASYNC,
  hasNobodyTwice,
  manualService,
  newNewsletter,
  plannedChunk,
  scenario,
  withoutSample,
} from "../../support/broadcasting.ts";
import { allRows, insertRow, type Row } from "../../support/rows.ts";
import { FAULTS } from "../../support/smtp/faults.ts";
import { startRawServer } from "../../support/smtp/raw-client.ts";
import { deliveries } from "../../support/smtp/shipping.ts";

const db = openDatabase(env.DB);
const NOW = 1_000_000;

beforeEach(async () => {
  for (const table of ["broadcasts", "broadcast_ranges"]) await allRows(`delete from ${table}`);
});

const newBroadcast = (id: string, projectId: string, change: Row = {}) =>
  insertRow("broadcasts", {
    id,
    project_id: projectId,
    subject: "s",
    html_body: "h",
    text_body: "",
    status: "active",
    state: "sending",
    log_key: "k",
    cutoff_id: "s9",
    planned_id: "s9",
    plan_due_at: 0,
    created_at: 1,
    ...change,
  });

const newChunk = (broadcastId: string, afterId: string, change: Row = {}) =>
  insertRow("broadcast_ranges", {
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

const HELD = { state: "claimed", lease_token: "other", due_at: NOW + 1 };

describe("the next turn", () => {
  const next = async () => {
    const [chosen] = await selectNextInTurn(db, NOW);
    return chosen && `${chosen.broadcastId} ${chosen.afterId}`;
  };

  it("belongs to the project with the fewest workers, then to the one that waited longest", async () => {
    await newBroadcast("b1", "one", { turn_at: 5 });
    await newBroadcast("b2", "two", { turn_at: 7 });
    await newBroadcast("b3", "two", { turn_at: 1 });
    for (const id of ["b1", "b2", "b3"])
      for (const after of ["s1", "s2"]) await newChunk(id, after);
    expect(await next()).toBe("b1 s1");
    await newChunk("b1", "s0", HELD);
    expect(await next()).toBe("b3 s1"); // of its project, that with the older turn
    await newChunk("b3", "s0", HELD);
    expect(await next()).toBe("b1 s1");
    await allRows("update broadcasts set turn_at = 8 where id = 'b1'");
    expect(await next()).toBe("b3 s1");
  });

  it("passes over five busy workers, chunks that wait for a server, and what does not send", async () => {
    await newBroadcast("b1", "one");
    for (const after of ["s1", "s2", "s3", "s4"]) await newChunk("b1", after, HELD);
    await newChunk("b1", "s5");
    expect(await next()).toBe("b1 s5");
    await newChunk("b1", "s0", HELD);
    expect(await next()).toBeUndefined();
    await newBroadcast("b2", "two", { state: "paused" });
    await newChunk("b2", "s1");
    await newBroadcast("b3", "three");
    await newChunk("b3", "s1", { due_at: NOW + 30_000 });
    expect(await next()).toBeUndefined();
    await allRows("update broadcast_ranges set due_at = ? where after_id = 's0'", NOW);
    expect(await next()).toBe("b1 s5"); // that worker is dead
  });

  it("does not wait for the plan of a broadcast that stands behind many messages", async () => {
    const { deps, id } = await scenario(3);
    const chosen = await chooseChunk(deps);
    expect(chosen?.broadcastId).toBe(id);
  });
});

/** A project whose mail goes to a server of the test, with a broadcast that runs. */
async function newSending(
  { service, owner }: { service: ReturnType<typeof manualService>["service"]; owner: Owner },
  count: number,
  port?: number,
) {
  const news = await newNewsletter(service, owner);
  await withoutSample(news, owner);
  await news.subscribe(count);
  if (port !== undefined)
    await allRows("update projects set smtp_port = ? where id = ?", port, news.id);
  const { body } = await news.start(ASYNC);
  return { news, id: String(body["broadcast_id"]) };
}

type Owner = Awaited<ReturnType<ReturnType<typeof manualService>["service"]["newOwner"]>>;

describe("a server that drips its answers", () => {
  const LIMITS = { ...TURN_LIMITS, workMs: 1_500 };

  it("delays another project by one turn, even of the only worker and behind many chunks", async () => {
    const { service, queued, clock } = manualService();
    const deps = await service.deps();
    const owner = await service.newOwner();
    const tarpit = await startRawServer(FAULTS.dripsReplyToMail);
    const slow = await newSending({ service, owner }, 1_200, tarpit.port);
    await planBroadcast(deps, slow.id);
    queued.splice(0, 1); // its plan
    const [first, ...others] = queued.splice(0);
    if (first?.type !== "broadcast_chunk") throw new Error("no chunk was planned");
    const turn = sendTurn(deps, first, LIMITS);
    const healthy = await newSending({ service, owner }, 20);
    const startedAt = Date.now();
    await turn;
    const [second] = others;
    if (second?.type !== "broadcast_chunk") throw new Error("one chunk was planned");
    await sendTurn(deps, second, LIMITS);
    expect(await healthy.news.progress(healthy.id)).toMatchObject({ state: "done", sent: 20 });
    expect(Date.now() - startedAt).toBeLessThan(20_000);
    expect(await slow.news.progress(slow.id)).toMatchObject({ state: "sending", failed: 0 });
    const waiting = await allRows(
      "select pass, due_at from broadcast_ranges where broadcast_id = ? and due_at > ?",
      slow.id,
      Date.now() + clock.aheadMs + 10_000,
    );
    expect(waiting).toMatchObject([{ pass: 1 }]); // a turn without a mail is an attempt
  });

  it("gets back what it had no time for, without an attempt lost, as long as it takes some", async () => {
    const everyMs = 40;
    const answer = { send: "250 2.0.0 queued\r\n", chunkBytes: 1, everyMs };
    const slow = await startRawServer({
      offers: ["PIPELINING", "8BITMIME"],
      rules: [{ on: "body", steps: [answer] }],
    });
    const all = await scenario(40, (news) =>
      allRows("update projects set smtp_port = ? where id = ?", slow.port, news.id),
    );
    const { deps, id, news, queued } = all;
    queued.push(await plannedChunk(all));
    let turns = 0;
    const attempts = new Set<unknown>();
    for (let message = queued.shift(); message; message = queued.shift()) {
      if (message.type !== "broadcast_chunk") continue;
      turns += 1;
      await sendTurn(deps, message, LIMITS);
      for (const { pass } of await allRows("select pass from broadcast_ranges")) attempts.add(pass);
    }
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 40, failed: 0 });
    expect(turns).toBeGreaterThan(2);
    expect([...attempts]).toEqual([0]);
    const delivered = await deliveries(slow);
    expect(delivered.size).toBe(40);
    expect(new Set(delivered.values())).toEqual(new Set([1]));
    const logs = await news.logs();
    expect(logs).toHaveLength(40);
    expect(hasNobodyTwice(logs.map(({ to_email: email }) => email))).toBe(true);
  });
});
