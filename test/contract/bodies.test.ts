/*
 * Bodies and queries at the border: no more than 64 KiB of a body is read before its caller is
 * known, and the size of its content is checked before it is parsed.
 */
import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { openBodyStream } from "../../src/http/body-stream.ts";
import { KEYED_ROUTES } from "../../src/http/keyed/index.ts";
import { takeLargeBodySlot } from "../../src/http/large-body-slot.ts";
import { BODY_BOUNDS } from "../../src/http/read-body.ts";
import { API_ROUTES } from "../../src/http/routes.ts";
import { createServer } from "../../src/http/server.ts";
import { findExcess } from "../../src/lib/json-bounds.ts";
import { receivedMessages, waitForMessage } from "../support/mailbox.ts";
import { CAPTURING, createService, unique, type Client } from "../support/service.ts";
import { eventually } from "../support/times.ts";

const MIB = 1_048_576;
const service = createService();
const address = () => `${unique("body")}@any.test`;

let owner: Client;
let foreigner: Client;
let project: { id: string; key: string };
let sdk: Client;
let send: string;

beforeAll(async () => {
  owner = await service.newOwner();
  foreigner = await service.newOwner();
  project = await owner.newProject(CAPTURING);
  send = `/projects/${project.id}/send`;
  const made = await owner.post(`/projects/${project.id}/api-keys`, { name: "sdk", type: "sdk" });
  sdk = service.withKey(String(made.body["key"]));
});

/** Repeats `"",`, the most values per byte. */
const hostileBytes = new TextEncoder().encode('"",'.repeat(32_768));

/** A body of 6 MiB that counts the bytes read from it. */
function countedBody() {
  const count = { bytesRead: 0 };
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (count.bytesRead >= 6 * MIB) return controller.close();
    count.bytesRead += hostileBytes.length;
    controller.enqueue(hostileBytes);
  };
  return { count, body: new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 }) };
}

const server = createServer(service.runtime);

/** Posts such a body; returns the status and the number of bytes read until then. */
async function postCounted(path: string, headers: Record<string, string>, method = "POST") {
  const { count, body } = countedBody();
  const init = { method, body, headers: { "Content-Type": "application/json", ...headers } };
  const request = new Request(new URL(`/api/v1${path}`, service.env.BASE_URL), init);
  const context = createExecutionContext();
  const { status } = await server.fetch(request, service.env, context);
  const { bytesRead } = count;
  await waitOnExecutionContext(context);
  expect(count.bytesRead).toBe(6 * MIB); // dropped after the answer, which the caller waits for
  return { status, bytesRead };
}

const DECLARED = { "Content-Length": String(6 * MIB) };

/** Posts a body whose rest arrives after another action; returns the status. */
async function postSlowly(
  path: string,
  headers: Record<string, string>,
  body: object,
  meanwhile: () => Promise<unknown>,
) {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const length = { "Content-Type": "application/json", "Content-Length": String(bytes.length) };
  const answer = service.fetch(`/api/v1${path}`, {
    method: "POST",
    body: readable,
    headers: { ...length, ...headers },
  });
  await writer.write(bytes.subarray(0, 100));
  // the server has read the first bytes: the caller has access
  await writer.write(bytes.subarray(100, 200));
  await meanwhile();
  await writer.write(bytes.subarray(200));
  await writer.close();
  return (await answer).status;
}

describe("a body over 64 KiB", () => {
  it("is never read without a login or a key, on any route", async () => {
    const routes = [...API_ROUTES, ...KEYED_ROUTES].filter(({ body }) => body !== undefined);
    expect(routes.length).toBeGreaterThan(20);
    for (const { method, path } of routes) {
      const at = path.replaceAll(/:\w+/g, () => crypto.randomUUID());
      const { status, bytesRead } = await postCounted(at, DECLARED, method);
      expect([401, 404, 413]).toContain(status);
      expect([path, bytesRead]).toEqual([path, 0]);
    }
  });

  it("is not read from a caller without access or over the rate limit", async () => {
    const limited = await owner.newProject();
    const path = `/projects/${limited.id}/send`;
    await Promise.all(Array.from({ length: 60 }, () => owner.post(path, {})));
    const nowhere = `/projects/${crypto.randomUUID()}/send`;
    for (const [cookie, at, status] of [
      [owner.cookie, nowhere, 404],
      [foreigner.cookie, send, 403],
      [owner.cookie, path, 429],
    ] as const)
      expect(await postCounted(at, { Cookie: cookie, ...DECLARED })).toEqual({
        status,
        bytesRead: 0,
      });
  });

  it("of unknown size is read only up to 64 KiB before its caller is authorized", async () => {
    const { status, bytesRead } = await postCounted(send, {});
    expect(status).toBe(401);
    expect(bytesRead).toBeLessThan(65_536 + 2 * hostileBytes.length);
  });

  it("costs a send one more round trip than the two of a small one", async () => {
    const mail = (characters: number) => ({
      to: address(),
      subject: "Hi",
      html_body: `<p>${"x".repeat(characters)}</p>`,
    });
    const client = service.withKey(project.key);
    await client.post(send, mail(10));
    for (const [characters, roundTrips] of [
      [60_000, 2],
      [70_000, 3],
    ] as const) {
      service.d1.reset();
      expect(await client.post(send, mail(characters))).toMatchObject({ status: 200 });
      expect(service.d1.roundTrips).toBe(roundTrips);
    }
  });

  it("works like a small one in the key-based API, including template and recipient", async () => {
    const to = address();
    await owner.post(`/projects/${project.id}/subscribers`, { email: to, name: "Ann" });
    const data = { filler: "x".repeat(70_000) };
    const sent = await sdk.post("/send", { to, template: "welcome", data });
    expect(sent).toMatchObject({ status: 200, body: { data: { to, template: "welcome" } } });
    await owner.post(`/projects/${project.id}/suppressions`, { emails: [to] });
    expect(await sdk.post("/send", { to, template: "welcome", data })).toMatchObject({
      status: 422,
    });
  });

  it("has no effect if the caller loses access during the upload", async () => {
    const { id, key } = await owner.newProject(CAPTURING);
    const path = `/projects/${id}`;
    const mail = { to: address(), subject: "Hi", html_body: `<p>${"x".repeat(100_000)}</p>` };
    const bearer = { Authorization: `Bearer ${key}` };
    const keys = async () =>
      (await owner.get<{ api_keys: { id: string }[] }>(`${path}/api-keys`)).body.api_keys;
    const revokeAll = async () => {
      for (const one of await keys()) await owner.delete(`${path}/api-keys/${one.id}`);
    };
    expect(await postSlowly(`${path}/send`, bearer, mail, revokeAll)).toBe(401);
    const made = await owner.post(`${path}/api-keys`, { name: "sdk", type: "sdk" });
    const keyed = { Authorization: `Bearer ${String(made.body["key"])}` };
    const named = { to: mail.to, subject: "Hi", html: mail.html_body };
    expect(await postSlowly("/send", keyed, named, revokeAll)).toBe(401);
    const person = await service.newOwner();
    const theirs = await person.newProject();
    const at = `/projects/${theirs.id}/api-keys`;
    const cookie = { Cookie: person.cookie };
    const padded = { name: "late", filler: "x".repeat(100_000) };
    const { body } = await person.get<{ user: { id: string } }>("/auth/me");
    const demote = () =>
      env.DB.prepare("update workspace_members set role = 'viewer' where user_id = ?")
        .bind(body.user.id)
        .run();
    const before = (await person.get<{ api_keys: unknown[] }>(at)).body.api_keys.length;
    expect(await postSlowly(at, cookie, padded, demote)).toBe(403);
    expect((await person.get<{ api_keys: unknown[] }>(at)).body.api_keys).toHaveLength(before);
    const logOut = () => person.post("/auth/logout");
    expect(await postSlowly("/workspaces", cookie, padded, logOut)).toBe(401);
    expect(await receivedMessages(mail.to)).toEqual([]);
  });

  it("gets 413 on a public route", async () => {
    const body = { email: address(), password: "x".repeat(70_000) };
    expect(await service.anonymous.post("/auth/login", body)).toMatchObject({
      status: 413,
      body: { error: "the body is larger than 64 KiB" },
    });
  });
});

describe("the content of a body", () => {
  const many = (text: string, bytes = 6 * MIB) =>
    Array.from({ length: Math.floor(bytes / (text.length + 1)) }, () => text).join(",");

  it.each([
    ["a list of empty texts", `{"to":"a@b.test","cc":[${many('""')}]}`, "65536 entries"],
    ["lists in lists", `{"cc":${"[".repeat(3 * MIB)}${"]".repeat(3 * MIB)}}`, "100 levels"],
    ["lists of lists", `{"cc":[${many(`[${many("[]", 60_000)}]`)}]}`, "500000 values"],
    [
      "one object of many names",
      `{"data":{${Array.from({ length: 400_000 }, (_, n) => `"a${n}":0`).join(",")}}}`,
      "65536 entries",
    ],
  ])("is bounded before it is parsed: %s", async (_name, body, bound) => {
    const answer = await service.withKey(project.key).post(send, body);
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(bound) } });
    const bytes = new TextEncoder().encode(body);
    expect(findExcess(bytes, BODY_BOUNDS)?.message).toContain(bound);
  });

  it("is bounded in each list before any entry is checked", async () => {
    const texts = Array.from({ length: 60_000 }, () => "");
    const recipients = Array.from({ length: 10_001 }, () => ({}));
    const template_id = crypto.randomUUID();
    const mail = { to: address(), subject: "Hi", html_body: "x" };
    const tags = Object.fromEntries(texts.map((text, n) => [n, text]));
    const { id } = await owner.newProject();
    const refused = [
      [`/projects/${id}/send`, { ...mail, cc: texts }, "cc: must have at most 50 entries"],
      [`/projects/${id}/send`, { ...mail, tags }, "tags: must have at most 20 entries"],
      [`/projects/${id}/send`, { ...mail, headers: tags }, "headers: must have at most 50 entries"],
      [
        `/projects/${id}/send`,
        { ...mail, attachments: texts },
        "attachments: must have at most 20 entries",
      ],
      [
        `/projects/${id}/send/batch`,
        { template_id, recipients },
        "recipients: must have at most 10000 entries",
      ],
      [
        `/projects/${id}/suppressions`,
        { emails: texts.map(() => 0) },
        "emails: must have at most 10000 entries",
      ],
    ] as const;
    for (const [path, body, error] of refused)
      expect(await owner.post(path, body)).toMatchObject({ status: 400, body: { error } });
  });
});

describe("a body that arrives in chunks", () => {
  const post = (body: string | Uint8Array<ArrayBuffer>) =>
    service.fetch(`/api/v1${send}`, {
      method: "POST",
      body,
      headers: { Authorization: `Bearer ${project.key}` },
    });
  const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => (index * 7) & 255);
  const content = Buffer.from(bytes).toString("base64");
  const mail = (to: string, file: object) =>
    JSON.stringify({
      to,
      subject: "Grüße €",
      html_body: "<p>x</p>",
      attachments: [{ filename: "a.bin", content }, file],
    });

  it("carries files unchanged, with or without escaped slashes", async () => {
    expect(content.includes("/")).toBe(true);
    for (const slash of ["/", "\\/", "\\u002f"]) {
      const to = address();
      const answer = await post(mail(to, { filename: "b.bin", content }).replaceAll("/", slash));
      expect(answer.status).toBe(200);
      const { text } = await waitForMessage(to);
      const lines = content.match(/.{1,76}/g);
      expect(text.split(`\r\n\r\n${lines?.join("\r\n")}\r\n--`)).toHaveLength(3);
    }
  });

  it.each<[object, string]>([
    [{ filename: "b.bin", content: `${content}!` }, "attachments.1.content: is not base64"],
    [{ filename: "b.bin", content: 1 }, "attachments.1.content: must be a string"],
    [{ filename: "b.bin" }, "attachments.1.content: is required"],
    [{ filename: content, content }, "attachments.1.filename: must have at most 255 characters"],
    [
      { filename: "a\nb", content: "" },
      "attachments.1.filename: must have at most 255 characters and no control characters",
    ],
    [
      { filename: "a", content: "", content_type: "multipart/mixed" },
      "attachments.1.content_type: is not a media type that can be attached",
    ],
    [
      { filename: "a", content: "", content_id: "<logo>" },
      "attachments.1.content_id: must be printable ASCII without spaces or brackets, with at most 120 characters on each side of an @",
    ],
  ])("is refused for an invalid file", async (file, error) => {
    const answer = await post(mail(address(), file));
    expect([answer.status, await answer.json()]).toMatchObject([400, { error }]);
  });

  it("is refused if it is not JSON or UTF-8, and may start with a byte order mark", async () => {
    const valid = mail(address(), { filename: "b.bin", content });
    const broken = Uint8Array.from(new TextEncoder().encode(valid));
    broken[broken.length - 10] = 0xff;
    for (const [body, error] of [
      [`${valid.slice(0, -1)},}`, `the body is not valid JSON: line 1, column ${valid.length + 1}`],
      [`${valid}\n\n ]`, "the body is not valid JSON: line 3, column 2"],
      [broken, "the body is not valid UTF-8"],
    ] as const) {
      const answer = await post(body);
      expect([answer.status, await answer.json()]).toMatchObject([400, { error }]);
    }
    expect((await post(`\ufeff${valid}`)).status).toBe(200);
  });

  it("of unknown size is read completely", async () => {
    const parts = [1, 70_000, 3, 200_000, 50].map((length, n) => new Uint8Array(length).fill(n));
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const init = { method: "POST", body: readable };
    const stream = openBodyStream(new Request("https://any.test", init));
    const writer = writable.getWriter();
    const writing = (async () => {
      for (const part of parts) await writer.write(part);
      await writer.close();
    })();
    expect(await stream.readTo(65_536)).toBeUndefined();
    const whole = await stream.readTo(MIB);
    await writing;
    expect(whole && Buffer.from(whole).equals(Buffer.concat(parts))).toBe(true);
  });
});

describe("a body over 2 MiB", () => {
  const large = () => {
    const attachments = [{ filename: "a.bin", content: "A".repeat(3 * MIB) }];
    return { to: address(), subject: "Hi", html_body: "<p>x</p>", attachments };
  };

  it("is exclusive per isolate: a concurrent one gets 503 with Retry-After", async () => {
    const { id, key } = await owner.newProject(CAPTURING);
    const path = `/projects/${id}/send`;
    const client = service.withKey(key);
    const bytes = new TextEncoder().encode(JSON.stringify(large()));
    const stream = new TransformStream<Uint8Array, Uint8Array>();
    const writer = stream.writable.getWriter();
    const first = service.fetch(`/api/v1${path}`, {
      method: "POST",
      body: stream.readable,
      headers: { Authorization: `Bearer ${key}`, "Content-Length": String(bytes.length) },
    });
    await writer.write(bytes.subarray(0, 100));
    // the server has read the first bytes and holds the slot
    await writer.write(bytes.subarray(100, 200));
    const refused = await client.post(path, large());
    expect(refused).toMatchObject({ status: 503, body: { error: expect.stringMatching(/large/) } });
    expect(refused.headers.get("Retry-After")).toBe("2");
    const small = { ...large(), attachments: [] };
    expect(await client.post(path, small)).toMatchObject({ status: 200 });
    await writer.write(bytes.subarray(200));
    await writer.close();
    expect((await first).status).toBe(200);
    expect(await client.post(path, large())).toMatchObject({ status: 200 });
  });

  it("releases its slot when it is refused", async () => {
    const client = service.withKey(project.key);
    for (let n = 0; n < 2; n++)
      expect(await client.post(send, { ...large(), subject: 1 })).toMatchObject({ status: 400 });
  });

  it("releases its slot when its request ends silently", () => {
    const clock = { now: 0 };
    const take = () =>
      takeLargeBodySlot(
        () => clock.now,
        () => {},
      );
    const first = take();
    expect(take).toThrow(expect.objectContaining({ code: "large_request_running" }));
    clock.now = 15_000;
    const next = take();
    first.release(); // A late end of the first leaves the place to the second.
    expect(take).toThrow(expect.objectContaining({ code: "large_request_running" }));
    next.release();
    take().release();
  });

  it("yields its slot to others if it is still arriving after ten seconds", async () => {
    const clock = { now: 0 };
    const gaveWay: string[] = [];
    const take = (name: string) =>
      takeLargeBodySlot(
        () => clock.now,
        () => gaveWay.push(name),
      );
    take("slow");
    clock.now = 10_000;
    expect(() => take("other")).toThrow(expect.objectContaining({ code: "large_request_running" }));
    await eventually(() => expect(gaveWay).toEqual(["slow"]));
    const arrived = take("other");
    arrived.keep(); // it is in use
    clock.now = 24_000;
    expect(() => take("third")).toThrow(expect.objectContaining({ code: "large_request_running" }));
    clock.now = 25_000;
    await new Promise((resolve) => setTimeout(resolve, 1_500)); // a heartbeat passes
    expect(() => take("third")).toThrow(expect.objectContaining({ code: "large_request_running" }));
    expect(gaveWay).toEqual(["slow"]);
    arrived.release();
  });

  it("must arrive within a minute, whatever its size", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      void writable.getWriter().write(new Uint8Array(10));
      const init = { method: "POST", body: readable };
      const request = new Request(new URL("/api/v1/auth/login", service.env.BASE_URL), init);
      const context = createExecutionContext();
      const answer = server.fetch(request, service.env, context);
      const isOpen = Promise.race([
        answer,
        vi.advanceTimersByTimeAsync(59_999).then(() => "no answer yet"),
      ]);
      expect(await isOpen).toBe("no answer yet");
      await vi.advanceTimersByTimeAsync(10_000);
      expect((await answer).status).toBe(400);
      expect(await (await answer).json()).toMatchObject({
        error: "the body took longer than 60 s to arrive",
      });
    } finally {
      vi.useRealTimers();
    }
  });

  it("must arrive in time", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    void writable.getWriter().write(new Uint8Array(10));
    const stream = openBodyStream(
      new Request("https://any.test", { method: "POST", body: readable }),
    );
    stream.endWithin(50);
    await expect(stream.readTo(MIB)).rejects.toThrow("the body took longer than 0.05 s to arrive");
  });
});

describe("an omitted value", () => {
  it("may be an empty query parameter", async () => {
    const lists = ["subscribers?status=", "logs?status=&from=&to=", "suppressions?reason="];
    for (const list of lists) {
      const path = `/projects/${project.id}/${list}&limit=&offset=`;
      expect(await owner.get(path)).toMatchObject({ status: 200 });
    }
    expect(await owner.get("/workspaces?limit=")).toMatchObject({ status: 200 });
    expect(await sdk.get("/subscribers?limit=&offset=")).toMatchObject({
      status: 200,
      body: { data: { pagination: { limit: 50, offset: 0 } } },
    });
  });

  it("may be null in an object within the body", async () => {
    const html = "<p>{{unsubscribe_link}}</p>";
    const made = await owner.post(`/projects/${project.id}/templates`, {
      name: unique("template"),
      subject: "Hi",
      html_body: "<p>Hi</p>",
    });
    const recipients = [{ to: address(), data: null }];
    const batch = { template_id: made.body["id"], recipients };
    expect(await owner.post(`${send}/batch`, batch)).toMatchObject({
      status: 200,
      body: { sent: 1 },
    });
    const row = { email: "someone@example.com", name: null, status: null, metadata: null };
    const imported = await owner.post(`/projects/${project.id}/subscribers/import`, [row]);
    expect(imported.status).toBe(200);
    const filter = { status: null, source: null };
    const broadcast = { subject: "Hi", html, filter };
    expect(await sdk.post("/broadcast", broadcast)).toMatchObject({ status: 202 });
    const attachment = { filename: "a.txt", content: "QQ==", content_type: null, content_id: null };
    const mail = { to: address(), subject: "Hi", html_body: "x", tags: { a: null } };
    expect(await owner.post(send, { ...mail, attachments: [attachment] })).toMatchObject({
      status: 200,
    });
  });

  it("is not inferred from null in free-form data", async () => {
    const metadata = { plan: null };
    const made = await owner.post(`/projects/${project.id}/subscribers`, {
      email: address(),
      metadata,
    });
    expect(made.body).toMatchObject({ metadata });
  });

  it("may be any body on a route that takes none", async () => {
    const person = await service.newOwner();
    for (const { method, path } of [
      { method: "POST", path: `/projects/${project.id}/bounce-webhook/rotate` },
      { method: "DELETE", path: `/projects/${(await owner.newProject()).id}` },
    ])
      for (const body of ["not JSON"])
        expect([200, 204]).toContain((await owner.request(method, path, body)).status);
    expect((await person.post("/auth/logout", "{")).status).toBe(204);
  });
});

describe("an error with several causes", () => {
  it("lists all of them in `details` and the first one in `error`", async () => {
    const body = { to: "nobody", subject: "", html_body: 1, cc: ["x"], reply_to: 5 };
    const { status, body: told } = await owner.post(send, body);
    expect(status).toBe(400);
    expect(told).toMatchObject({
      error: expect.stringMatching(/^to: is not an email address/),
      details: [
        { path: "to", message: expect.stringMatching(/^is not an email address/) },
        { path: "subject", message: "is required" },
        { path: "html_body", message: "must be a string" },
        { path: "cc.0", message: expect.stringMatching(/^is not an email address/) },
        { path: "reply_to", message: "must be an address or a list of addresses" },
      ],
    });
  });

  it("lists them in the envelope of the key-based API, too", async () => {
    expect(await sdk.post("/broadcast", {})).toMatchObject({
      status: 400,
      body: {
        success: false,
        error: "missing required field: subject",
        details: [
          { path: "", message: "missing required field: subject" },
          { path: "", message: "missing required field: template or html" },
        ],
      },
    });
  });

  it("lists those of the query", async () => {
    const { body } = await owner.get(`/projects/${project.id}/logs?limit=x&offset=y`);
    expect(body["details"]).toMatchObject([
      { path: "limit", message: "must be a whole number" },
      { path: "offset", message: "must be a whole number" },
    ]);
  });

  it("lists at most 20 causes, and at most five unknown fields", async () => {
    const cc = Array.from({ length: 30 }, () => "no address");
    const { body } = await owner.post(send, { to: address(), subject: "Hi", html_body: "x", cc });
    expect(body["details"]).toHaveLength(20);
    const extra = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`x${n}`, 1]));
    const filter = { filter: extra, subject: "Hi", html: "x" };
    expect((await sdk.post("/broadcast", filter)).body["error"]).toBe(
      "filter: must not have x0, x1, x2, x3, x4 and 995 more",
    );
  });

  it("has a code for programs, and one for each field", async () => {
    expect((await owner.post("/projects", {})).body).toMatchObject({
      error: "name: is required",
      code: "invalid_request",
      details: [{ path: "name", code: "required", message: "is required" }],
    });
    const name = "x".repeat(201);
    expect((await owner.post("/projects", { name })).body["details"]).toEqual([
      {
        path: "name",
        code: "too_long",
        params: { max: 200 },
        message: "must have at most 200 characters",
      },
    ]);
  });
});

describe("a request body", () => {
  it("gets 400 if it is not valid UTF-8", async () => {
    const bytes = new TextEncoder().encode('{"name":"Caf?"}');
    bytes[bytes.indexOf(0x3f)] = 0xe9; // é in Latin-1
    const response = await service.fetch("/api/v1/projects", {
      method: "POST",
      headers: { Cookie: owner.cookie, "Content-Type": "application/json" },
      body: bytes,
    });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: "the body is not valid UTF-8" },
    ]);
  });
});
