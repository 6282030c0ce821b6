/* The mails in hand of a delivery: how many a crash can leave unknown, whatever the server does. */
import { describe, expect, it } from "vitest";
import { parseEmailAddress } from "../../../src/mail/address.ts";
import { MESSAGES_IN_HAND_MAX } from "../../../src/mail/smtp/index.ts";
import type { Page } from "../../../src/services/broadcasts/index.ts";
import { composeMail } from "../../../src/services/mailing/compose.ts";
import { deliverAll } from "../../../src/services/mailing/deliver.ts";
import { NO_EXTRAS } from "../../../src/services/mailing/index.ts";
import type { ClaimedMail, Ledger } from "../../../src/services/mailing/ledger.ts";
import { ChunkAhead } from "../../../src/services/mailing/sources/chunks/chunk-ahead.ts";
import { openLine } from "../../support/bulk-line.ts";
import { createService } from "../../support/service.ts";
import { closesAfterMessages, FAULTS } from "../../support/smtp/faults.ts";
import { startRawServer } from "../../support/smtp/raw-client.ts";
import type { RawScript } from "../../support/smtp/raw-script.ts";
import { settingsFor } from "../../support/smtp/sending.ts";
import { deliveries } from "../../support/smtp/shipping.ts";

const TOTAL = 120;
const D1_MS = 4;
const service = createService();
const deps = await service.deps();

function mailbox(address: string) {
  const parsed = parseEmailAddress(address);
  if (!parsed.ok) throw new Error(parsed.fault.message);
  return { name: "", address: parsed.address };
}

function claimedMail(n: number): ClaimedMail {
  const to = mailbox(`r${n}@x.test`);
  const facts = { logId: deps.newId(), to, subject: "s", tags: null, templateId: null };
  const mail = { ...facts, subscriberId: null, broadcastId: null };
  const from = mailbox("news@x.test");
  const projectId = deps.newId();
  const addressing = { ...facts, projectId, from, extras: NO_EXTRAS, unsubscribe: undefined };
  const content = { subject: "s", html: "", text: "t" };
  return { mail, next: { compose: async () => composeMail(deps, addressing, content) } };
}

/** Delivers TOTAL mails to a server and returns what its ledger saw. */
async function deliverTo(script: RawScript, login = {}) {
  const server = await startRawServer(script);
  const seen = { inHandMax: 0, writes: 0, finished: [] as string[], errors: [] as string[] };
  let claimed = 0;
  const ledger: Ledger = {
    hasMore: () => claimed < TOTAL,
    async advance(finished, inHand, count) {
      seen.writes += 1;
      seen.finished.push(...finished.map(({ mail }) => mail.to.address));
      seen.errors.push(...finished.map(({ outcome }) => outcome.main.error ?? ""));
      const size = Math.min(count, TOTAL - claimed);
      const mails = Array.from({ length: size }, (_, n) => claimedMail(claimed + n));
      claimed += size;
      seen.inHandMax = Math.max(seen.inHandMax, inHand.length + size);
      await new Promise((resolve) => setTimeout(resolve, D1_MS));
      return mails;
    },
  };
  const smtp = settingsFor(server.port, login);
  const sender = { smtp, from: mailbox("news@x.test"), suppressOnAny5xx: false };
  const line = openLine();
  await deliverAll(deps, sender, ledger, line);
  await line.pool.end();
  const connections = (await server.log()).connections.length;
  return { ...seen, connections, delivered: await deliveries(server) };
}

const LOGIN = { user: "user", password: "wrong" };
const PLAIN = ["PIPELINING", "8BITMIME"];
const CHUNKING = ["PIPELINING", "CHUNKING", "8BITMIME"];
const FAREWELL = "421 4.7.0 enough\r\n";

describe("a delivery to many recipients", () => {
  it.each<[string, RawScript]>([
    ["DATA", { offers: PLAIN }],
    ["CHUNKING", { offers: CHUNKING }],
    ["a server that leaves after 3 mails", closesAfterMessages(3, "")],
    ["a server that says so before it leaves", closesAfterMessages(3, FAREWELL)],
    [
      "a server with CHUNKING that leaves after 3 mails",
      { ...closesAfterMessages(3, FAREWELL), offers: CHUNKING },
    ],
    [
      "a server with CHUNKING that just leaves",
      { ...closesAfterMessages(5, ""), offers: CHUNKING },
    ],
  ])("by %s has at most 16 in hand and finishes each once", async (_name, script) => {
    const { inHandMax, writes, finished, delivered } = await deliverTo(script);
    expect(inHandMax).toBeLessThanOrEqual(MESSAGES_IN_HAND_MAX);
    expect(finished).toHaveLength(TOTAL);
    expect(new Set(finished).size).toBe(TOTAL);
    expect(new Set(delivered.values())).toEqual(new Set([1]));
    expect(writes).toBeLessThanOrEqual(TOTAL / 8 + 4);
  });
});

describe("a delivery to a server that ends every session", () => {
  it.each([
    ["before it takes a mail", FAULTS.closesAtRcpt],
    ["with a 421", FAULTS.closes421AtMail],
    ["after the content", FAULTS.closesAfterFinalDot],
  ])("%s is given up soon, and sends the rest to nobody", async (_how, script) => {
    const { finished, connections, errors } = await deliverTo(script);
    expect(finished).toHaveLength(TOTAL);
    expect(connections).toBeLessThanOrEqual(30);
    const givenUp = errors.filter((error) => error.includes("the server ends every session"));
    expect(givenUp.length).toBeGreaterThan(TOTAL / 2);
  });
});

describe("a delivery to a server that opens no session", () => {
  it.each([
    ["is tried twice", FAULTS.closesAtConnect, 2],
    ["is tried once with a wrong password", FAULTS.refusesLogin, 1],
  ])("%s for all mails together", async (_how, script, tries) => {
    const { finished, connections, delivered } = await deliverTo(script, LOGIN);
    expect(finished).toHaveLength(TOTAL);
    expect([connections, delivered.size]).toEqual([tries, 0]);
  });

  it("at first goes on when it does", async () => {
    const rules = [{ on: "connect", connection: 1, steps: [{ close: true as const }] }];
    const { delivered } = await deliverTo({ offers: PLAIN, rules });
    expect(delivered.size).toBe(TOTAL);
  });
});

describe("a ledger that fails", () => {
  it.each(["claims", "records"])("when it %s ends the delivery with its error", async (when) => {
    const server = await startRawServer({ offers: PLAIN });
    let claimed = 0;
    const ledger: Ledger = {
      hasMore: () => true,
      async advance(recorded) {
        const isNow = when === "claims" ? claimed > 0 : recorded.length > 0;
        if (isNow) throw new Error("the database is gone");
        claimed += 1;
        return [claimedMail(claimed)];
      },
    };
    const smtp = settingsFor(server.port);
    const sender = { smtp, from: mailbox("news@x.test"), suppressOnAny5xx: false };
    const line = openLine();
    const delivery = deliverAll(deps, sender, ledger, line);
    await expect(delivery).rejects.toThrow("the database is gone");
    await line.pool.end();
    expect(await server.openConnections()).toBe(0);
  });
});

describe("a delivery whose time is up", () => {
  it("takes no permit for the mails that it gives back", async () => {
    const server = await startRawServer({ offers: PLAIN });
    const finished: boolean[] = [];
    let isClaimed = false;
    let permits = 0;
    const ledger: Ledger = {
      hasMore: () => !isClaimed,
      async advance(recorded) {
        finished.push(...recorded.map(({ outcome }) => outcome.retry?.kind === "given_back"));
        const size = isClaimed ? 0 : MESSAGES_IN_HAND_MAX;
        isClaimed = true;
        return Array.from({ length: size }, (_, n) => claimedMail(n));
      },
    };
    const takeBulk = () => {
      permits += 1;
      return undefined;
    };
    const line = openLine({ takeBulk });
    const smtp = settingsFor(server.port);
    const sender = { smtp, from: mailbox("news@x.test"), suppressOnAny5xx: false };
    await deliverAll(deps, sender, ledger, line, { isOver: () => permits >= 3 });
    expect(finished).toHaveLength(MESSAGES_IN_HAND_MAX);
    expect(finished).toContain(true);
    expect(permits).toBe(3);
  });
});

describe("a chunk that is read ahead", () => {
  const ids = Array.from({ length: 1_200 }, (_, n) => ({ id: String(n + 1).padStart(4, "0") }));
  const placeOf = (again: { id: string; error: string }[] = []) => ({
    cursorId: "",
    untilId: "1200",
    again,
  });

  /** Returns the recipients of a page, as D1 would. */
  function read(page: Page | undefined) {
    if (!page) throw new Error("nothing is left to read");
    if (page.kind === "ids") return ids.filter(({ id }) => page.ids.includes(id));
    return ids.filter(({ id }) => id > page.after && id <= page.to).slice(0, page.size);
  }

  it.each([8, 16])("is read in pages of at most 500 and claimed %d at a time", (size) => {
    const place = placeOf();
    const ahead = new ChunkAhead<{ id: string }>(place, 0);
    const [pages, claimed]: [number[], string[]] = [[], []];
    while (!ahead.isThrough) {
      if (ahead.isEmpty) {
        const page = ahead.nextPage();
        const found = read(page);
        pages.push(found.length);
        if (page) ahead.add(page, found, 0);
      }
      const group = ahead.take(size);
      expect(group.length).toBeLessThanOrEqual(size);
      expect(place.cursorId).toBe(group.at(-1)?.id);
      claimed.push(...group.map(({ id }) => id));
    }
    expect(pages).toEqual([500, 500, 200]);
    expect(claimed).toEqual(ids.map(({ id }) => id));
  });

  it("forgets a page after 4 seconds, and reads about as many as it used of it", () => {
    const place = placeOf();
    const ahead = new ChunkAhead<{ id: string }>(place, 0);
    const first = ahead.nextPage();
    if (first) ahead.add(first, read(first), 0);
    const taken = ahead.take(80);
    ahead.expire(4_000);
    expect(ahead.isEmpty).toBe(false);
    ahead.expire(4_001);
    expect(ahead.isEmpty).toBe(true);
    const next = read(ahead.nextPage());
    expect(next.map(({ id }) => id)).toEqual(ids.slice(taken.length, 160).map(({ id }) => id));
  });

  it("begins with those to try again, and passes over whoever has left", () => {
    const place = placeOf([
      { id: "0003", error: "" },
      { id: "gone", error: "" },
    ]);
    const ahead = new ChunkAhead<{ id: string }>(place, 0);
    const first = ahead.nextPage();
    if (first) ahead.add(first, read(first), 0);
    expect(ahead.take(16)).toEqual([{ id: "0003" }]);
    expect(place).toMatchObject({ again: [], cursorId: "" });
    expect(ahead.isThrough).toBe(false);
  });
});
