/* What a report of returned mails changes: the list, the log and the events, by rows of the tests. */
import { beforeEach, describe, expect, it } from "vitest";
import { parseEmailAddress } from "../../../src/mail/address.ts";
import { suppressionOf, type Finding } from "../../../src/services/bounces/record-bounces.ts";
import { recordFindings } from "../../support/record-findings.ts";
import { newWebhook, WEBHOOK_QUEUE } from "../../support/events.ts";
import { allRows, insertRow } from "../../support/rows.ts";
import { createService, unique } from "../../support/service.ts";
import { storeBroadcast } from "../../support/stored-broadcasts.ts";

const service = createService({ WEBHOOK_QUEUE });
const deps = await service.deps();
const emailOf = (text: string) => {
  const parsed = parseEmailAddress(text);
  if (!parsed.ok) throw new Error(text);
  return parsed.address;
};
const newAddress = () => emailOf(`${unique("returned")}@any.test`);

let project = "";
let hook: Awaited<ReturnType<typeof newWebhook>>;
beforeEach(async () => {
  project = crypto.randomUUID();
  await insertRow("projects", {
    id: project,
    workspace_id: "w",
    created_by: "u",
    name: "n",
    description: "",
    created_at: 1,
    updated_at: 1,
  });
  hook = await newWebhook(project);
});

/** A mail in the log; returns its id. */
async function newMail(to: string, project_id = project, broadcast_id: string | null = null) {
  const id = crypto.randomUUID();
  await insertRow("logged_mails", {
    id,
    project_id,
    broadcast_id,
    to_email: to,
    subject: "s",
    status: "sent",
    sent_at: 1,
  });
  return id;
}
const mailOf = async (id: string) =>
  (await allRows("select status, error, reason from logged_mails where id = ?", id))[0];
const bounce = (email: string, logId: string | undefined, words = "550 no"): Finding => ({
  kind: "bounce",
  email: emailOf(email),
  words,
  reason: "no_mx",
  logId,
});
const record = (...findings: Finding[]) => recordFindings(deps, project, findings);
const listOf = (project_id: string) =>
  allRows("select email, reason, source from suppressions where project_id = ?", project_id);

describe("the suppression by a report", () => {
  it("names the source and the server's reply for a bounce, and the complaint", () => {
    const email = newAddress();
    const [bounced, silent] = [bounce(email, "log"), bounce(email, undefined, "")];
    const list = [bounced, silent, { ...bounced, kind: "complaint" } as const];
    expect(list.map((finding) => suppressionOf("ingest", finding))).toEqual([
      { email, reason: "hard_bounce", source: "ingest: 550 no" },
      { email, reason: "hard_bounce", source: "ingest" },
      { email, reason: "manual", source: "complaint" },
    ]);
  });
});

describe("a recorded report", () => {
  it("suppresses the address, marks its mail and emits one event, once", async () => {
    const [email, other] = [newAddress(), newAddress()];
    const [mail, spared] = [await newMail(email), await newMail(other)];
    expect(await record(bounce(email, mail))).toBe(1);
    expect(await listOf(project)).toEqual([
      { email, reason: "hard_bounce", source: "ingest: 550 no" },
    ]);
    expect(await mailOf(mail)).toEqual({ status: "bounced", error: "550 no", reason: "no_mx" });
    expect(await mailOf(spared)).toEqual({ status: "sent", error: null, reason: null });
    expect(await record(bounce(email, mail, "551 gone"))).toBe(0);
    expect(await mailOf(mail)).toEqual({ status: "bounced", error: "550 no", reason: "no_mx" });
    expect(await hook.payloads()).toMatchObject([
      { type: "email.bounced", data: { to: email, error: "550 no", reason: "no_mx" } },
    ]);
  });

  it("of several addresses counts those that were new on the list", async () => {
    const addresses = [newAddress(), newAddress(), newAddress()];
    await record(bounce(addresses[0] ?? "", undefined));
    expect(await record(...addresses.map((email) => bounce(email, undefined)))).toBe(2);
    expect(await record()).toBe(0);
    expect(await hook.types()).toHaveLength(3);
  });

  it("that names an address twice emits an event for each of its mails, and one without any", async () => {
    const [twice, once, bare] = [newAddress(), newAddress(), newAddress()];
    const mails = [await newMail(twice), await newMail(twice), await newMail(once)];
    expect(
      await record(
        bounce(twice, mails[0]),
        bounce(twice, mails[1]),
        bounce(twice, mails[1]),
        bounce(once, mails[2]),
        bounce(once, undefined),
        bounce(bare, undefined),
        bounce(bare, crypto.randomUUID()),
      ),
    ).toBe(3);
    expect(await hook.types()).toHaveLength(4);
    for (const mail of mails) expect(await mailOf(mail)).toMatchObject({ status: "bounced" });
  });

  it("emits for a mail that counts as sent although the address is on the list", async () => {
    const email = newAddress();
    await record(bounce(email, undefined));
    const late = await newMail(email);
    expect(await record(bounce(email, late))).toBe(0);
    expect(await mailOf(late)).toMatchObject({ status: "bounced" });
    expect(await hook.types()).toHaveLength(2);
  });

  it("of a complaint emits email.complained once, and hides no bounce of the same address", async () => {
    const [complained, both] = [newAddress(), newAddress()];
    const complaint = (email: string): Finding => ({
      kind: "complaint",
      email: emailOf(email),
      words: "",
      reason: "unknown",
      logId: undefined,
    });
    const mail = await newMail(both);
    const twice = [complaint(complained), complaint(complained)];
    expect(await record(...twice, complaint(both), bounce(both, mail))).toBe(2);
    await record(...twice);
    const none = { log_id: null, subject: null, broadcast_id: null };
    const [bounced, ...complaints] = await hook.payloads();
    expect(bounced).toMatchObject({ type: "email.bounced", data: { log_id: mail, to: both } });
    expect(complaints.map(({ type }) => type)).toEqual(["email.complained", "email.complained"]);
    expect(complaints.map(({ data }) => data)).toEqual(
      expect.arrayContaining(
        [complained, both].map((to) => expect.objectContaining({ to, ...none })),
      ),
    );
  });

  it("changes no list and no mail of another project", async () => {
    const email = newAddress();
    const foreign = await newMail(email, "other project");
    await record(bounce(email, undefined));
    await record(bounce(email, foreign));
    expect(await mailOf(foreign)).toEqual({ status: "sent", error: null, reason: null });
    expect(await listOf("other project")).toEqual([]);
    expect(await hook.types()).toHaveLength(1);
  });

  it("counts in broadcasts of its own project, and in none that an imported mail names", async () => {
    const countsOf = (id: string) =>
      allRows("select sent, bounced, complaints from broadcasts where id = ?", id);
    for (const [place, counts] of [
      [project, { sent: 8, bounced: 1, complaints: 1 }],
      ["other project", { sent: 9, bounced: 0, complaints: 0 }],
    ] as const) {
      const planned = { cutoff_id: "", planned_id: "" };
      const { id } = await storeBroadcast(service, { project_id: place, sent: 9, ...planned });
      const [gone, angry] = [newAddress(), newAddress()];
      const spam: Finding = {
        kind: "complaint",
        email: angry,
        words: "",
        reason: "unknown",
        logId: await newMail(angry, project, id),
      };
      await record(bounce(gone, await newMail(gone, project, id)), spam);
      expect(await countsOf(id)).toEqual([counts]);
    }
  });
});

describe("POST /projects/{id}/bounces/explain", () => {
  const explain = async (body: object) => {
    const owner = await service.newOwner();
    const { id } = await owner.newProject();
    return owner.post(`/projects/${id}/bounces/explain`, body);
  };

  it("explains how a message is parsed and which wording decided", async () => {
    const message = `From: MAILER-DAEMON@mx.example
Subject: Undelivered
Message-ID: <1@mx.example>

lena@mx.example: 554 5.7.1 Service unavailable; Client host blocked using zen.spamhaus.org
paul@mx.example: 550 5.1.1
`;
    expect(await explain({ message })).toMatchObject({
      status: 200,
      body: {
        kind: "bounce",
        recipients: [
          {
            email: "lena@mx.example",
            verdict: "not_address",
            reason: "blocked",
            because: { wording: expect.any(String), source: expect.any(String) },
          },
          {
            email: "paul@mx.example",
            verdict: "bad_address",
            reason: "user_unknown",
            because: null,
            diagnostic: "paul@mx.example: 550 5.1.1",
          },
        ],
        message_ids: [],
      },
    });
  });

  it("explains a reply to an SMTP command, and rejects a body with neither", async () => {
    expect((await explain({ phase: "RCPT", reply: "550 5.1.8 Sender rejected" })).body).toEqual({
      verdict: "not_address",
      reason: "sender_rejected",
      because: null,
    });
    expect((await explain({ reply: "552 Quota exceeded" })).body).toEqual({
      verdict: "not_address",
      reason: "mailbox_full",
      because: { wording: "quota", source: "many servers" },
    });
    for (const body of [{}, { message: "" }, { reply: 550 }, { message: "x", reply: "550" }])
      expect(await explain(body)).toMatchObject({ status: 400 });
  });
});
