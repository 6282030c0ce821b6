/* What a database at 95 % of its limit takes no more (API reference §18.6). */
import { expect, it } from "vitest";
import { testLicense } from "../../support/license.ts";
import { allRows } from "../../support/rows.ts";
import { createService, unique, type Answer } from "../../support/service.ts";

const service = createService(await testLicense("team")); // for webhooks
const operator = await service.newOwner();

/** Stores a measurement of now. */
const measured = (level: "ok" | "full") =>
  allRows("update storage set bytes = 9700000000, level = ?, measured_at = ?", level, Date.now());

it("adds no subscribers and stores no deliveries of events, until there is space", async () => {
  const { id } = await operator.newProject();
  const at = `/projects/${id}`;
  const hook = await operator.post(`${at}/webhooks`, { url: "https://hook.test/in" });
  expect(hook.status).toBe(201);
  const made = await operator.post(`${at}/api-keys`, { name: "Join", type: "pk" });
  const visitor = service.withKey(String(made.body["key"]));
  const someone = () => `${unique("new")}@any.test`;
  const list = (more = {}) => {
    const file = `E-Mail;Company\n${someone()};Lee\n`;
    const body = { file, mapping: { email: "E-Mail" }, status: "active", ...more };
    return operator.post(`${at}/audience/import`, body);
  };
  const reader = await operator.post(`${at}/subscribers`, { email: someone() });
  const ways: [string, () => Promise<Answer>, number][] = [
    ["one", () => operator.post(`${at}/subscribers`, { email: someone() }), 201],
    ["join", () => visitor.post("/join", { email: someone() }), 201],
    ["waitlist", () => service.anonymous.post(`${at}/waitlist`, { email: someone() }), 200],
    ["import", () => operator.post(`${at}/subscribers/import`, [{ email: someone() }]), 200],
    ["list", list, 200],
  ];
  const counted = async () => {
    const [row] = await allRows(
      `select (select count(*) from subscribers where project_id = ?1) as people,
        (select count(*) from webhook_deliveries where project_id = ?1) as deliveries`,
      id,
    );
    return row;
  };
  expect(await counted()).toEqual({ people: 1, deliveries: 1 });

  await measured("full");
  for (const [way, add] of ways) {
    const { status, body, headers } = await add();
    expect([way, status, headers.get("Retry-After")]).toEqual([way, 503, "300"]);
    expect(body["error"]).toMatch(
      /storage of this service is 97% full: no mail is sent and no one/,
    );
  }
  expect(await list({ dry_run: true })).toMatchObject({ status: 200 });
  const item = `${at}/subscribers/${String(reader.body["id"])}`;
  const left = await operator.request("PATCH", item, { status: "unsubscribed" });
  expect(left.body).toMatchObject({ status: "unsubscribed" });
  expect(await counted()).toEqual({ people: 1, deliveries: 1 });

  await measured("ok");
  for (const [way, add, status] of ways)
    expect(await add(), way).toMatchObject({ status, body: expect.any(Object) });
  expect(await counted()).toEqual({ people: 6, deliveries: 6 });
});
