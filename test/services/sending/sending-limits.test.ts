import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { ProjectSender } from "../../../src/index.ts";
import { DEFAULT_LIMITS } from "../../../src/lib/rates/sending-limits.ts";
import { presetFor } from "../../../src/services/sending/presets.ts";
import { allRows } from "../../support/rows.ts";
import { createService } from "../../support/service.ts";
import { eventually } from "../../support/times.ts";

const service = createService();
const owner = await service.newOwner();

const NOTHING_SET = {
  max_connections: 5,
  max_per_second: null,
  max_per_hour: null,
  max_per_day: null,
  max_per_domain_per_minute: null,
};
const NO_USE = {
  used: { connections: 0, last_hour: 0, last_day: 0 },
  learned: { connections: null, per_minute: null },
};

const objectOf = (id: string) => env.PROJECT_SENDER.get(env.PROJECT_SENDER.idFromName(id));

/** Runs some work with the limits of a project as its object counts them. */
const inGate = <T>(id: string, work: (gate: ProjectSender["gate"]) => T) =>
  runInDurableObject(objectOf(id), (object: ProjectSender) => work(object.gate));

describe("GET /projects/{id}/sending", () => {
  it("answers the defaults, no use and no preset for a new project", async () => {
    const { id } = await owner.newProject();
    const answer = await owner.get(`/projects/${id}/sending`);
    expect(answer).toMatchObject({ status: 200, body: { ...NOTHING_SET, ...NO_USE } });
    expect(answer.body["preset"]).toBeNull();
  });

  it("answers the use and what the server taught, which outlive an eviction", async () => {
    const { id } = await owner.newProject();
    const why = "421 4.7.0 too many connections";
    await inGate(id, (gate) => {
      for (let nth = 0; nth < 7; nth++) gate.takeBulk("any.test", undefined);
      gate.learn({ about: "connections", why, open: 3 });
    });
    await eventually(() =>
      runInDurableObject(objectOf(id), (_, { storage }) =>
        expect(storage.sql.exec("select 1 from sent_mails").toArray()).not.toEqual([]),
      ),
    );
    await evictDurableObject(objectOf(id));
    const { body } = await owner.get(`/projects/${id}/sending`);
    expect(body).toMatchObject({
      used: { connections: 0, last_hour: 7, last_day: 7 },
      learned: {
        connections: { limit: 3, at: expect.stringMatching(/Z$/), why },
        per_minute: null,
      },
    });
  });

  it("suggests the limits that the provider publishes, and applies none of them", async () => {
    const { id } = await owner.newProject();
    const saved = await owner.put(`/projects/${id}/smtp`, {
      smtp_host: "smtp.office365.com",
      smtp_port: 587,
      smtp_user: "ann@shop.test",
      smtp_password: "pass",
    });
    expect(saved.status).toBe(200);
    const { body } = await owner.get(`/projects/${id}/sending`);
    expect(body).toMatchObject({
      ...NOTHING_SET,
      preset: {
        name: "Microsoft 365",
        limits: { ...NOTHING_SET, max_connections: 3, max_per_second: 0.5, max_per_day: 10_000 },
        source: expect.stringMatching(/^https:\/\/learn\.microsoft\.com\//),
      },
    });
  });

  it("is 503 when the object of the project does not answer", async () => {
    const limiter = {
      idFromName: () => ({}),
      get: () => ({ limitSending: () => Promise.reject(new Error("no object")) }),
    } as unknown as typeof env.PROJECT_SENDER;
    const broken = createService({ PROJECT_SENDER: limiter });
    const { id } = await owner.newProject();
    const path = `/api/v1/projects/${id}/sending`;
    const answer = await broken.fetch(path, { headers: { Cookie: owner.cookie } });
    expect(answer.status).toBe(503);
  });
});

describe("PUT /projects/{id}/sending", () => {
  it("replaces all limits; a field that is left out or null is no limit", async () => {
    const { id } = await owner.newProject();
    const path = `/projects/${id}/sending`;
    const limits = {
      max_connections: 4,
      max_per_second: 0.5,
      max_per_hour: 1_000,
      max_per_day: 5_000,
      max_per_domain_per_minute: 30,
    };
    expect(await owner.put(path, limits)).toMatchObject({ status: 200, body: limits });
    expect((await owner.get(path)).body).toMatchObject(limits);
    const rest = { max_connections: null, max_per_day: 7, max_per_second: null };
    const replaced = { ...NOTHING_SET, max_per_day: 7 };
    expect((await owner.put(path, rest)).body).toMatchObject(replaced);
    expect((await owner.get(path)).body).toMatchObject(replaced);
  });

  it.each([
    ["max_connections", 0],
    ["max_connections", 6],
    ["max_connections", 1.5],
    ["max_per_second", 0.05],
    ["max_per_second", 1.5],
    ["max_per_second", 1_001],
    ["max_per_hour", 0],
    ["max_per_day", -1],
    ["max_per_day", "100"],
    ["max_per_domain_per_minute", 100_001],
  ])("refuses %s %s with 400 and keeps what was set", async (field, value) => {
    const { id } = await owner.newProject();
    const path = `/projects/${id}/sending`;
    await owner.put(path, { max_per_hour: 99 });
    const answer = await owner.put(path, { [field]: value });
    expect(answer.status).toBe(400);
    expect(answer.body["error"]).toMatch(new RegExp(`^${field}: `));
    expect((await owner.get(path)).body).toMatchObject({ ...NOTHING_SET, max_per_hour: 99 });
  });

  it("records the limits that are set in the audit trail", async () => {
    const { id } = await owner.newProject();
    await owner.put(`/projects/${id}/sending`, { max_per_day: 500 });
    const entries = await allRows(
      "select action, metadata from audit_entries where scope_id = ? and action = 'sending.update'",
      id,
    );
    const metadata = JSON.stringify({ maxConnections: 5, maxPerDay: 500 });
    expect(entries).toEqual([{ action: "sending.update", metadata }]);
  });

  it("holds at once", async () => {
    const { id } = await owner.newProject();
    const path = `/projects/${id}/sending`;
    await owner.put(path, { max_connections: 3, max_per_hour: 1 });
    expect(await inGate(id, (gate) => gate.connectionsMax())).toBe(3);
    const taken = (gate: ProjectSender["gate"]) =>
      [1, 2].map(() => gate.takeBulk("any.test", undefined) === undefined);
    expect(await inGate(id, taken)).toEqual([true, false]);
    await owner.put(path, {});
    expect(await inGate(id, taken)).toEqual([true, true]);
  });
});

describe("a preset", () => {
  it.each([
    ["smtp.gmail.com", "ann@gmail.com", "Gmail", { maxPerDay: 500 }],
    ["SMTP.gmail.com.", "ann@shop.test", "Google Workspace", { maxPerDay: 2_000 }],
    [
      "email-smtp.eu-central-1.amazonaws.com",
      "AKIA",
      "Amazon SES in eu-central-1, sandbox",
      { maxPerSecond: 1, maxPerDay: 200 },
    ],
    ["smtp.zoho.eu", "ann@shop.test", "Zoho Mail", { maxPerHour: 50 }],
    ["smtp-relay.brevo.com", "x", "Brevo", { maxPerDay: 300 }],
    ["smtp.postmarkapp.com", "x", "Postmark", {}],
  ])("of %s for %s is %s", (host, user, name, limits) => {
    expect(presetFor(host, user)).toMatchObject({ name, limits: { ...DEFAULT_LIMITS, ...limits } });
  });

  it.each(["smtp.gmail.com.evil.test", "xsmtp.gmail.com", "mail.shop.test", "", null])(
    "is none for %s",
    (host) => {
      expect(presetFor(host, "ann@gmail.com")).toBeUndefined();
    },
  );
});
