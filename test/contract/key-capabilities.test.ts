/*
 * Capabilities of keys (decision D32): a key holds capabilities of its creator, and every route of
 * both surfaces requires one of them. Covers the tables of all routes.
 */
import { describe, expect, it } from "vitest";
import { KEYED_ROUTES } from "../../src/http/keyed/index.ts";
import { API_ROUTES } from "../../src/http/routes.ts";
import { testLicense } from "../support/license.ts";
import { type Row } from "../support/rows.ts";
import { createService, type Answer, type Client } from "../support/service.ts";
import {
  newMember,
  newPerson,
  newWorkspace,
  removeFrom,
  type Person,
} from "../support/workspaces.ts";

type KeyType = "sk" | "pk" | "sdk";

/** Route for keys: the accepted kinds of key and the required capability. */
interface Door {
  name: string;
  types: KeyType[];
  capability: string;
  knock: (key: Client, projectId: string) => Promise<Answer>;
}

/** API reference §2.6: capabilities of the roles that create keys, as far as keys can use them. */
const HELD: Record<string, string[]> = {
  owner: [
    "read",
    "projects:write",
    "subscribers:write",
    "events:write",
    "send:transactional",
    "send:broadcast",
    "automations:write",
  ],
  admin: [
    "read",
    "projects:write",
    "subscribers:write",
    "events:write",
    "send:transactional",
    "send:broadcast",
    "automations:write",
  ],
  developer: ["read", "subscribers:write", "events:write", "send:transactional"],
};

/** Capabilities that each type of key can use. */
const USABLE: Record<KeyType, string[]> = {
  sk: [
    "read",
    "projects:write",
    "subscribers:write",
    "events:write",
    "send:transactional",
    "send:broadcast",
    "automations:write",
  ],
  pk: ["subscribers:write"],
  sdk: ["read", "subscribers:write", "events:write", "send:transactional", "send:broadcast"],
};
const TYPES = ["sk", "pk", "sdk"] as const;

/** Capability of each route of the key-based API. */
const KEYED_CAPABILITIES: Record<string, string> = {
  "POST /join": "subscribers:write",
  "GET /subscribers": "read",
  "POST /send": "send:transactional",
  "POST /track": "events:write",
  "POST /broadcast": "send:broadcast",
  "GET /broadcasts/:broadcastId": "read",
  "GET /broadcasts": "read",
  "POST /broadcasts": "send:broadcast",
  "PATCH /broadcasts/:broadcastId": "send:broadcast",
  "DELETE /broadcasts/:broadcastId": "send:broadcast",
  "POST /broadcasts/:broadcastId/pause": "send:broadcast",
  "POST /broadcasts/:broadcastId/resume": "send:broadcast",
  "POST /broadcasts/:broadcastId/cancel": "send:broadcast",
  "POST /broadcasts/:broadcastId/duplicate": "send:broadcast",
  "POST /broadcasts/:broadcastId/start": "send:broadcast",
  "POST /broadcasts/:broadcastId/undo": "send:broadcast",
  "POST /broadcasts/:broadcastId/audience": "read",
  "POST /broadcasts/:broadcastId/preflight": "send:broadcast",
  "GET /broadcasts/:broadcastId/trial": "read",
  "POST /broadcasts/:broadcastId/winner": "send:broadcast",
  "POST /broadcasts/:broadcastId/resend": "send:broadcast",
  "GET /topics": "read",
  "POST /topics": "subscribers:write",
  "GET /topics/:topicId": "read",
  "PATCH /topics/:topicId": "subscribers:write",
  "DELETE /topics/:topicId": "subscribers:write",
  "GET /subscribers/:subscriber/topics": "read",
  "PUT /subscribers/:subscriber/topics": "subscribers:write",
  "GET /fields": "read",
  "POST /fields": "subscribers:write",
  "GET /fields/:fieldId": "read",
  "PATCH /fields/:fieldId": "subscribers:write",
  "DELETE /fields/:fieldId": "subscribers:write",
  "GET /forms": "read",
  "POST /forms": "subscribers:write",
  "GET /forms/:formId": "read",
  "PATCH /forms/:formId": "subscribers:write",
  "DELETE /forms/:formId": "subscribers:write",
  "GET /segments": "read",
  "POST /segments": "subscribers:write",
  "POST /segments/preview": "read",
  "POST /segments/counts": "read",
  "GET /segments/:segmentId": "read",
  "PATCH /segments/:segmentId": "subscribers:write",
  "DELETE /segments/:segmentId": "subscribers:write",
};

const bodyOf = (method: string) => (method === "GET" ? undefined : []); // valid nowhere
const projectDoors = API_ROUTES.flatMap(({ method, path, auth, capability = "" }): Door[] => {
  if (auth !== "cookie_or_key") return [];
  const at = (id: string) => path.replace(":id", id).replaceAll(/:\w+/g, () => crypto.randomUUID());
  const knock: Door["knock"] = (key, id) => key.request(method, at(id), bodyOf(method));
  return [{ name: `${method} ${path}`, types: ["sk"], capability, knock }];
});
const keyedDoors = KEYED_ROUTES.map(({ method, path, auth }): Door => {
  const name = `${method} ${path}`;
  const at = path.replaceAll(/:\w+/g, () => crypto.randomUUID());
  const knock: Door["knock"] = (key) => key.request(method, at, bodyOf(method));
  const types: KeyType[] = auth === "secret" ? ["sdk"] : ["pk", "sdk"];
  return { name, types, capability: KEYED_CAPABILITIES[name] ?? "unknown", knock };
});
const doors = [...projectDoors, ...keyedDoors];

const service = createService(await testLicense("team"));
const owner = await newPerson(service);
const workspaceId = await newWorkspace(owner);

const newProject = async () => {
  const { body } = await owner.post("/projects", { name: "Keys", workspace_id: workspaceId });
  return String(body["id"]);
};
const makeKey = (by: Client, projectId: string, more: object = {}) =>
  by.post(`/projects/${projectId}/api-keys`, { name: "Key", ...more });
const listed = async (projectId: string, keyId: unknown) => {
  const { body } = await owner.get<{ api_keys: Row[] }>(`/projects/${projectId}/api-keys`);
  return body.api_keys.find(({ id }) => id === keyId);
};

/** Calls every route for this type of key: it opens exactly when the key holds its capability. */
async function expectDoors(type: KeyType, key: unknown, projectId: string, held: string[]) {
  const client = service.withKey(String(key));
  for (const { name, capability, knock } of doors.filter(({ types }) => types.includes(type))) {
    const { status, body } = await knock(client, projectId);
    const needed = type === "sk" && name.startsWith("GET ") ? ["read", capability] : [capability];
    const missing = needed.find((one) => !held.includes(one));
    if (missing === undefined) {
      expect([name, [200, 400, 404]]).toEqual([name, expect.arrayContaining([status])]);
      continue;
    }
    const error = `this API key lacks the capability ${missing}`;
    expect([name, status, body["error"]]).toEqual([name, 403, error]);
  }
}

describe("an API key", () => {
  it("has a route for each capability its type can use, and for no other", () => {
    for (const type of TYPES) {
      const asked = doors.filter(({ types }) => types.includes(type));
      const capabilities = new Set(asked.map(({ capability }) => capability));
      expect([...capabilities].toSorted()).toEqual(USABLE[type].toSorted());
    }
  });

  describe.each(Object.keys(HELD))("created by the role %s", (role) => {
    it.each(TYPES)(
      "of type %s can call exactly the routes that its creator may use",
      async (type) => {
        const id = await newProject();
        const creator = await newMember(service, workspaceId, owner, role);
        const { status, body } = await makeKey(creator, id, { type });
        const held = USABLE[type].filter((capability) => HELD[role]?.includes(capability));
        expect([status, body["capabilities"]]).toEqual([201, held]);
        await expectDoors(type, body["key"], id, held);
      },
    );
  });

  it.each(["member", "viewer"])("cannot be created by the role %s", async (role) => {
    const person = await newMember(service, workspaceId, owner, role);
    const { status, body } = await makeKey(person, await newProject(), { capabilities: ["read"] });
    expect([status, body["error"]]).toEqual([
      403,
      `your role (${role}) lacks the capability api_keys:write`,
    ]);
  });

  it.each(TYPES.flatMap((type) => USABLE[type].map((capability) => [type, capability] as const)))(
    "of type %s with only %s can call only the routes of that capability, and reads nothing without `read`",
    async (type, capability) => {
      const id = await newProject();
      const { body } = await makeKey(owner, id, { type, capabilities: [capability, capability] });
      expect(body["capabilities"]).toEqual([capability]);
      await expectDoors(type, body["key"], id, [capability]);
    },
  );
});

describe("POST api-keys", () => {
  it("answers 403 to a capability that the creator does not have, and creates no key", async () => {
    const id = await newProject();
    const developer = await newMember(service, workspaceId, owner, "developer");
    for (const capability of ["send:broadcast", "projects:write", "members:write"]) {
      const capabilities = ["read", capability];
      expect(await makeKey(developer, id, { capabilities })).toMatchObject({
        status: 403,
        body: { error: `you lack the capability ${capability}, so your keys cannot have it` },
      });
    }
    expect((await owner.get(`/projects/${id}/api-keys`)).body).toEqual({ api_keys: [] });
  });

  it.each([
    ["an unknown capability", { capabilities: ["send:everything"] }],
    ["a capability that no key can use", { capabilities: ["audit:read"] }],
    ["a capability that a public key cannot use", { type: "pk", capabilities: ["read"] }],
    ["no capability at all", { capabilities: [] }],
    ["capabilities that are no list", { capabilities: "read" }],
  ])("answers 400 to %s, and creates no key", async (_name, more) => {
    const id = await newProject();
    const { status, body } = await makeKey(owner, id, more);
    expect([status, body["error"]]).toEqual([400, expect.stringMatching(/^capabilities/)]);
    expect((await owner.get(`/projects/${id}/api-keys`)).body).toEqual({ api_keys: [] });
  });

  it("records the capabilities in the audit entry", async () => {
    const id = await newProject();
    const { body } = await makeKey(owner, id, { capabilities: ["send:transactional", "read"] });
    const trail = await owner.get<{ entries: Row[] }>(
      `/projects/${id}/audit-log?action=api_key.create`,
    );
    expect(trail.body.entries).toMatchObject([
      {
        target_id: body["id"],
        user_id: owner.id,
        metadata: { name: "Key", type: "sk", capabilities: ["read", "send:transactional"] },
      },
    ]);
  });
});

describe("a key whose creator leaves", () => {
  const keyOf = async (creator: Person) => {
    const id = await newProject();
    const { body } = await makeKey(creator, id);
    return { id, body };
  };

  it("stays valid, and the list names its creator, who is no longer a member", async () => {
    const creator = await newMember(service, workspaceId, owner, "developer");
    const { id, body } = await keyOf(creator);
    const shown = {
      capabilities: HELD["developer"],
      created_by: creator.id,
      created_by_name: "Olive Owner",
      created_by_email: creator.email,
    };
    expect(body).toMatchObject({ ...shown, created_by_member: true });
    expect((await removeFrom(workspaceId, owner, creator)).status).toBe(204);
    await expectDoors("sk", body["key"], id, HELD["developer"] ?? []);
    expect(await listed(id, body["id"])).toMatchObject({ ...shown, created_by_member: false });
  });

  it("keeps its capabilities when the role of its creator changes", async () => {
    const creator = await newMember(service, workspaceId, owner, "admin");
    const { id, body } = await keyOf(creator);
    const path = `/workspaces/${workspaceId}/members/${creator.id}`;
    expect((await owner.request("PATCH", path, { role: "viewer" })).status).toBe(204);
    await expectDoors("sk", body["key"], id, HELD["admin"] ?? []);
  });
});
