/* The mails of a broadcast to a topic: their List-Id, their links, and who leaves by them. */
import PostalMime, { decodeWords } from "postal-mime";
import { describe, expect, it } from "vitest";
import { scenario } from "../../support/broadcasting.ts";
import { AFTER_UNDO_MS, draftWorld } from "../../support/drafting.ts";
import { receivedMessages } from "../../support/mailbox.ts";
import { allRows } from "../../support/rows.ts";

/** Starts a broadcast to three readers of the topic, two of whom are also subscribed to another. */
async function topicBroadcast(name: string) {
  const ids = { topic: "", other: "" };
  const run = await scenario(3, async ({ id, path }, owner) => {
    const made = async (topic: string) =>
      String((await owner.post(`${path}/topics`, { name: topic })).body["id"]);
    ids.topic = await made(name);
    ids.other = await made("Other");
    const insert = `insert into topic_consents (topic_id, subscriber_id, state, since, by)
      select ?, id, 'subscribed', 1, 'api' from subscribers where project_id = ? order by id limit ?`;
    await allRows(insert, ids.topic, id, 3);
    await allRows(insert, ids.other, id, 2);
  });
  await allRows("update broadcasts set topic_id = ? where id = ?", ids.topic, run.id);
  return { ...run, ...ids };
}

describe("a broadcast to a topic", () => {
  it("names the topic in List-Id, and links to the preferences of each reader", async () => {
    const name = 'Grüße & "News"';
    const { finish, news, service, owner, id, topic, other } = await topicBroadcast(name);
    await finish();
    const mails = await receivedMessages({ from: news.from });
    const links = new Set<string>();
    for (const { raw } of mails) {
      const { headers, html = "", text = "" } = await PostalMime.parse(raw);
      const header = (key: string) => headers.find((one) => one.key === key)?.value ?? "";
      expect(decodeWords(header("list-id"))).toBe(`${name} <${topic}.postrider.test>`);
      const [, link = ""] =
        /^<(http.*\/preferences\/[\w-]+\.[\w-]+)>$/.exec(header("list-unsubscribe")) ?? [];
      expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
      expect(html).toContain(`href="${link}"`);
      expect(text).toContain(link);
      expect(html).not.toContain("/unsubscribe/");
      links.add(link);
    }
    expect(links.size).toBe(3);
    const [first = ""] = links;
    for (let n = 0; n < 2; n++)
      await service.fetch(first, { method: "POST", body: "List-Unsubscribe=One-Click" });
    const left =
      "select count(*) as n from topic_consents where topic_id = ? and state = 'unsubscribed'";
    expect([...(await allRows(left, topic)), ...(await allRows(left, other))]).toEqual([
      { n: 1 },
      { n: 0 },
    ]);
    const active =
      "select count(*) as n from subscribers where project_id = ? and status = 'active'";
    expect(await allRows(active, news.id)).toEqual([{ n: 3 }]);
    const ledger = await owner.get(`${news.path}/broadcasts/${id}/ledger`);
    expect(ledger.body).toMatchObject({ sent: 3, unsubscribed: 1 });
  });

  it("is all that its reader unsubscribes from: transactional mail still arrives, even after unsubscribing from everything", async () => {
    const { finish, news, service, owner } = await topicBroadcast("News");
    await finish();
    const [mail] = await receivedMessages({ from: news.from });
    const to = mail?.to[0] ?? "";
    const { headers } = await PostalMime.parse(mail?.raw ?? "");
    const link = headers.find(({ key }) => key === "list-unsubscribe")?.value.slice(1, -1) ?? "";
    const receipts = async () => {
      const body = { to, subject: "Receipt", html_body: "<p>Paid</p>" };
      expect((await owner.post(`${news.path}/send`, body)).body).toMatchObject({ message: "sent" });
      const mails = await receivedMessages({ from: news.from, to });
      return mails.filter(({ text }) => text.includes("Subject: Receipt")).length;
    };
    const leave = (body: string) =>
      service.fetch(link, {
        method: "POST",
        body,
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
      });
    expect((await leave("List-Unsubscribe=One-Click")).status).toBe(200);
    expect(await receipts()).toBe(1);
    expect((await leave("do=leave")).status).toBe(200);
    const left = "select status from subscribers where project_id = ? and email = ?";
    expect(await allRows(left, news.id, to)).toEqual([{ status: "unsubscribed" }]);
    expect(await receipts()).toBe(2);
  });

  it("keeps its topic from being deleted until it has ended, so no opt-out is lost", async () => {
    const { finish, news, owner, id, topic } = await topicBroadcast("Kept");
    const remove = () => owner.delete(`${news.path}/topics/${topic}`);
    const [before] = await allRows("select subject, state from broadcasts where id = ?", id);
    expect(before).toMatchObject({ state: "sending" });
    const names = JSON.stringify(before?.["subject"]);
    const refused = { status: 409, body: { code: "topic_in_use", params: { names } } };
    expect(await remove()).toMatchObject(refused);
    await owner.post(`${news.path}/broadcasts/${id}/pause`);
    expect(await remove()).toMatchObject(refused);
    await allRows("update broadcasts set state = 'queued' where id = ?", id);
    expect(await remove()).toMatchObject(refused);
    await finish();
    expect((await remove()).status).toBe(204);
  });

  it("pauses and says why once its topic no longer exists", async () => {
    const { finish, news, id, topic } = await topicBroadcast("Gone");
    await allRows("delete from topics where id = ?", topic);
    await finish("paused");
    expect(await news.progress(id)).toMatchObject({
      state: "paused",
      sent: 0,
      error: "topic not found",
    });
    expect(await receivedMessages({ from: news.from })).toEqual([]);
  });
});

describe("a draft without a topic", () => {
  it("links to the preferences, whose one-click unsubscribe covers everything", async () => {
    const { owner, news, service, start, pass, id } = await draftWorld(1);
    await owner.post(`${news.path}/topics`, { name: "News" });
    await start();
    await pass(AFTER_UNDO_MS);
    const [mail] = await receivedMessages({ from: news.from });
    const { headers } = await PostalMime.parse(mail?.raw ?? "");
    const header = (key: string) => headers.find((one) => one.key === key)?.value;
    const [, link = ""] =
      /^<(http.*\/preferences\/[\w.-]+)>$/.exec(header("list-unsubscribe") ?? "") ?? [];
    expect(header("list-id")).toBeUndefined();
    const page = await (await service.fetch(link)).text();
    expect(page).toContain("News");
    const click = { method: "POST", body: "List-Unsubscribe=One-Click" };
    expect((await service.fetch(link, click)).status).toBe(200);
    const status = "select status, left_by from subscribers where project_id = ?";
    expect(await allRows(status, news.id)).toEqual([{ status: "unsubscribed", left_by: id }]);
    const ledger = await owner.get(`${news.path}/broadcasts/${id}/ledger`);
    expect(ledger.body).toMatchObject({ sent: 1, unsubscribed: 1 });
  });
});
