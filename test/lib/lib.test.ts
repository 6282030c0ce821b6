import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromBase64, fromBase64Url, toBase64Url, toHex } from "../../src/lib/encoding.ts";
import { secretsEqual, sha256Hex } from "../../src/lib/hash.ts";
import { ulidAt, uuidAt } from "../../src/lib/ids.ts";
import { findExcess } from "../../src/lib/json-bounds.ts";
import { DECOY_HASH, hashPassword, verifyPassword } from "../../src/lib/password-hash.ts";
import { randomToken } from "../../src/lib/random-token.ts";
import { readLimited } from "../../src/lib/read-limited.ts";
import type { Deps } from "../../src/deps.ts";
import { importSealingKey, seal, unseal, unsealed, type SealingKeys } from "../../src/lib/seal.ts";
import {
  clickLink,
  openClickPayload,
  pixelUrl,
  unsubscribeUrl,
} from "../../src/services/tracking/click-link.ts";
import { isUndoToken, undoToken } from "../../src/services/tracking/undo-token.ts";
import { clickRowsOf } from "../../src/services/tracking/visit-rows.ts";

const NOW = Date.UTC(2026, 9, 1);
const keyOf = (byte: number) => importSealingKey(new Uint8Array(32).fill(byte));
const keysOf = async (current: number, previous?: number): Promise<SealingKeys> => ({
  current: await keyOf(current),
  previous: previous === undefined ? undefined : await keyOf(previous),
});

describe("sealing", async () => {
  const keys = await keysOf(1);
  const CONTEXT = "project:1:smtp_password";

  it("opens every text that it sealed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), async (secret) => {
        expect(await unseal(keys, await seal(keys, secret, CONTEXT), CONTEXT)).toBe(secret);
      }),
    );
  });

  it("never produces the same ciphertext twice, and includes the key's id in it", async () => {
    const sealed = await Promise.all([1, 2].map(() => seal(keys, "secret", CONTEXT)));
    expect(sealed[0]).not.toBe(sealed[1]);
    for (const text of sealed)
      expect(text).toMatch(new RegExp(`^v1\\.${keys.current.id}\\.[\\w-]{16}\\.[\\w-]{30}$`));
  });

  it("identifies the key by the first eight hex digits of its SHA-256 and reports a missing one", async () => {
    const raw = new Uint8Array(32).fill(1);
    const id = createHash("sha256").update(raw).digest("hex").slice(0, 8);
    expect(keys.current.id).toBe(id);
    const sealed = await seal(keys, "secret", CONTEXT);
    await expect(unseal(await keysOf(2), sealed, CONTEXT)).rejects.toThrow(
      `ENCRYPTION_KEY with id ${id} is missing`,
    );
  });

  it("does not open in another context", async () => {
    const sealed = await seal(keys, "secret", CONTEXT);
    expect(await unsealed(keys, sealed, CONTEXT)).toBe("secret"); // it is known from now on
    for (const context of ["project:2:smtp_password", "project:1:imap_password", ""])
      await expect(unsealed(keys, sealed, context)).rejects.toThrow();
  });

  it("does not open with any character changed", async () => {
    const sealed = await seal(keys, "secret", CONTEXT);
    for (let at = 0; at < sealed.length; at++) {
      const other = sealed[at] === "A" ? "B" : "A";
      const damaged = sealed.slice(0, at) + other + sealed.slice(at + 1);
      // The last digit of base64url holds bits that are not read.
      if (toHexOf(damaged) === toHexOf(sealed)) continue;
      await expect(unseal(keys, damaged, CONTEXT)).rejects.toThrow();
    }
  });

  it("opens with the previous key during a rotation and seals with the current one", async () => {
    const old = await seal(await keysOf(1), "secret", CONTEXT);
    const rotating = await keysOf(2, 1);
    expect(await unseal(rotating, old, CONTEXT)).toBe("secret");
    const renewed = await seal(rotating, "secret", CONTEXT);
    expect(await unseal(await keysOf(2), renewed, CONTEXT)).toBe("secret");
  });

  it("names the missing key after a rotation", async () => {
    const old = await seal(keys, "secret", CONTEXT);
    await expect(unseal(await keysOf(2, 3), old, CONTEXT)).rejects.toThrow(keys.current.id);
  });

  it.each(["", "v1", "v1...", "v2.a.b.c", "plain words"])("refuses %j", async (text) => {
    await expect(unseal(keys, text, CONTEXT)).rejects.toThrow();
  });
});

/** Bytes of a sealed text, part by part. */
const toHexOf = (sealed: string) =>
  sealed
    .split(".")
    .map((part, index) => {
      const decoded = fromBase64Url(part);
      return index > 1 && decoded.ok ? toHex(decoded.bytes) : part;
    })
    .join();

describe("random tokens", () => {
  const tokens = Array.from({ length: 2_000 }, randomToken);

  it("are 43 base62 digits, all different", () => {
    for (const token of tokens) expect(token).toMatch(/^[0-9A-Za-z]{43}$/);
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  it("use every digit equally often", () => {
    const counts = new Map<string, number>();
    for (const digit of tokens.join("")) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    const expected = (tokens.length * 43) / 62;
    const sixSigma = 6 * Math.sqrt(expected);
    expect(counts.size).toBe(62);
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(sixSigma);
  });
});

describe("base64", () => {
  it("decodes every byte string from base64url and base64, padded or not", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const standard = btoa(String.fromCharCode(...bytes));
        const url = toBase64Url(bytes);
        expect(url).toMatch(/^[\w-]*$/);
        const plain = new Uint8Array(bytes);
        expect(fromBase64Url(url)).toEqual({ ok: true, bytes: plain });
        expect(fromBase64(standard)).toEqual({ ok: true, bytes: plain });
        expect(fromBase64(standard.replace(/=+$/, ""))).toEqual({ ok: true, bytes: plain });
      }),
    );
  });

  it("rejects other characters, and padding in the wrong place or number", () => {
    const unit = fc.constantFrom(..."Aaz09+/=-\\ é".split(""));
    const groups = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        expect(fromBase64(text).ok).toBe(groups.test(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it("decodes the largest attachment", () => {
    const decoded = fromBase64("A".repeat(14_000_000));
    expect(decoded.ok && decoded.bytes.length).toBe(10_500_000);
  });

  it("encodes only the view of a larger buffer", () => {
    const view = new Uint8Array([1, 2, 3, 4]).subarray(1, 3);
    expect([toHex(view), toBase64Url(view)]).toEqual(["0203", "AgM"]);
  });

  it.each([
    "A",
    "AAAAA",
    "=",
    "==",
    "AA=",
    "AAA==",
    "AAAA=",
    "AAAA==",
    "AAAAAA=",
    "A===",
    "AA==AA",
    "AA AA",
    "AAAA\n",
    "_w",
    "é",
  ])("refuses %j", (text) => {
    expect(fromBase64(text)).toEqual({ ok: false });
  });

  it.each(["A", "AAAAA", "AA==", "+w", "/w", " "])("refuses %j as base64url", (text) => {
    expect(fromBase64Url(text)).toEqual({ ok: false });
  });
});

describe("hashes", () => {
  it("are SHA-256 of UTF-8 in hexadecimal", () => {
    // FIPS 180-4 examples, and one beyond ASCII.
    expect(sha256Hex("abc")).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
    expect(sha256Hex("é")).toBe("4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c");
  });

  it("compare secrets of any length", () => {
    expect(secretsEqual("abc", "abc")).toBe(true);
    for (const other of ["", "abd", "ab", "abcd"]) expect(secretsEqual("abc", other)).toBe(false);
  });
});

describe("ids", () => {
  it("are UUIDv7 that start with their time", () => {
    const id = uuidAt(NOW);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(NOW);
  });

  it("sort by time and differ within a millisecond", () => {
    for (const idAt of [uuidAt, ulidAt]) {
      const later = [0, 1, 2, 1_000, 1e9].map((ms) => idAt(NOW + ms));
      expect(later.toSorted()).toEqual(later);
      expect(new Set(Array.from({ length: 10_000 }, () => idAt(NOW))).size).toBe(10_000);
    }
    expect(ulidAt(NOW)).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });
});

describe("a limited read", () => {
  const streamOf = (chunks: string[]) => {
    const source = { pulled: 0, cancelled: false, stream: new ReadableStream<Uint8Array>() };
    source.stream = new ReadableStream(
      {
        pull(controller) {
          const chunk = chunks[source.pulled++];
          if (chunk === undefined) controller.close();
          else controller.enqueue(new TextEncoder().encode(chunk));
        },
        cancel() {
          source.cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    return source;
  };

  it("joins the chunks of a body up to the limit and reads a missing body as empty", async () => {
    const read = await readLimited(streamOf(["ab", "", "cde"]).stream, 5);
    expect(read).toEqual({ ok: true, bytes: new TextEncoder().encode("abcde") });
    expect(await readLimited(null, 5)).toEqual({ ok: true, bytes: new Uint8Array() });
    expect(await readLimited(streamOf([]).stream, 0)).toEqual({
      ok: true,
      bytes: new Uint8Array(),
    });
  });

  it("stops at the first byte over the limit and releases the body", async () => {
    const source = streamOf(["abc", "def", "ghi", "jkl"]);
    expect(await readLimited(source.stream, 5)).toEqual({ ok: false });
    expect(source).toMatchObject({ pulled: 2, cancelled: true });
  });
});

describe("password hashes", () => {
  it("match only their own password and never repeat", async () => {
    const [one, two] = [await hashPassword("correct horse"), await hashPassword("correct horse")];
    expect(one).not.toBe(two);
    expect(one).toMatch(/^scrypt\$16384\$8\$1\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
    expect(await verifyPassword("correct horse", one)).toBe(true);
    expect(await verifyPassword("correct horse ", one)).toBe(false);
    expect(await verifyPassword("", one)).toBe(false);
  });

  it("match a password in any Unicode composition", async () => {
    const stored = await hashPassword("caf\u00e9 \ufb01n");
    expect(await verifyPassword("cafe\u0301 fin", stored)).toBe(true);
  });

  it("are verified with their own parameters", async () => {
    // made with OpenSSL
    const cheaper = "scrypt$1024$8$2$TmFDbA==$bRoW005VQ/+p9jIt5/wXoOGkG1bpsdKnSAOwZ9JOX2Y=";
    expect(await verifyPassword("password", cheaper)).toBe(true);
    expect(await verifyPassword("passwords", cheaper)).toBe(false);
    const other = cheaper.replace("$1024$", "$2048$");
    expect(await verifyPassword("password", other)).toBe(false);
  });

  it.each([
    "",
    "plain",
    "bcrypt$16384$8$1$c2FsdA==$a2V5",
    "scrypt$16384$8$1$c2FsdA==",
    "scrypt$16384$8$1$c2FsdA==$!",
    "scrypt$16384$8$1$c2FsdA==$a2V5",
    `scrypt$16384$8$16$c2FsdA==$${"A".repeat(43)}=`,
    `scrypt$1048576$8$1$c2FsdA==$${"A".repeat(43)}=`,
    `scrypt$x$8$1$c2FsdA==$${"A".repeat(43)}=`,
    `scrypt$-2$8$1$c2FsdA==$${"A".repeat(43)}=`,
  ])("throw if corrupt and match no password: %j", async (stored) => {
    await expect(verifyPassword("anything", stored)).rejects.toThrow();
  });

  it("include a decoy of the same format and cost that matches no password", async () => {
    const shape = (hash: string) =>
      hash.split("$").map((part, at) => (at < 4 ? part : part.length));
    expect(shape(DECOY_HASH)).toEqual(shape(await hashPassword("x")));
    for (const password of ["", "x", "\0"])
      expect(await verifyPassword(password, DECOY_HASH)).toBe(false);
  });
});

describe("the limits on JSON", () => {
  /**
   * Levels and largest number of entries and values of parsed JSON; an empty list counts as one
   * entry and one value more.
   */
  function measure(value: unknown): { levels: number; entries: number; values: number } {
    if (typeof value !== "object" || value === null) return { levels: 0, entries: 0, values: 1 };
    const inner = Object.values(value).map(measure);
    return {
      levels: 1 + Math.max(0, ...inner.map(({ levels }) => levels)),
      entries: Math.max(1, inner.length, ...inner.map(({ entries }) => entries)),
      values: inner.reduce((sum, { values }) => sum + values, 1 + (inner.length === 0 ? 1 : 0)),
    };
  }
  const excess = (text: string, bounds: Parameters<typeof findExcess>[1]) =>
    findExcess(new TextEncoder().encode(text), bounds);

  it("accept exactly the texts whose parsed values respect them, with or without quoted characters", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const found = measure(JSON.parse(text));
        expect(excess(text, found)).toBeUndefined();
        const { levels, entries, values } = found;
        if (levels === 0) return;
        expect(excess(text, { ...found, levels: levels - 1 })).toMatchObject({
          code: "nested_deeper",
        });
        expect(excess(text, { ...found, values: values - 1 })).toMatchObject({
          code: "more_values",
        });
        if (entries === 1) return;
        expect(excess(text, { ...found, entries: entries - 1 })).toMatchObject({
          code: "more_entries",
        });
      }),
    );
  });

  it("ignore brackets, commas and escaped quotes inside a string", () => {
    const bounds = { levels: 1, entries: 2, values: 3 };
    expect(excess(JSON.stringify(['[[,,,"\\', '\\"[,']), bounds)).toBeUndefined();
    expect(excess('["a\\\\",[[1]]]', bounds)).toMatchObject({
      code: "nested_deeper",
      params: { max: 1 },
    });
  });

  it("leave invalid JSON to the parser", () => {
    const bounds = { levels: 1, entries: 2, values: 3 };
    for (const text of ["", "]]]", '"', '["', '["\\"', "}{"])
      expect(excess(text, bounds)).toBeUndefined();
  });
});

describe("the MAC of a link", () => {
  const ID = "01890000-0000-7000-8000-000000000001";
  const OTHER_ID = "01890000-0000-7000-8000-000000000002";
  const MAIL = { projectId: "01890000-0000-7000-8000-000000000003", logId: ID };
  const URL_A = "https://shop.test/a?b=日本";
  const OPENED = { ok: true, url: URL_A, projectId: MAIL.projectId };
  const appWith = (current: string, previous?: string) =>
    ({ config: { baseUrl: "https://mail.test", linkSecrets: { current, previous } } }) as Deps;
  const deps = appWith("new");
  const macOf = (secret: string, text: string) =>
    createHmac("sha256", secret).update(text).digest("base64url");
  const encoded = (text: string) => Buffer.from(text).toString("base64url");
  const project = Buffer.from(MAIL.projectId.replaceAll("-", ""), "hex").toString("base64url");
  const payloadOf = (link: string) => link.slice(link.lastIndexOf("/") + 1);

  it("covers the purpose, the ids of project and mail, and the URL exactly as in the link", async () => {
    const secret = crypto.randomUUID(); // without a cached key
    const mac = macOf(secret, `click:${project}/${ID}.${encoded(URL_A)}`);
    const link = `https://mail.test/c/${ID}/${encoded(URL_A)}.${project}${mac}`;
    expect(await clickLink(appWith(secret), MAIL, URL_A)).toBe(link);
    expect(await openClickPayload(appWith(secret), ID, payloadOf(link))).toEqual(OPENED);
  });

  it("is valid only for that link of that mail", async () => {
    const payload = payloadOf(await clickLink(deps, MAIL, URL_A));
    const [url = "", mac = ""] = payload.split(".");
    const changed = Array.from(mac, (character, at) => {
      const other = character === "A" ? "B" : "A";
      return `${url}.${mac.slice(0, at)}${other}${mac.slice(at + 1)}`;
    });
    const damaged = [
      `${payload}A`,
      payload.slice(0, -1),
      `${payload}.`,
      `${encoded("https://evil.test")}.${mac}`,
      `${url}.${mac.slice(22)}`, // without the project
      `${url}.${mac.slice(0, 22)}.${mac.slice(22)}`, // the project as a tag
      `${url}.`,
      url,
      `.${mac}`,
      ".",
      "",
    ];
    for (const wrong of [...changed, ...damaged])
      expect(await openClickPayload(deps, ID, wrong)).toEqual({ ok: false });
    expect(await openClickPayload(deps, OTHER_ID, payload)).toEqual({ ok: false });
    const ofUndo = macOf("new", `undo-unsubscribe:${ID}.${url}`);
    expect(await openClickPayload(deps, ID, `${url}.${ofUndo}`)).toEqual({ ok: false });
  });

  it("stays valid after one rotation of the secret, for its own mail only", async () => {
    const payload = payloadOf(await clickLink(appWith("old"), MAIL, URL_A));
    expect(await openClickPayload(appWith("old"), ID, payload)).toEqual(OPENED);
    expect(await openClickPayload(appWith("new", "old"), ID, payload)).toEqual(OPENED);
    expect(await openClickPayload(appWith("newer", "new"), ID, payload)).toEqual({ ok: false });
    const url = encoded(URL_A);
    for (const text of [`${ID}.${url}`, `click:${ID}.${url}`])
      expect(await openClickPayload(deps, ID, `${url}.${macOf("new", text)}`)).toEqual({
        ok: false,
      });
    const noUuid = `${url}.${project}${macOf("new", `click:${project}/click:${ID}.${url}`)}`;
    expect(await openClickPayload(deps, `click:${ID}`, noUuid)).toEqual({ ok: false });
  });

  it("accepts every signed byte and rejects invalid base64url", async () => {
    const open = (url: string) =>
      openClickPayload(
        deps,
        ID,
        `${url}.${project}${macOf("new", `click:${project}/${ID}.${url}`)}`,
      );
    const byteOrderMark = "\ufeffhttps://shop.test";
    expect(await open(encoded(byteOrderMark))).toEqual({ ...OPENED, url: byteOrderMark });
    expect(await open("_w")).toEqual({ ...OPENED, url: "\ufffd" });
    expect(await open("a!")).toEqual({ ok: false });
  });

  it("undoes one unsubscription and no other", async () => {
    const one = { projectId: ID, subscriberId: OTHER_ID, at: NOW };
    const token = await undoToken(deps, one);
    expect(token).toBe(macOf("new", `undo-unsubscribe:${ID}.${OTHER_ID}.${NOW}`));
    expect(await isUndoToken(deps, one, token)).toBe(true);
    const others = [
      { ...one, projectId: OTHER_ID },
      { ...one, subscriberId: ID },
      { ...one, at: NOW + 1 },
    ];
    for (const other of others) expect(await isUndoToken(deps, other, token)).toBe(false);
    const bare = macOf("new", `${ID}.${OTHER_ID}.${NOW}`);
    for (const wrong of ["", bare, `${token}A`])
      expect(await isUndoToken(deps, one, wrong)).toBe(false);
  });
});

describe("the URLs in a mail", () => {
  it("identify the mail, or the project and the subscriber", () => {
    const deps = { config: { baseUrl: "https://mail.test" } } as Deps;
    expect(pixelUrl(deps, "log")).toBe("https://mail.test/t/log.gif");
    expect(unsubscribeUrl(deps, "p", "s")).toBe("https://mail.test/unsubscribe/p/s");
  });
});

describe("clicks in a burst", () => {
  const clickOf = (logId: string, url: string, ms: number) => ({
    kind: "click" as const,
    id: `${logId} ${url} ${ms}`,
    logId,
    url,
    at: NOW + ms,
    userAgent: "",
    ipAddress: "",
  });

  it("are those within two seconds of another link of their mail, in any order", () => {
    const clicks = [
      clickOf("near", "b", 2_000),
      clickOf("near", "a", 0),
      clickOf("far", "b", 2_001),
      clickOf("far", "a", 0),
      clickOf("one link", "a", 0),
      clickOf("one link", "a", 1),
      clickOf("another mail", "b", 0),
      clickOf("chain", "b", 2_500),
      clickOf("chain", "a", 500),
      clickOf("chain", "a", 400),
      clickOf("reverse chain", "a", 2_100),
      clickOf("reverse chain", "a", 2_000),
      clickOf("reverse chain", "b", 0),
    ];
    const hurried = ["near a 0", "near b 2000", "chain a 500", "chain b 2500"];
    hurried.push("reverse chain a 2000", "reverse chain b 0");
    const rows = clickRowsOf(clicks, () => null);
    const found = rows.filter((row) => row.class === "scanner").map(({ id }) => id);
    expect(found.toSorted()).toEqual(hurried.toSorted());
  });
});
