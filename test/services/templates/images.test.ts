/* The image library: uploads, the address of the bytes, deletion and the nightly removal. */
import { describe, expect, it, vi } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { removeOldImages } from "../../../src/services/images/index.ts";
import { DAY_MS } from "../../../src/lib/durations.ts";
import { GIF, JPEG, pngOf, WEBP } from "../../support/pictures.ts";
import { allRows } from "../../support/rows.ts";
import { createService, unique, type Client } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();

interface Image {
  id: string;
  url: string;
  [field: string]: unknown;
}

const newPlace = async () => `/projects/${(await owner.newProject()).id}/images`;
const upload = (path: string, bytes: BodyInit, query = "", client: Client = owner) =>
  client.request<Image>("POST", `${path}${query}`, bytes, { "Content-Type": "text/plain" });
const load = (url: string, init: RequestInit = {}) => service.fetch(url, init);
const bytesAt = async (url: string) => new Uint8Array(await (await load(url)).arrayBuffer());
const keyOf = ({ url }: Image) => new URL(url).pathname.slice("/images/".length);
const bucket = service.env.IMAGES as R2Bucket;
/** A shade that no other picture of this file has. */
let shade = 0;
const nextPng = () => pngOf(3, 2, (shade += 1));

/** The service so many days from now. */
const depsIn = (days: number, env = service.env) =>
  createService(env, { now: () => Date.now() + days * DAY_MS }).deps();
const removeIn = async (days: number) => removeOldImages(await depsIn(days));

describe("an upload", () => {
  it.each([
    ["png", "image/png", pngOf(600, 200), { width: 600, height: 200 }],
    ["jpeg", "image/jpeg", JPEG, { width: 3, height: 2 }],
    ["gif", "image/gif", GIF, { width: 1, height: 1 }],
    ["webp", "image/webp", WEBP[0], { width: 1, height: 1 }],
    ["webp", "image/webp", WEBP[1], { width: 1, height: 1 }],
    ["webp", "image/webp", WEBP[2], { width: 1, height: 1 }],
  ])("of %s is recognized by its bytes and served as %s", async (type, served, bytes, size) => {
    const path = await newPlace();
    const made = await upload(path, bytes as Uint8Array<ArrayBuffer>, "?name=Logo&alt=Our+logo");
    const facts = { name: "Logo", alt: "Our logo", type, ...size, bytes: bytes?.length };
    expect(made).toMatchObject({ status: 201, body: facts });
    const answer = await load(made.body.url);
    expect(answer.headers.get("Content-Type")).toBe(served);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
  });

  it("of the same bytes is the same image, and of another project another address", async () => {
    const [path, other] = [await newPlace(), await newPlace()];
    const bytes = nextPng();
    const { body } = await upload(path, bytes, "?name=First");
    expect(await upload(path, bytes, "?name=Second")).toMatchObject({ status: 200, body });
    const foreign = await upload(other, bytes);
    expect(foreign.status).toBe(201);
    expect(foreign.body.url).not.toBe(body.url);
  });

  const svg = '<?xml version="1.0"?><!-- x --><svg xmlns="http://www.w3.org/2000/svg"/>';
  const png = pngOf(3, 2);
  const html = "<html><script>alert(1)</script></html>";
  it.each<[string, BodyInit, string]>([
    ["SVG", svg, "image_is_svg"],
    ["HTML", html, "not_an_image"],
    ["nothing", "", "not_an_image"],
    ["HTML that begins like a GIF", `GIF89a${html}`, "image_damaged"],
    ["HTML that begins like a WebP", `RIFF\0\0\0\0WEBP${html}`, "image_damaged"],
    ["a PNG that was cut off", png.slice(0, -1), "image_damaged"],
    ["a PNG without pixels", png.slice(0, 33), "image_damaged"],
    ["a JPEG that was cut off", JPEG.slice(0, -2), "image_damaged"],
    ["a GIF that was cut off", GIF.slice(0, -1), "image_damaged"],
    ["a WebP that was cut off", (WEBP[0] as Uint8Array<ArrayBuffer>).slice(0, -1), "image_damaged"],
    ["a PNG of huge size", pngOf(20_000, 1), "image_size_not_allowed"],
    ["a PNG of no size", pngOf(0, 1), "image_size_not_allowed"],
  ])("refuses %s", async (_what, bytes, code) => {
    const path = await newPlace();
    expect(await upload(path, bytes)).toMatchObject({ status: 400, body: { code } });
    expect(await allRows("select id from images where project_id = ?", path.split("/")[2])).toEqual(
      [],
    );
  });

  it("reads no more of an endless body than an image may have", async () => {
    const path = await newPlace();
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (stream) => {
        sent += 1;
        stream.enqueue(new Uint8Array(1_048_576));
      },
    });
    expect(await upload(path, endless)).toMatchObject({
      status: 413,
      body: { code: "payload_too_large", params: { limit: "10 MiB" } },
    });
    expect(sent).toBeLessThan(40);
  });

  it("costs three round trips to D1, or two for bytes that the library has", async () => {
    const path = await newPlace();
    const bytes = nextPng();
    await upload(path, nextPng());
    const costs = [];
    for (const _upload of ["first", "second"]) {
      service.d1.reset();
      await upload(path, bytes);
      costs.push([service.d1.roundTrips, service.d1.rowsWritten]);
    }
    expect(costs).toEqual([
      [3, 9],
      [2, 0],
    ]);
  });

  it("needs the role of an author, of this project", async () => {
    const path = await newPlace();
    const stranger = await service.newOwner();
    expect((await upload(path, nextPng(), "", stranger)).status).toBe(403);
    expect((await upload(path, nextPng(), "", service.anonymous)).status).toBe(401);
    const { body } = await upload(path, nextPng());
    const other = await newPlace();
    for (const [method, change] of [["GET"], ["DELETE"], ["PATCH", { name: "Mine" }]] as const)
      expect((await owner.request(method, `${other}/${body.id}`, change)).status).toBe(404);
  });

  it("that crashes between the database and R2 leaves nothing that lasts", async () => {
    const broken = createService({
      IMAGES: { put: async () => Promise.reject(new Error("R2 is down")) } as unknown as R2Bucket,
    });
    const path = await newPlace();
    const bytes = nextPng();
    const quiet = vi.spyOn(console, "error").mockReturnValue();
    const headers = { Cookie: owner.cookie };
    const failed = await broken.fetch(`/api/v1${path}`, { method: "POST", headers, body: bytes });
    quiet.mockRestore();
    expect(failed.status).toBe(500);
    expect((await owner.get<{ images: Image[] }>(path)).body.images).toEqual([]);
    // The next upload of the same bytes ends what this one began.
    const { status, body } = await upload(path, bytes);
    expect(status).toBe(201);
    expect(await bytesAt(body.url)).toEqual(bytes);
  });

  it("is refused once the project stores as much as it may, deleted images included", async () => {
    const path = await newPlace();
    const { body } = await upload(path, nextPng());
    await owner.delete(`${path}/${body.id}`);
    await allRows("update images set bytes = 1073741824 - 80 where id = ?", body.id);
    const full = { status: 409, body: { code: "image_library_full" } };
    expect(await upload(path, pngOf(100, 100, 7))).toMatchObject(full);
    expect((await bucket.list({ prefix: path.split("/")[2] ?? "" })).objects).toHaveLength(1);
  });

  it("is 503 in a deployment without R2, which serves no image", async () => {
    const without = createService({ IMAGES: undefined });
    const path = await newPlace();
    const { body } = await upload(path, nextPng());
    const headers = { Cookie: owner.cookie };
    for (const method of ["GET", "POST"]) {
      const answer = await without.fetch(`/api/v1${path}`, { method, headers });
      expect([answer.status, await answer.json()]).toMatchObject([
        503,
        { code: "images_not_bound" },
      ]);
    }
    expect((await without.fetch(new URL(body.url).pathname)).status).toBe(404);
  });
});

describe("the library", () => {
  it("lists images newest first, by name and in pages", async () => {
    const path = await newPlace();
    for (const name of ["Shop", "Logo", "Logo small"])
      await upload(path, nextPng(), `?name=${name}`);
    const namesOf = async (query: string) => {
      const { body } = await owner.get<{ images: Image[]; total?: number; next?: string }>(
        `${path}?${query}`,
      );
      return { ...body, images: body.images.map(({ name }) => name) };
    };
    expect(await namesOf("")).toEqual({ images: ["Logo small", "Logo", "Shop"], total: 3 });
    expect(await namesOf("search=lOGO")).toEqual({ images: ["Logo small", "Logo"], total: 2 });
    const { next, ...page } = await namesOf("limit=2&after=");
    expect(page).toEqual({ images: ["Logo small", "Logo"], total: 3 });
    expect(await namesOf(`limit=2&after=${next}`)).toEqual({ images: ["Shop"], next: null });
  });

  it("says which mails show an image", async () => {
    const project = await owner.newProject();
    const path = `/projects/${project.id}`;
    const { body: image } = await upload(`${path}/images`, nextPng());
    const html_body = `<p><img src="${image.url}" alt=""></p>`;
    const name = unique("template");
    const template = await owner.post(`${path}/templates`, { name, html_body });
    await owner.post(`${path}/templates`, { name: "other", html_body: "<p>Hi</p>" });
    const draft = await owner.post(`${path}/broadcasts`, {
      name: "Spring",
      subject: "Spring",
      html_body,
    });
    const { body } = await owner.get(`${path}/images/${image.id}`);
    expect(body["used_in"]).toEqual([
      { kind: "draft", id: draft.body["id"], name: "Spring" },
      { kind: "template", id: template.body["id"], name },
    ]);
  });

  it("changes the name and the text of an image, and keeps its address", async () => {
    const path = await newPlace();
    const { body } = await upload(path, nextPng());
    expect(body).toMatchObject({ name: "image.png", alt: "" });
    const at = `${path}/${body.id}`;
    const changed = { ...body, name: "Shop", alt: "Our shop" };
    expect(await owner.request("PATCH", at, { name: "Shop", alt: "Our shop" })).toMatchObject({
      status: 200,
      body: changed,
    });
    expect((await owner.request("PATCH", at, {})).status).toBe(400);
    expect((await owner.request("PATCH", at, { alt: "x".repeat(501) })).status).toBe(400);
    expect((await owner.get(at)).body).toMatchObject(changed);
  });
});

describe("the address of an image", () => {
  it("answers for a year from the cache, without the database", async () => {
    const { body } = await upload(await newPlace(), nextPng());
    service.d1.reset();
    const answer = await load(`${body.url}?again`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'; sandbox",
      "content-type": "image/png",
      "content-length": String(body["bytes"]),
      "cross-origin-resource-policy": "cross-origin",
      etag: `"${keyOf(body).slice(37, 101)}"`,
      "x-content-type-options": "nosniff",
    });
    await bucket.delete(keyOf(body));
    expect((await load(body.url)).status).toBe(200);
    expect(service.d1.roundTrips).toBe(0);
  });

  it("answers HEAD without bytes, and 304 to a client that has them", async () => {
    const { body } = await upload(await newPlace(), nextPng());
    const head = await load(body.url, { method: "HEAD" });
    expect([head.status, head.headers.get("Content-Type"), await head.text()]).toEqual([
      200,
      "image/png",
      "",
    ]);
    const etag = head.headers.get("ETag") ?? "";
    const known = await load(body.url, { headers: { "If-None-Match": `"x", W/${etag}` } });
    expect([known.status, known.headers.get("ETag")]).toEqual([304, etag]);
    const other = await load(body.url, { headers: { "If-None-Match": '"x"' } });
    expect(other.status).toBe(200);
  });

  it("is 404 for anything else, and 405 for writes", async () => {
    const { body } = await upload(await newPlace(), nextPng());
    service.d1.reset();
    const key = keyOf(body);
    const wrong = [
      key.replace(".png", ".gif"),
      key.replace(".png", ""),
      key.replace("/", "%2F"),
      key.replace(/^[^/]+/, crypto.randomUUID()),
      key.slice(0, 36),
      `${key}/x`,
      "",
    ];
    for (const one of wrong) {
      const answer = await service.fetch(`/images/${one}`, { headers: { Accept: "text/html" } });
      expect([one, answer.status, answer.headers.get("X-Content-Type-Options")]).toEqual([
        one,
        404,
        "nosniff",
      ]);
    }
    expect((await load(body.url, { method: "DELETE" })).status).toBe(405);
    expect(service.d1.roundTrips).toBe(0);
  });
});

describe("a deleted image", () => {
  it("leaves the library at once, and mails a year later", async () => {
    const path = await newPlace();
    const [gone, kept] = [
      (await upload(path, nextPng())).body,
      (await upload(path, nextPng())).body,
    ];
    expect((await owner.delete(`${path}/${gone.id}`)).status).toBe(204);
    expect((await owner.delete(`${path}/${gone.id}`)).status).toBe(404);
    expect((await owner.get<{ images: Image[] }>(path)).body.images).toEqual([kept]);
    await removeIn(364);
    expect(await bucket.head(keyOf(gone))).not.toBeNull();
    await removeIn(366);
    expect(await bucket.head(keyOf(gone))).toBeNull();
    expect(await bucket.head(keyOf(kept))).not.toBeNull();
    expect(await allRows("select id from images where id = ?", gone.id)).toEqual([]);
  });

  it("comes back with its bytes, and then stays", async () => {
    const path = await newPlace();
    const bytes = nextPng();
    const { body } = await upload(path, bytes);
    await owner.delete(`${path}/${body.id}`);
    const again = await upload(path, bytes, "?name=Again");
    expect(again).toMatchObject({ status: 201, body: { ...body, name: "Again" } });
    await removeIn(400);
    expect(await bucket.head(keyOf(body))).not.toBeNull();
  });

  it("is not restored while its bytes are being removed", async () => {
    const path = await newPlace();
    const bytes = nextPng();
    const { body } = await upload(path, bytes);
    await owner.delete(`${path}/${body.id}`);
    const halts = {
      delete: async (keys: string[]) => {
        await bucket.delete(keys);
        throw new Error("the Worker died");
      },
    } as unknown as R2Bucket;
    const died = removeOldImages(await depsIn(366, { ...service.env, IMAGES: halts }));
    await expect(died).rejects.toThrow("died");
    const refused = await upload(path, bytes);
    expect(refused).toMatchObject({ status: 503, body: { code: "image_being_removed" } });
    expect(refused.headers.get("Retry-After")).not.toBeNull();
    // The next night ends the removal.
    await removeIn(367);
    expect((await upload(path, bytes)).status).toBe(201);
    expect(await bytesAt(body.url)).toEqual(bytes);
  });

  it("of a deleted project goes the next night", async () => {
    const path = await newPlace();
    const { body } = await upload(path, nextPng());
    expect((await owner.delete(path.replace("/images", ""))).status).toBe(204);
    await runScheduled(await depsIn(1), "17 3 * * *");
    expect(await bucket.head(keyOf(body))).toBeNull();
    expect(await allRows("select id from images where id = ?", body.id)).toEqual([]);
  });
});
