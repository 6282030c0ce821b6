/* An account of open registration whose address is not proven yet. */
import { describe, expect, it } from "vitest";
import { allRows } from "../../support/rows.ts";
import { mailingWorld } from "../../support/service-mail.ts";
import { unique } from "../../support/service.ts";
import { PASSWORD, refusalOf } from "../../support/workspaces.ts";

const address = () => `${unique("lo")}@people.test`;

describe("an account from open registration", () => {
  it("cannot email anyone else before its verification, and can afterwards", async () => {
    const world = await mailingWorld(Date.now);
    const { anonymous } = world.service;
    const email = address();
    const registered = await anonymous.post("/auth/register", {
      email,
      name: "Lo",
      password: PASSWORD,
    });
    const headers = { Cookie: registered.headers.get("Set-Cookie")?.split(";")[0] ?? "" };
    const me = async () => {
      const { body } = await anonymous.request("GET", "/auth/me", undefined, headers);
      const [workspace] = body["workspaces"] as { id: string; capabilities: string[] }[];
      return { id: workspace?.id ?? "", capabilities: workspace?.capabilities };
    };
    const { id, capabilities } = await me();
    expect(capabilities).toEqual(["read"]);
    // A project that the account had before: nothing in it may change or send.
    const project = crypto.randomUUID();
    await allRows(
      "insert into projects (id, workspace_id, created_by, name, description, created_at, updated_at) values (?, ?, '', 'Old', '', 0, 0)",
      project,
      id,
    );
    const guest = { email: address(), name: "Gus", password: PASSWORD };
    const writes: [method: string, path: string, body: object][] = [
      ["POST", "/projects", { name: "Shop" }],
      ["POST", `/workspaces/${id}/invitations`, guest],
      ["POST", `/workspaces/${id}/users`, guest],
      ["POST", `/workspaces/${id}/members`, { email: world.operator.email }],
      ["PUT", `/projects/${project}/smtp`, {}],
      ["POST", `/projects/${project}/smtp/test`, {}],
      ["POST", `/projects/${project}/send`, {}],
      ["POST", `/projects/${project}/send/batch`, {}],
      ["POST", `/projects/${project}/broadcast`, {}],
      ["POST", `/projects/${project}/subscribers`, {}],
      ["POST", `/projects/${project}/subscribers/import`, {}],
      ["POST", `/projects/${project}/import`, {}],
      ["POST", `/projects/${project}/api-keys`, { name: "Key" }],
      ["POST", `/projects/${project}/webhooks`, {}],
    ];
    for (const [method, path, body] of writes) {
      const answer = await anonymous.request(method, path, body, headers);
      expect([path, ...refusalOf(answer)]).toEqual([path, 403, "confirm your email address first"]);
    }
    expect((await anonymous.request("GET", "/projects", undefined, headers)).status).toBe(200);
    const token = await world.tokenFor(email);
    const confirmed = await anonymous.request("POST", "/auth/confirm", { token }, headers);
    expect(confirmed.status).toBe(204);
    expect((await me()).capabilities).toContain("members:write");
    const made = await anonymous.request("POST", "/projects", { name: "Shop" }, headers);
    expect(made.status).toBe(201);
  });
});
