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

  it("refuses a private topic like an unknown one, except with a secret key", async () => {
    const { path, pk, sdk } = await newProject();
    const { body: topic } = await owner.post(`${path}/topics`, {
      name: "Team",
      visibility: "private",
    });
    const email = address();
    const unknown = (name: string) => ({
      status: 400,
      body: { details: [{ path: "topics.0", code: "no_such_topic", params: { name } }] },
    });
    const names = ["Team", String(topic["id"])];
    for (const to of [email, address()]) {
      for (const name of [...names, "Nowhere"]) {
        expect(await pk.post("/join", { email: to, topics: [name] })).toMatchObject(unknown(name));
        const waiting = { email: to, topics: [name] };
        const waitlist = await service.anonymous.post(`${path}/waitlist`, waiting);
        expect(waitlist).toMatchObject(unknown(name));
      }
      await pk.post("/join", { email });
    }
    const consents = async () => {
      const [one] = (await subscribers(path)).filter((each) => each["email"] === email);
      return (await owner.get(`${path}/subscribers/${String(one?.["id"])}/topics`)).body;
    };
    expect(await subscribers(path)).toHaveLength(1);
    expect(await consents()).toMatchObject({ topics: [{ state: null }] });
    expect((await sdk.post("/join", { email, topics: ["Team"] })).status).toBe(201);
    expect(await consents()).toMatchObject({ topics: [{ state: "subscribed", by: "join" }] });
    expect((await sdk.post("/join", { email: address(), topics: names })).status).toBe(201);
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
