/* The tracked links of a deleted project (API reference §13.2). */
import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { uuidAt } from "../../../src/lib/ids.ts";
import type { TrackingMessage } from "../../../src/queues/messages.ts";
import { continuePurges } from "../../../src/services/project-removal/index.ts";
import { clickLink } from "../../../src/services/tracking/index.ts";
import { allRows } from "../../support/rows.ts";
import { createService, type Service } from "../../support/service.ts";
import { MINUTE } from "../../support/times.ts";
import { SENT_AT, URL_A } from "../../support/tracking/mails.ts";

afterEach(() => vi.restoreAllMocks());

/** A service that counts its reads of KV and its events. `faults` replace calls of KV. */
async function newWorld(runtime: Parameters<typeof createService>[1] = {}) {
  const clock = { now: SENT_AT };
  const count = { reads: 0, events: 0 };
  const faults: { get?: () => Promise<never>; put?: () => Promise<never> } = {};
  const KV = {
    get: async (key: string, options: KVNamespaceGetOptions<"text">) => {
      if (key.startsWith("gone:")) count.reads += 1;
      return faults.get ? faults.get() : env.KV.get(key, options);
    },
    put: async (key: string, value: string) => (faults.put ? faults.put() : env.KV.put(key, value)),
  } as unknown as KVNamespace;
  const send = async ({ events }: TrackingMessage) => (count.events += events.length);
  const TRACKING_QUEUE = { send } as unknown as Service["env"]["TRACKING_QUEUE"];
  const service = createService({ KV, TRACKING_QUEUE }, { now: () => clock.now, ...runtime });
  const deps = await service.deps();
  const owner = await service.newOwner();
  const linkOf = async (projectId: string, logId = uuidAt(SENT_AT)) =>
    new URL(await clickLink(deps, { projectId, logId }, URL_A)).pathname;
  const newLink = async () => {
    const { id } = await owner.newProject();
    return { id, link: await linkOf(id) };
  };
  /** Clicks a minute later, when the isolate asks again. */
  const click = async (link: string, afterMs = MINUTE) => {
    clock.now += afterMs;
    const { status, headers } = await service.fetch(link);
    return [status, headers.get("Location")];
  };
  return { service, deps, owner, count, faults, linkOf, newLink, click };
}

const WORKS = [302, URL_A];
const ENDED = [404, null];

describe("a tracked link", () => {
  it("ends with its project, and those of other projects continue", async () => {
    const { service, owner, count, newLink, click } = await newWorld();
    const [gone, kept] = [await newLink(), await newLink()];
    expect(await click(gone.link)).toEqual(WORKS);
    expect((await owner.delete(`/projects/${gone.id}`)).status).toBe(204);
    const before = count.events;
    expect(await click(gone.link)).toEqual(ENDED);
    expect(count.events).toBe(before);
    const answer = await service.fetch(gone.link);
    expect(await answer.json()).toMatchObject({ error: "link not found" });
    expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect((await service.fetch(gone.link, { method: "HEAD" })).status).toBe(404);
    expect(await click(kept.link)).toEqual(WORKS);
    expect(count.events).toBe(before + 1);
  });

  it("costs one read of KV a minute for its project, and none of D1", async () => {
    const { service, count, owner, linkOf, newLink, click } = await newWorld();
    const [{ id, link }, gone] = [await newLink(), await newLink()];
    await owner.delete(`/projects/${gone.id}`);
    service.d1.reset();
    for (let minute = 1; minute <= 2; minute++) {
      await click(link);
      for (let n = 0; n < 10; n++) expect(await click(await linkOf(id), 0)).toEqual(WORKS);
      expect(count.reads).toBe(minute);
    }
    for (const afterMs of [MINUTE, 0]) expect(await click(gone.link, afterMs)).toEqual(ENDED);
    expect(count.reads).toBe(3);
    const forged = link.replace(/.{43}$/, "A".repeat(43));
    expect((await service.fetch(forged)).status).toBe(400);
    expect([count.reads, service.d1.roundTrips]).toEqual([3, 0]);
  });

  it.each([
    ["fails", () => Promise.reject(new Error("KV is down")), {}],
    ["hangs", () => new Promise<never>(() => undefined), { wait: async () => undefined }],
  ])("works while KV %s", async (what, fault, runtime) => {
    const log = vi.spyOn(console, "warn").mockReturnValue();
    const { owner, faults, count, newLink, click } = await newWorld(runtime);
    const { id, link } = await newLink();
    await owner.delete(`/projects/${id}`);
    faults.get = fault;
    for (const afterMs of [MINUTE, 0]) expect(await click(link, afterMs)).toEqual(WORKS);
    expect(count.reads).toBe(1);
    const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)) as object);
    const line = { event: "ended_links_unread", projectId: id, error: "KV is down" };
    expect(lines).toMatchObject(what === "fails" ? [line] : []);
  });

  it("ends through the sweep if KV fails at the deletion", async () => {
    const log = vi.spyOn(console, "warn").mockReturnValue();
    vi.spyOn(console, "info").mockReturnValue();
    const { deps, owner, faults, newLink, click } = await newWorld();
    const { id, link } = await newLink();
    faults.put = () => Promise.reject(new Error("KV is down"));
    expect((await owner.delete(`/projects/${id}`)).status).toBe(204);
    expect(log.mock.calls.map(([line]) => JSON.parse(String(line)) as object)).toMatchObject([
      { event: "links_not_ended", projectId: id, error: "KV is down" },
    ]);
    await expect(continuePurges(deps)).rejects.toThrow("KV is down");
    expect(await click(link)).toEqual(WORKS);
    delete faults.put;
    await continuePurges(deps);
    expect(await click(link)).toEqual(ENDED);
    expect(await allRows("select 1 from project_purges where project_id = ?", id)).toEqual([]);
  });
});
