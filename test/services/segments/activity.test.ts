/* Opens, clicks and mailings of subscribers, and tags by a click (API reference §12.8, §12.9). */
import { describe, expect, it } from "vitest";
import { runBatch } from "../../../src/db/client.ts";
import type { Deps } from "../../../src/deps.ts";
import { rewriteLinks } from "../../support/rewrite-links.ts";
import type { TrackingEvent } from "../../../src/queues/messages.ts";
import { appendLog } from "../../../src/services/email-log/index.ts";
import { recordStatements } from "../../../src/services/mailing/record.ts";
import { forgetMailings } from "../../../src/services/segments/index.ts";
import { clickLink, openClickPayload, recordEvents } from "../../../src/services/tracking/index.ts";
import { logEntry } from "../../support/log-entry.ts";
import { allRows } from "../../support/rows.ts";
import { createService } from "../../support/service.ts";
import { BARRACUDA, SENT_AT, trackingEvent, URL_A, URL_B } from "../../support/tracking/mails.ts";

const service = createService();
const deps = await service.deps();
const owner = await service.newOwner();
const at = (seconds: number) => SENT_AT + seconds * 1_000;

interface Reader {
  last_opened_at: string | null;
  last_clicked_at: string | null;
  tags: string[];
}

/** A project with subscribers, each of whom has mails in the log. */
async function newReaders(count: number, mails = 1) {
  const { id: projectId } = await owner.newProject();
  const path = `/projects/${projectId}`;
  const readers: { id: string; logIds: string[] }[] = [];
  for (let n = 0; n < count; n++) {
    const body = { email: `reader${n}@any.test` };
    const id = String((await owner.post(`${path}/subscribers`, body)).body["id"]);
    const logIds = Array.from({ length: mails }, () => deps.newId());
    readers.push({ id, logIds });
  }
  const entries = readers.flatMap(({ id: subscriberId, logIds }) =>
    logIds.map((id) => logEntry(projectId, { id, subscriberId, sentAt: SENT_AT })),
  );
  await runBatch(deps.db, appendLog(deps, projectId, entries));
  const reader = async (index = 0) => {
    const { body } = await owner.get<Reader>(`${path}/subscribers/${readers[index]?.id}`);
    return body;
  };
  const activity = async (index = 0) => {
    const { last_opened_at, last_clicked_at, tags } = await reader(index);
    const ms = (time: string | null) => (time === null ? null : Date.parse(time));
    return [ms(last_opened_at), ms(last_clicked_at), tags];
  };
  const countOf = async (where: string) =>
    (await owner.post(`${path}/segments/preview`, { where })).body["count"];
  const log = (index = 0, mail = 0) => readers[index]?.logIds[mail] ?? "";
  return { projectId, path, readers, log, activity, count: countOf };
}

const tagged = (event: TrackingEvent, tag: string): TrackingEvent =>
  event.kind === "click" ? { ...event, tag } : event;
const from = (event: TrackingEvent, userAgent: string): TrackingEvent => ({ ...event, userAgent });

describe("the activity of a subscriber", () => {
  it("is the time of the latest first open and of the latest first click by a person", async () => {
    const { log, activity, count } = await newReaders(2, 2);
    expect(await activity()).toEqual([null, null, []]);
    await recordEvents(deps, [trackingEvent("open", log(0, 1), at(60))]);
    await recordEvents(deps, [trackingEvent("open", log(0, 0), at(30))]);
    await recordEvents(deps, [trackingEvent("open", log(0, 1), at(90))]); // no first open
    expect(await activity()).toEqual([at(60), null, []]);
    await recordEvents(deps, [trackingEvent("click", log(0, 0), at(100))]);
    await recordEvents(deps, [trackingEvent("click", log(0, 0), at(200), URL_B)]); // no first click
    expect(await activity()).toEqual([at(100), at(100), []]);
    expect(await activity(1)).toEqual([null, null, []]);
    expect(await count("opened:* and clicked:*")).toBe(1);
    expect(await count("not opened:3650d")).toBe(1);
    expect(await count("opened<2026-05-06")).toBe(0); // it was some seconds later
    expect(await count("clicked>2026-05-05 and clicked<=2026-05-06")).toBe(1);
  });

  it("excludes scanners, but not a person who follows one", async () => {
    const { log, activity } = await newReaders(1);
    await recordEvents(deps, [
      trackingEvent("open", log(), at(1)), // too soon for a person
      from(trackingEvent("click", log(), at(20)), BARRACUDA),
      tagged(from(trackingEvent("click", log(), at(25), URL_B), BARRACUDA), "vip"),
    ]);
    expect(await activity()).toEqual([null, null, []]);
    await recordEvents(deps, [tagged(trackingEvent("click", log(), at(600)), "vip")]);
    expect(await activity()).toEqual([at(600), at(600), ["vip"]]);
  });

  it("costs one row for each first event, and none for a repeated one", async () => {
    const { log } = await newReaders(4);
    const opens = [0, 1, 2, 3].map((n) => trackingEvent("open", log(n), at(60)));
    const clicks = [0, 1, 2, 3].map((n) => trackingEvent("click", log(n), at(70)));
    const rowsOf = async (events: TrackingEvent[]) => {
      const before = await allRows<{ n: number }>("select total_changes() as n");
      await recordEvents(deps, events);
      const after = await allRows<{ n: number }>("select total_changes() as n");
      return Number(after[0]?.n) - Number(before[0]?.n);
    };
    const first = await rowsOf([...opens, ...clicks]);
    const alone = await newReaders(0);
    const strangers = [0, 1, 2, 3].map(() => deps.newId());
    const entries = strangers.map((id) => logEntry(alone.projectId, { id, sentAt: SENT_AT }));
    await runBatch(deps.db, appendLog(deps, alone.projectId, entries));
    const others = [
      ...strangers.map((id) => trackingEvent("open", id, at(60))),
      ...strangers.map((id) => trackingEvent("click", id, at(70))),
    ];
    expect(first - (await rowsOf(others))).toBe(8);
    expect(await rowsOf([...opens, ...clicks])).toBe(await rowsOf(others));
  });
});

describe("a link with a tag", () => {
  it("adds the tag to the subscriber with the first click by a person, once", async () => {
    const { projectId, log, activity, readers, path } = await newReaders(2, 2);
    await recordEvents(deps, [
      tagged(trackingEvent("click", log(0, 0), at(60)), "vip"),
      tagged(trackingEvent("click", log(0, 1), at(61), URL_B), "b"),
      trackingEvent("click", log(1, 0), at(62)),
    ]);
    expect((await activity())[2]).toEqual(["b", "vip"]);
    expect((await activity(1))[2]).toEqual([]);
    const index = () =>
      allRows("select tag, subscriber_id from subscriber_tags where project_id = ?", projectId);
    const own = readers[0]?.id;
    expect(await index()).toEqual(["b", "vip"].map((tag) => ({ tag, subscriber_id: own })));
    const { updated_at } = (await owner.get(`${path}/subscribers/${own}`)).body;
    await recordEvents(deps, [tagged(trackingEvent("click", log(0, 0), at(99)), "vip")]);
    expect((await owner.get(`${path}/subscribers/${own}`)).body["updated_at"]).toBe(updated_at);
    await owner.request("PATCH", `${path}/subscribers/${own}`, {
      tags: Array.from({ length: 50 }, (_, n) => `t${n}`),
    });
    await recordEvents(deps, [tagged(trackingEvent("click", log(0, 0), at(120)), "more")]);
    expect((await activity())[2]).toHaveLength(50);
    expect(await index()).toHaveLength(50);
  });

  it("adds nothing again when its click is delivered twice and the tag was removed", async () => {
    const { log, activity, readers, path } = await newReaders(1);
    const click = tagged(trackingEvent("click", log(0, 0), at(60)), "vip");
    await recordEvents(deps, [click]);
    expect((await activity())[2]).toEqual(["vip"]);
    await owner.request("PATCH", `${path}/subscribers/${readers[0]?.id}`, { tags: [] });
    service.d1.reset();
    await recordEvents(deps, [click]);
    expect([service.d1.rowsWritten, (await activity())[2]]).toEqual([0, []]);
    await recordEvents(deps, [tagged(trackingEvent("click", log(0, 0), at(99)), "vip")]);
    expect((await activity())[2]).toEqual(["vip"]); // a new click of the person
  });

  it("is covered by the signature of the link, so it cannot be added or changed", async () => {
    const [id, projectId] = [deps.newId(), deps.newId()];
    const mail = { projectId, logId: id };
    const link = await clickLink(deps, mail, URL_A, "köln");
    const payload = link.split("/").at(-1) ?? "";
    expect(await openClickPayload(deps, id, payload)).toEqual({
      ok: true,
      url: URL_A,
      tag: "köln",
      projectId,
    });
    const [url = "", tag = "", mac = ""] = payload.split(".");
    const bare = (await clickLink(deps, mail, URL_A)).split("/").at(-1) ?? "";
    expect(await openClickPayload(deps, id, bare)).toEqual({ ok: true, url: URL_A, projectId });
    const [, bareMac = ""] = bare.split(".");
    for (const forged of [
      `${url}.${mac}`,
      `${url}.dmlw.${mac}`,
      `${url}.${tag}.${bareMac}`,
      `${url}.${tag}.${tag}.${mac}`,
      `${tag}.${url}.${mac}`,
      `${url}..${bareMac}`,
    ])
      expect(await openClickPayload(deps, id, forged)).toEqual({ ok: false });
    const answer = await service.fetch(new URL(link).pathname, { redirect: "manual" });
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, URL_A]);
  });

  it("is marked by data-tag, which recipients never see, before and after rendering", async () => {
    const track = (url: string, tag?: string) => `${url}#${tag}`;
    const links = [
      '<a data-tag=" V&amp;P " href="https://x.test/1">1</a>',
      '<a href="https://x.test/2" data-tag="a,b">2</a>',
      '<a href="https://x.test/3">3</a>',
      '<a href="https://x.test/4" data-no-track data-tag="kept">4</a>',
    ].join("");
    const hrefs = [
      "https://x.test/1#v&amp;p",
      "https://x.test/2#undefined",
      "https://x.test/3#undefined",
      "https://x.test/4",
    ];
    const hrefsOf = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    const rewritten = await rewriteLinks(links, track);
    expect(hrefsOf(rewritten)).toEqual(hrefs);
    expect(rewritten.match(/data-tag/g)).toHaveLength(1); // that of the link that nobody tracks
  });
});

describe("a mail of a broadcast", () => {
  const outcome = (email: string, status: "sent" | "failed") => ({
    main: { email, status, error: null },
    copies: [],
  });
  const mailsTo = (readers: { id: string }[], broadcastId: string | null, failed?: number) =>
    readers.map(({ id }, n) => ({
      mail: {
        logId: deps.newId(),
        subject: "Hi",
        tags: null,
        templateId: null,
        subscriberId: id,
        broadcastId,
      },
      outcome: outcome(`reader${n}@any.test`, n === failed ? "failed" : "sent"),
    }));
  const finish = async (on: Deps, projectId: string, mails: ReturnType<typeof mailsTo>) => {
    const statements = recordStatements(on, projectId, mails);
    await runBatch(on.db, statements);
    await runBatch(on.db, statements); // as after an answer that was lost
  };
  const mailings = (projectId: string) =>
    allRows("select * from subscriber_mailings where project_id = ?", projectId);

  it("that was accepted is a mailing, with one row for the entire batch; others are not", async () => {
    const { projectId, readers, count } = await newReaders(3);
    await finish(deps, projectId, mailsTo(readers, deps.newId(), 1));
    expect(await mailings(projectId)).toHaveLength(1);
    expect(await count("mailed:1h")).toBe(2);
    expect(await count("not mailed:90d")).toBe(1);
    const other = await newReaders(1);
    await finish(deps, other.projectId, mailsTo(other.readers, null));
    expect([await count("mailed:1h"), await other.count("mailed:1h")]).toEqual([2, 0]);
  });

  it("counts for as long as a condition says, and is deleted after 90 days", async () => {
    const { projectId, readers, count } = await newReaders(2);
    const ago = (days: number): Deps => ({ ...deps, now: () => deps.now() - days * 86_400_000 });
    await finish(ago(8), projectId, mailsTo(readers, deps.newId(), 1));
    await finish(ago(91), projectId, mailsTo(readers, deps.newId()));
    expect([await count("mailed:7d"), await count("mailed:9d")]).toEqual([0, 1]);
    await forgetMailings(deps);
    expect(await mailings(projectId)).toHaveLength(1);
  });
});
