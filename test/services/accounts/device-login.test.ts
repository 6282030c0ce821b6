/* Logins of programs that a person confirms in the browser (API reference §2.4, RFC 8628). */
import { describe, expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { sha256Hex } from "../../../src/lib/hash.ts";
import { allRows } from "../../support/rows.ts";
import { createService } from "../../support/service.ts";
import { standingClock } from "../../support/times.ts";
import { newPerson, refusalOf } from "../../support/workspaces.ts";

const MINUTE = 60_000;
const clock = standingClock(Date.UTC(2026, 9, 1));
const service = createService({}, { now: () => clock.now });
const { anonymous } = service;

interface Begun {
  device_code: string;
  user_code: string;
}

/** Begins a login from an address of its own, because each may begin ten a minute. */
let addresses = 0;
const from = () => ({ "CF-Connecting-IP": `198.51.100.${++addresses}` });
const begin = async () =>
  (
    await anonymous.post<Begun & Record<string, unknown>>(
      "/auth/device",
      { name: "CLI on x" },
      from(),
    )
  ).body;
/** Polls as late as a program should. */
const poll = (device_code: string) => {
  clock.now += 5_000;
  return anonymous.post("/auth/device/token", { device_code });
};
const stateOf = async (code: string) => refusalOf(await poll(code));

describe("a device login", () => {
  it("gives its program an access token of 90 days for the chosen project, once, when its person confirms", async () => {
    const owner = await newPerson(service);
    const [one, other] = [await owner.newProject(), await owner.newProject()];
    const begun = await begin();
    expect(begun).toEqual({
      device_code: expect.stringMatching(/^[0-9A-Za-z]{43}$/),
      user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      verification_uri: expect.stringMatching(/\/device$/),
      verification_uri_complete: `${String(begun["verification_uri"])}#code=${begun.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    expect(await stateOf(begun.device_code)).toEqual([400, "authorization_pending"]);
    const typed = begun.user_code.toLowerCase().replace("-", " ");
    expect((await owner.post("/auth/device/look-up", { user_code: typed })).body).toEqual({
      name: "CLI on x",
      ip_address: `198.51.100.${addresses}`,
      expires_at: expect.any(String),
    });
    const answer = { user_code: typed, approve: true, project_ids: [one.id] };
    expect((await owner.post("/auth/device/answer", answer)).status).toBe(204);
    const approvedAt = clock.now;
    const { status, body } = await poll(begun.device_code);
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^pat_[0-9A-Za-z]{43}$/),
        token_type: "Bearer",
        expires_in: 90 * 86_400,
      },
    ]);
    const token = service.withKey(String(body["access_token"]));
    expect((await token.get(`/projects/${one.id}/logs`)).status).toBe(200);
    expect((await token.get(`/projects/${other.id}/logs`)).status).toBe(403);
    const { body: listed } = await owner.get<{ tokens: object[] }>("/auth/tokens");
    expect(listed.tokens).toMatchObject([
      {
        name: "CLI on x",
        project_ids: [one.id],
        expires_at: new Date(approvedAt + 90 * 86_400_000).toISOString(),
      },
    ]);
    expect(await stateOf(begun.device_code)).toEqual([400, "expired_token"]);
    const again = await owner.post("/auth/device/answer", answer);
    expect([again.status, again.body["code"]]).toEqual([400, "user_code_over"]);
    const { body: audit } = await owner.get<{ entries: object[] }>("/auth/audit-log");
    expect(audit.entries[0]).toMatchObject({
      action: "user.token_created",
      metadata: { name: "CLI on x", project_ids: [one.id] },
    });
  });

  it("is stored as hashes, and so is its token", async () => {
    const owner = await newPerson(service);
    const { device_code, user_code } = await begin();
    await owner.post("/auth/device/answer", { user_code, approve: true });
    const stored = JSON.stringify(await allRows("select * from device_logins"));
    expect(stored).toContain(sha256Hex(device_code));
    expect(stored).not.toContain(device_code);
    expect(stored).not.toContain(user_code.replace("-", ""));
    const { body } = await poll(device_code);
    const hash = sha256Hex(String(body["access_token"]));
    const rows = await allRows("select name from sessions where token_hash = ?", hash);
    expect(rows).toEqual([{ name: "CLI on x" }]);
  });

  it("is told to slow down, that it was declined, and that it is over", async () => {
    const owner = await newPerson(service);
    const { device_code, user_code } = await begin();
    await poll(device_code);
    clock.now += 4_999;
    const early = await anonymous.post("/auth/device/token", { device_code });
    expect(refusalOf(early)).toEqual([400, "slow_down"]);
    await owner.post("/auth/device/answer", { user_code, approve: false });
    expect(await stateOf(device_code)).toEqual([400, "access_denied"]);
    expect(await stateOf(device_code)).toEqual([400, "expired_token"]);

    const late = await begin();
    clock.now += 10 * MINUTE;
    expect(await stateOf(late.device_code)).toEqual([400, "expired_token"]);
    for (const path of ["look-up", "answer"]) {
      const body = { user_code: late.user_code, approve: true };
      expect((await owner.post(`/auth/device/${path}`, body)).body["code"]).toBe("user_code_over");
    }
    await runScheduled(await service.deps(), "17 3 * * *");
    expect(await allRows("select * from device_logins")).toEqual([]);
  });

  it("is not confirmed by a stranger's project, by an access token, or by another site", async () => {
    const [owner, other] = [await newPerson(service), await newPerson(service)];
    const theirs = await other.newProject();
    const { device_code, user_code } = await begin();
    const answer = { user_code, approve: true };
    const strange = await owner.post("/auth/device/answer", {
      ...answer,
      project_ids: [theirs.id],
    });
    expect(strange.status).toBe(404);
    const made = await owner.post("/auth/tokens", { name: "CI" });
    const token = service.withKey(String(made.body["token"]));
    expect((await token.post("/auth/device/answer", answer)).status).toBe(401);
    const foreign = { Origin: "https://elsewhere.test", "Sec-Fetch-Site": "cross-site" };
    expect((await owner.post("/auth/device/answer", answer, foreign)).status).toBe(403);
    expect(await stateOf(device_code)).toEqual([400, "authorization_pending"]);
  });

  it("begins and is looked up at most ten times a minute from one address", async () => {
    const owner = await newPerson(service);
    clock.now += 2 * MINUTE;
    const headers = from();
    const statuses = async (ask: () => Promise<{ status: number }>) => {
      const seen = [];
      for (let n = 0; n < 11; n++) seen.push((await ask()).status);
      return seen;
    };
    expect(await statuses(() => anonymous.post("/auth/device", { name: "x" }, headers))).toEqual([
      ...Array.from({ length: 10 }, () => 200),
      429,
    ]);
    const guess = { user_code: "BCDF-GHJK" };
    const elsewhere = from();
    expect(await statuses(() => owner.post("/auth/device/look-up", guess, elsewhere))).toEqual([
      ...Array.from({ length: 10 }, () => 400),
      429,
    ]);
  });
});

describe("POST /auth/logout", () => {
  it("ends the access token of the request, and the audit log has it", async () => {
    const owner = await newPerson(service);
    const made = await owner.post("/auth/tokens", { name: "CI" });
    const token = service.withKey(String(made.body["token"]));
    clock.now += 1; // the audit log is ordered by time
    expect((await token.post("/auth/logout")).status).toBe(204);
    expect((await token.get("/auth/me")).status).toBe(401);
    expect((await owner.get("/auth/me")).status).toBe(200);
    const { body } = await owner.get<{ entries: object[] }>("/auth/audit-log");
    expect(body.entries[0]).toMatchObject({
      action: "user.token_ended",
      target_id: made.body["id"],
      metadata: { name: "CI" },
    });
  });
});
