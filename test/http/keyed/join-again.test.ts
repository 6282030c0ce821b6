/* Joins of people whom the project has, and the proof that joins keep (API reference §17). */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { CAPTURING, createService, unique } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();
const address = () => `${unique("joins")}@any.test`;

async function newProject() {
  const { id } = await owner.newProject(CAPTURING);
  const path = `/projects/${id}`;
  const withKey = async (type: string) => {
    const { body } = await owner.post(`${path}/api-keys`, { name: type, type });
    return service.withKey(String(body["key"]));
  };
  return { path, pk: await withKey("pk"), sdk: await withKey("sdk") };
}

const subscribers = async (path: string) =>
  (await owner.get<{ subscribers: Record<string, unknown>[] }>(`${path}/subscribers`)).body
    .subscribers;

describe("a join", () => {
  it("lets an unsubscribed person join again, and an active one choose more topics", async () => {
    const { path, pk } = await newProject();
    const email = address();
    await owner.post(`${path}/topics`, { name: "News" });
    const made = await owner.post(`${path}/subscribers`, {
      email,
      name: "Ann",
      status: "unsubscribed",
    });
    const again = { email, metadata: { a: 1 } };
    expect((await pk.post("/join", again)).status).toBe(201);
    expect(await subscribers(path)).toEqual([
      expect.objectContaining({ email, name: "Ann", status: "active", metadata: {} }),
    ]);
    expect((await pk.post("/join", again)).status).toBe(409);
    expect((await pk.post("/join", { email, topics: ["News"] })).status).toBe(201);
    expect((await pk.post("/join", { email, topics: ["News"] })).status).toBe(409);
    const at = `${path}/subscribers/${String(made.body["id"])}/topics`;
    expect((await owner.get(at)).body).toMatchObject({ topics: [{ state: "subscribed" }] });
  });

  it("stores the evidence of a join once, whatever the number of its topics", async () => {
    const { path, pk } = await newProject();
    const topics = ["A", "B", "C"];
    for (const name of topics) await owner.post(`${path}/topics`, { name });
    const email = address();
    const agent = { "User-Agent": `Long/${"x".repeat(400)}`, "CF-Connecting-IP": "203.0.113.9" };
    await pk.request("POST", "/join", { email, topics }, agent);
    const rows = await env.DB.prepare(
      `select count(*) as steps, sum(user_agent <> '' and topic_id is not null) as agents, sum(ip_address <> '') as addresses
       from consent_events where subscriber_id = (select id from subscribers where email = ?)`,
    )
      .bind(email)
      .first();
    expect(rows).toEqual({ steps: 4, agents: 1, addresses: 4 });
  });

  it("does not store the IP address of a server with a secret key as the person's evidence", async () => {
    const { sdk } = await newProject();
    const email = address();
    const server = { "User-Agent": "Backend/1.0", "CF-Connecting-IP": "203.0.113.10" };
    await sdk.request("POST", "/join", { email }, server);
    const rows = await env.DB.prepare(
      "select ip_address, user_agent from consent_events where subscriber_id = (select id from subscribers where email = ?)",
    )
      .bind(email)
      .all();
    expect(rows.results).toEqual([{ ip_address: "", user_agent: "" }]);
  });
});
