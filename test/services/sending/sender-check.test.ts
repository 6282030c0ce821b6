/* The route that checks a project's sender in the DNS. */
import { describe, expect, it } from "vitest";
import { receiveMail } from "../../../src/services/bounces/index.ts";
import { returnPathOf } from "../../../src/services/tracking/index.ts";
import { allRows, insertRow } from "../../support/rows.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";

const zone = new Map<string, { type: number; data: string }[]>();
const questions: string[] = [];
const service = createService(
  { DOH_URL: "https://doh.test/dns-query" },
  {
    fetch: async (input) => {
      const url = new URL(input instanceof Request ? input.url : String(input));
      if (url.hostname !== "doh.test") throw new Error(`the service asked for ${url.href}`);
      const question = `${url.searchParams.get("type")} ${url.searchParams.get("name")}`;
      questions.push(question);
      const answer = zone.get(question);
      return Response.json(answer ? { Status: 0, Answer: answer } : { Status: 3 });
    },
  },
);
const owner = await service.newOwner();
zone.set("MX postrider.test", [{ type: 15, data: "10 mx.postrider.test." }]);
zone.set("TXT postrider.test", [
  { type: 5, data: "alias.postrider.test." },
  { type: 16, data: '"v=spf1 ip4:127.0.0.0/8" " -all"' },
]);
zone.set("TXT _dmarc.postrider.test", [{ type: 16, data: '"v=DMARC1; p=reject"' }]);

interface Report {
  verdict: string;
  questions: number;
  items: {
    check: string;
    verdict: string;
    found: string[];
    explanation: string;
    record: object | null;
  }[];
}

describe("GET /projects/{id}/sending/check", () => {
  it("answers with every check of the sender, in one round trip to D1", async () => {
    const { id } = await owner.newProject(CAPTURING);
    service.d1.reset();
    questions.length = 0;
    const { status, body } = await owner.get<Report>(`/projects/${id}/sending/check`);
    expect([status, service.d1.roundTrips]).toEqual([200, 1]);
    expect(body).toMatchObject({
      domain: "postrider.test",
      envelope_domain: "postrider.test",
      verdict: "unknown",
      questions: questions.length,
    });
    expect(body.items.map(({ check, verdict }) => `${check} ${verdict}`)).toEqual([
      "mx ok",
      "spf ok",
      "dmarc ok",
      "alignment ok",
      "dkim unknown",
    ]);
    expect(body.items[1]?.found).toEqual(["v=spf1 ip4:127.0.0.0/8 -all"]);
  });

  it("looks for the DKIM key of a selector, and its worst verdict is that of the sender", async () => {
    const { id } = await owner.newProject(CAPTURING);
    const path = `/projects/${id}/sending/check?dkim_selector=`;
    const { body } = await owner.get<Report>(`${path}Mail.S1`);
    expect(body.verdict).toBe("problem");
    expect(questions).toContain("TXT mail.s1._domainkey.postrider.test");
    for (const selector of ["a..b", "a%20b", "a%26type=A", "*", ".a", "x".repeat(64)])
      expect((await owner.get(path + selector)).status).toBe(400);
  });

  it("names the record to set where one is missing", async () => {
    const { id } = await owner.newProject({ ...CAPTURING, fromEmail: "a@bare.example" });
    const { body } = await owner.get<Report>(`/projects/${id}/sending/check`);
    expect(body.items.map(({ record }) => record).filter(Boolean)).toEqual([
      { name: "bare.example", type: "TXT", value: "v=spf1 ip4:127.0.0.1 ~all" },
      { name: "_dmarc.bare.example", type: "TXT", value: "v=DMARC1; p=none" },
    ]);
  });

  it("asks for SPF and MX of the return path, and for DMARC of the From address", async () => {
    const { id } = await owner.newProject(CAPTURING);
    const return_path = "bounces+{token}@bounce.postrider.test";
    await owner.put(`/projects/${id}/bounce-settings`, { return_path });
    zone.set("TXT bounce.postrider.test", [{ type: 16, data: '"v=spf1 -all"' }]);
    const { body } = await owner.get<Report>(`/projects/${id}/sending/check`);
    expect(body).toMatchObject({
      domain: "postrider.test",
      envelope_domain: "bounce.postrider.test",
      items: [
        { check: "mx", domain: "postrider.test", verdict: "ok" },
        { check: "mx", domain: "bounce.postrider.test", verdict: "problem" },
        { check: "spf", domain: "bounce.postrider.test", verdict: "problem" },
        { check: "dmarc", domain: "postrider.test", verdict: "ok" },
        { check: "alignment", domain: "bounce.postrider.test", verdict: "ok" },
        { check: "dkim", domain: "postrider.test" },
      ],
    });
  });

  it("compares SPF with the fallback server, too", async () => {
    const { id } = await owner.newProject(CAPTURING);
    const fallback = { smtp_host: "127.1.1.1", smtp_port: 587, smtp_user: "u", smtp_password: "p" };
    const saved = await owner.put(`/projects/${id}/smtp`, {
      smtp_host: "127.0.0.1",
      smtp_port: CAPTURING.smtpPort,
      smtp_user: "user",
      from_email: "a@narrow.example",
      fallback,
    });
    expect(saved).toMatchObject({ status: 200 });
    zone.set("TXT narrow.example", [{ type: 16, data: '"v=spf1 ip4:127.0.0.1 -all"' }]);
    const { body } = await owner.get<Report>(`/projects/${id}/sending/check`);
    const spf = body.items.filter(({ check }) => check === "spf");
    expect(spf.map(({ verdict, record }) => [verdict, record])).toEqual([
      ["ok", null],
      [
        "unknown",
        {
          name: "narrow.example",
          type: "TXT",
          value: "v=spf1 ip4:127.1.1.1 ip4:127.0.0.1 -all",
        },
      ],
    ]);
  });

  it("is 400 without SMTP settings, and asks nothing", async () => {
    const { id } = await owner.newProject();
    questions.length = 0;
    expect(await owner.get(`/projects/${id}/sending/check`)).toMatchObject({
      status: 400,
      body: { code: "smtp_not_configured" },
    });
    expect(questions).toEqual([]);
  });

  it("passes ten times a minute for each project", async () => {
    const { id } = await owner.newProject();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => owner.get(`/projects/${id}/sending/check`)),
    );
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
  });
});

describe("the signature of a mail that came back to its return path", async () => {
  const deps = await service.deps();
  /** Makes a project and logs a mail of it to an address of its return path, or to another. */
  async function newProject(address?: string, isLogged = true) {
    const { id } = await owner.newProject(CAPTURING);
    const domain = `${unique("bounce")}.postrider.test`;
    const pattern = `bounces+{token}@${domain}`;
    await owner.put(`/projects/${id}/bounce-settings`, { return_path: pattern });
    const tester = `bounces@${domain}`;
    const logId = deps.newId();
    const log = () =>
      insertRow("logged_mails", {
        id: logId,
        to_email: address ?? tester,
        project_id: id,
        subject: "s",
        status: "sent",
        sent_at: deps.now(),
      });
    if (isLogged) await log();
    const from = await returnPathOf(deps, pattern, { logId, hasCopies: false });
    const receive = (mail: string, sender = "someone@any.test") => {
      const raw = new TextEncoder().encode(mail);
      service.d1.reset();
      return receiveMail(deps, { from: sender, to: tester, raw, size: raw.length });
    };
    const check = async () => {
      const { body } = await owner.get<Report>(`/projects/${id}/sending/check`);
      return body.items.find((item) => item.check === "dkim");
    };
    const rows = () => allRows("select signatures from sender_signatures where project_id = ?", id);
    return { id, logId, log, from, receive, check, rows };
  }
  const signed = "DKIM-Signature: v=1; a=rsa-sha256; d=postrider.test; s=s1; h=from; bh=x; b=y\r\n";

  it("is kept in one read and one write, and judged by the check", async () => {
    const project = await newProject();
    const mail = `${signed}Message-ID: <${project.logId}@postrider.test>\r\n\r\nHi`;
    zone.set("TXT s1._domainkey.postrider.test", [{ type: 16, data: '"p="' }]);
    expect(await project.receive(mail)).toEqual({ kind: "inspected", projectId: project.id });
    expect(service.d1.roundTrips).toBe(2);
    expect(await project.check()).toMatchObject({
      verdict: "problem",
      found: ["d=postrider.test s=s1: no_key", "p="],
      code: "mail_signed",
      params: { key: { code: "dkim_key_revoked" } },
    });
    const second = mail.replace(signed, "");
    await project.receive(second);
    expect(await project.check()).toMatchObject({
      verdict: "problem",
      found: [],
      code: "mail_unsigned",
    });
    expect(await project.rows()).toHaveLength(1);
  });

  it("is found by the token of the envelope sender where a server writes its own Message-ID", async () => {
    const project = await newProject();
    const reception = await project.receive(
      `${signed}Message-ID: <1@mx.example>\r\n\r\nHi`,
      project.from,
    );
    expect(reception).toMatchObject({ kind: "inspected" });
    expect(await project.check()).toMatchObject({ params: { selector: "s1" } });
  });

  it("comes again if its mail is not in the log yet", async () => {
    const project = await newProject(undefined, false);
    const mail = `${signed}\r\nHi`;
    await expect(project.receive(mail, project.from)).rejects.toThrow("not in the log yet");
    await project.log();
    expect(await project.receive(mail, project.from)).toMatchObject({ kind: "inspected" });
  });

  it("is not taken from a mail that names one which went to somebody else", async () => {
    const project = await newProject("ann@any.test");
    const mail = `${signed}Message-ID: <${project.logId}@postrider.test>\r\n\r\nHi`;
    expect(await project.receive(mail, project.from)).toMatchObject({ kind: "refuse" });
    expect(service.d1.roundTrips).toBe(1);
    expect(await project.rows()).toEqual([]);
    expect(await project.check()).toMatchObject({ verdict: "unknown" });
  });
});
