/* The ETag of a project's settings, and If-Match (API reference §9.7). */
import { describe, expect, it } from "vitest";
import { allRows } from "../../support/rows.ts";
import { createService } from "../../support/service.ts";
import { standingClock } from "../../support/times.ts";

const clock = standingClock(Date.UTC(2026, 9, 1, 12));
const service = createService({}, { now: () => clock.now });
const owner = await service.newOwner();

const SMTP = {
  smtp_host: "smtp.example.com",
  smtp_port: 587,
  smtp_user: "shop",
  smtp_password: "secret",
};

const IMAP = {
  enabled: true,
  host: "imap.example.com",
  port: 993,
  user: "bounces",
  password: "secret",
};

/** The settings of a project: where they are read and saved, and two values. */
const SETTINGS: [name: string, read: string, save: string, one: object, other: object][] = [
  ["the name of a project", "", "", { name: "One" }, { name: "Other" }],
  ["SMTP settings", "", "/smtp", { ...SMTP, from_name: "One" }, { ...SMTP, from_name: "Other" }],
  ["limits", "/sending", "/sending", { max_per_hour: 1 }, { max_per_hour: 2 }],
  [
    "settings of bounces",
    "/bounce-settings",
    "/bounce-settings",
    { soft_bounce_limit: 1 },
    { soft_bounce_limit: 2 },
  ],
  [
    "signatures of bounce reports",
    "/bounce-webhook/signatures",
    "/bounce-webhook/signatures",
    { proof: "signature" },
    { proof: "token" },
  ],
  ["a bounce mailbox", "/bounce-imap", "/bounce-imap", IMAP, { ...IMAP, folder: "Bounces" }],
];

const save = (path: string, body: object, tag?: string) =>
  owner.request("PUT", path, body, tag === undefined ? {} : { "If-Match": tag });

describe.each(SETTINGS)("%s", (_name, read, at, one, other) => {
  it("have an ETag that each save changes, even within one millisecond", async () => {
    const { id } = await owner.newProject();
    const path = `/projects/${id}`;
    const tagOf = async () => (await owner.get(path + read)).headers.get("ETag") ?? "";
    const first = await tagOf();
    expect(first).toMatch(/^"\d+"$/);
    const saved = await save(path + at, one, first);
    const second = saved.headers.get("ETag");
    expect([saved.status, second === first, second]).toEqual([200, false, await tagOf()]);
    expect((await save(path + at, other)).status).toBe(200);
    expect(await tagOf()).not.toBe(second);
  });

  it("of two saves with the same ETag accept the first and reject the second, which changes nothing", async () => {
    const { id } = await owner.newProject();
    const path = `/projects/${id}`;
    const tag = (await owner.get(path + read)).headers.get("ETag") ?? "";
    const answers = await Promise.all([save(path + at, one, tag), save(path + at, other, tag)]);
    const refused = answers.filter(({ status }) => status === 412);
    expect([answers.length, refused.length]).toEqual([2, 1]);
    expect(refused[0]?.body).toMatchObject({
      error: "the project has changed: its ETag no longer matches",
    });
    const state = async () => [
      await allRows("select * from projects where id = ?", id),
      await allRows("select * from bounce_imap where project_id = ?", id),
      await allRows("select id from audit_entries where scope_id = ?", id),
    ];
    const before = await state();
    for (const stale of [tag, '"x"', '""', "", `W/${tag}`])
      expect((await save(path + at, other, stale)).status).toBe(412);
    expect(await state()).toEqual(before);
    const { headers } = await owner.get(path + read);
    const now = headers.get("ETag") ?? "";
    expect((await save(path + at, one, `${tag}, W/${now}`)).status).toBe(200);
    expect((await save(path + at, other, "*")).status).toBe(200);
  });
});

describe("an ETag", () => {
  it("of a deleted project is 404", async () => {
    const { id } = await owner.newProject();
    const tag = (await owner.get(`/projects/${id}`)).headers.get("ETag") ?? "";
    await owner.delete(`/projects/${id}`);
    expect((await save(`/projects/${id}`, { name: "One" }, tag)).status).toBe(404);
  });
});
