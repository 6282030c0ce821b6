/* The mails in hand of a delivery: how many a crash can leave unknown, whatever the server does. */
import { describe, expect, it } from "vitest";
import { parseEmailAddress } from "../../../src/mail/address.ts";
import { MESSAGES_IN_HAND_MAX, SessionPool } from "../../../src/mail/smtp/index.ts";
import { composeMail } from "../../../src/services/mailing/compose.ts";
import { deliverAll } from "../../../src/services/mailing/deliver.ts";
import { NO_EXTRAS } from "../../../src/services/mailing/index.ts";
import type { ClaimedMail, Ledger } from "../../../src/services/mailing/ledger.ts";
import {
  addPage,
  nextGroup,
  openAhead,
  pageWhenLow,
  passGroup,
} from "../../../src/services/mailing/sources/broadcast/chunk-ahead.ts";
import type { SendingLine } from "../../../src/services/sending/index.ts";
import { newLine } from "../../support/sending-line.ts";
import { createService } from "../../support/service.ts";
import { closesAfterMessages } from "../../support/smtp/faults.ts";
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
async function deliverTo(script: RawScript) {
  const server = await startRawServer(script);
  const seen = { inHandMax: 0, writes: 0, finished: [] as string[] };
  let claimed = 0;
  const ledger: Ledger = {
    hasMore: () => claimed < TOTAL,
    async advance(finished, inHand, count) {
      seen.writes += 1;
      seen.finished.push(...finished.map(({ mail }) => mail.to.address));
      const size = Math.min(count, TOTAL - claimed);
      const mails = Array.from({ length: size }, (_, n) => claimedMail(claimed + n));
      claimed += size;
      seen.inHandMax = Math.max(seen.inHandMax, inHand.length + size);
      await new Promise((resolve) => setTimeout(resolve, D1_MS));
      return mails;
    },
  };
  const smtp = settingsFor(server.port);
  const sender = { smtp, from: mailbox("news@x.test"), suppressOnAny5xx: false };
  const line = await newLine(service);
  await deliverAll(deps, sender, ledger, line);
  await line.close();
  return { ...seen, delivered: await deliveries(server) };
}

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

describe("a delivery whose time is up", () => {
  it("takes no permit for the mails that it gives back", async () => {
    const server = await startRawServer({ offers: PLAIN });
    const finished: boolean[] = [];
    let isClaimed = false;
    let permits = 0;
    const ledger: Ledger = {
      hasMore: () => !isClaimed,
      async advance(settled) {
        finished.push(...settled.map(({ outcome }) => outcome.main.isGivenBack ?? false));
        const size = isClaimed ? 0 : MESSAGES_IN_HAND_MAX;
        isClaimed = true;
        return Array.from({ length: size }, (_, n) => claimedMail(n));
      },
    };
    const admit = async () => {
      permits += 1;
      return "go";
    };
    const line = { connections: 1, pool: new SessionPool(), admit } as unknown as SendingLine;
    const smtp = settingsFor(server.port);
    const sender = { smtp, from: mailbox("news@x.test"), suppressOnAny5xx: false };
    const deadline = () => (permits < 3 ? Number.POSITIVE_INFINITY : 0);
    await deliverAll(deps, sender, ledger, line, deadline);
    await line.pool.close();
    expect(finished).toHaveLength(MESSAGES_IN_HAND_MAX);
    expect(finished).toContain(true);
    expect(permits).toBe(3);
  });
});

/** Claims a chunk of `total` recipients by groups and returns the sizes of the groups. */
function claimChunk(total: number, groupSize: number): number[] {
  const ids = Array.from({ length: total }, (_, n) => String(n + 1).padStart(4, "0"));
  const place = { cursorId: "", untilId: ids.at(-1) ?? "", again: [] };
  const ahead = openAhead(place, 0);
  const groups: number[] = [];
  let left = ids.map((id) => ({
    id,
    email: `${id}@x.test`,
    name: "",
    metadata: {},
    suppressed: 0,
  }));
  while (place.cursorId < place.untilId) {
    const page = pageWhenLow(ahead, place);
    if (page) {
      addPage(ahead, page, left.slice(0, page.size));
      left = left.slice(page.size);
    }
    expect(ahead.steps.length + MESSAGES_IN_HAND_MAX).toBeLessThanOrEqual(50);
    const group = nextGroup(ahead, place, groupSize);
    groups.push(group.recipients.length);
    passGroup(ahead, place, group);
  }
  return groups;
}

describe("a chunk that is read ahead", () => {
  it.each([8, 16])("asks at most 50 mails ahead and is claimed in whole groups of %d", (size) => {
    const groups = claimChunk(500, size);
    expect(groups.reduce((sum, count) => sum + count, 0)).toBe(500);
    expect(groups.slice(0, -1)).toEqual(groups.slice(0, -1).map(() => size));
  });
});
