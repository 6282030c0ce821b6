import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteBuffer } from "../../src/mail/net/byte-buffer.ts";
import { Connection } from "../../src/mail/net/connection.ts";
import { type ConnectionFault } from "../../src/mail/net/connection-error.ts";
import {
  checkHost,
  checkMailHost,
  checkUrl,
  isLoopbackHost,
} from "../../src/mail/net/host-guard.ts";
import { peekCertificate } from "../../src/mail/net/peek-certificate.ts";
import type { SocketFactory } from "../../src/mail/net/socket.ts";
import { secretHider } from "../../src/mail/net/hide-secrets.ts";
import { parseIpAddress } from "../../src/mail/net/special-addresses.ts";
import { startRawServer } from "../support/smtp/raw-client.ts";
import type { RawScript } from "../support/smtp/raw-script.ts";
import { sockets } from "../support/smtp/sending.ts";

const PUBLIC = { allowPrivate: false };
const PRIVATE = { allowPrivate: true };

const hex = (value: number) => value.toString(16);

/** One IPv4 address in many notations, and embedded in IPv6. */
const spellings = ([a, b, c, d]: [number, number, number, number]) => {
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const groups = `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
  return [
    `${a}.${b}.${c}.${d}`,
    String(number),
    `0x${hex(number)}`,
    `0${number.toString(8)}`,
    `0x${hex(a)}.0${b.toString(8)}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `::ffff:${groups}`,
    `[64:ff9b::${groups}]`,
    `2002:${groups}::1`,
    `64:ff9b:1::${groups}`,
    `2001:0:${groups}::`,
    `::${groups}`,
  ];
};

const fault = (kind: ConnectionFault) => expect.objectContaining({ fault: kind });

/** A platform that refuses every connection. */
const broken = () => {
  throw new TypeError("port 25 is not allowed");
};

describe("the host guard", () => {
  it.each([
    ["mail.example.com", "mail.example.com"],
    ["MAIL.Example.COM.", "mail.example.com"],
    ["my_host.example.com", "my_host.example.com"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["internal.example.com", "internal.example.com"],
    ["localhost.example.com", "localhost.example.com"],
    ["8.8.8.8", "8.8.8.8"],
    ["134744072", "8.8.8.8"],
    ["172.15.255.255", "172.15.255.255"],
    ["172.32.0.1", "172.32.0.1"],
    ["100.63.255.255", "100.63.255.255"],
    ["100.128.0.0", "100.128.0.0"],
    ["2606:4700::1111", "[2606:4700::1111]"],
    ["[2606:4700::1111]", "[2606:4700::1111]"],
    ["::ffff:8.8.8.8", "[::ffff:808:808]"],
    ["64:ff9b::8.8.8.8", "[64:ff9b::808:808]"],
    ["2002:808:808::1", "[2002:808:808::1]"],
    ["168.63.129.15", "168.63.129.15"],
    ["168.63.129.17", "168.63.129.17"],
    ["192.175.47.255", "192.175.47.255"],
    ["192.175.49.0", "192.175.49.0"],
    ["2620:4f:7fff::1", "[2620:4f:7fff::1]"],
    ["2001:200::1", "[2001:200::1]"],
    ["3ffe:ffff::1", "[3ffe:ffff::1]"],
    ["10.0.0.1.example.com", "10.0.0.1.example.com"],
    [`${"abcdefg.".repeat(31)}a.com`, `${"abcdefg.".repeat(31)}a.com`],
  ])("accepts %s as %s", (input, host) => {
    expect(checkHost(input, PUBLIC)).toEqual({ ok: true, host });
  });

  const privateAddresses = `
    127.0.0.1 127.255.255.254 0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255
    192.168.0.1 169.254.169.254 100.64.0.1 100.100.100.200 100.127.255.255 168.63.129.16 192.0.0.1
    192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1
    255.255.255.255 192.88.99.1 192.31.196.1 192.52.193.1 192.175.48.1

    2130706433 0x7f000001 017700000001 0177.0.0.1 0x7f.1 127.1 127.0.1 10.1 192.168.257 3232235777
    0xa9fea9fe 0xA9.0xFE.0xA9.0xFE 0xA83F8110 2822734096 025017700420 168.63.33040 127.0.0.1. １２７.0.0.1 127。0。0。1 ⑫⑦.0.0.1 0 0x0

    ::1 [::1] :: 0:0:0:0:0:0:0:1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::127.0.0.1 ::ffff:169.254.169.254
    64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b:1::1 64:ff9b:1:ffff:ffff::8.8.8.8 2002:7f00:1::
    2002:a9fe:a9fe::1 2002:c0a8:101:: 2001::1 2001:0:4136:e378:8000:63bf:80ff:fffe 2001:db8::1
    3fff::1 fc00::1 fd00:ec2::254 fdff::1 fe80::1 febf::1 fec0::1 ff02::1 100::1 5f00::1 4000::1
    ::808:808 ::8.8.8.8 ::ffff:0:808:808 ::ffff:168.63.129.16 64:ff9b::168.63.129.16
    64:ff9b::169.254.169.254 64:ff9b::192.88.99.1 64:ff9b:0:1::808:808 64:ff9b:1::808:808
    64:ff9b:1:7f00:0:100:: 64:ff9b:2::808:808 2002:a83f:8110::1 2002:c058:6301::1 2002:a00:1::8.8.8.8
    2002:e000:1::1 2001:0:808:808::f7f7:f7f7 2001:0:4136:e378:8000:63bf:f7f7:f7f7 2001:2::1 2001:10::1
    2001:20::1 2001:1ff:ffff::1 2620:4f:8000::1`;
  it.each(privateAddresses.trim().split(/\s+/))(
    "rejects the address %s outside local development",
    (input) => {
      expect(checkHost(input, PUBLIC)).toMatchObject({
        ok: false,
        reason: { code: "host_not_public" },
      });
      expect(checkHost(input, PRIVATE)).toMatchObject({ ok: true });
      const inUrl = input.includes(":") && !input.startsWith("[") ? `[${input}]` : input;
      expect(checkUrl(`https://${inUrl}/hook`, PUBLIC).ok).toBe(false);
    },
  );

  it.each([
    "localhost",
    "LOCALHOST",
    "localhost.",
    "a.localhost",
    "a.b.localhost.",
    "intranet",
    "mail",
    "router.lan",
    "db.internal",
    "metadata.google.internal",
    "METADATA.google.internal.",
    "printer.local",
    "x.home.arpa",
    "git.corp",
    "wiki.intranet",
    "db.private",
    "localhost.localdomain",
    "nas.home",
    "ｌｏｃａｌｈｏｓｔ",
    "loc\u00ADalhost",
  ])("rejects the name %s outside local development", (input) => {
    expect(checkHost(input, PUBLIC)).toMatchObject({ ok: false });
    expect(checkHost(input, PRIVATE)).toMatchObject({ ok: true });
    expect(checkUrl(`https://${input}/hook`, PUBLIC).ok).toBe(false);
  });

  it.each([
    "",
    " ",
    ".",
    "..",
    "a..example",
    "mail example",
    "mail\texample",
    "a\nb.example",
    "a\0b",

    "user@mail.example",
    "mail.example/path",
    "mail.example\\x",
    "mail.example?x",
    "mail.example#x",

    "mail.example:25",
    "[::1]:25",
    "[2606:4700::1111]:80",
    "[::1",
    "::1]",
    "1.2.3.4:25",
    "[fe80::1%25eth0]",
    "fe80::1%eth0",
    "%31%32%37.0.0.1",
    "-a.example",
    "a-.example",
    "a*.example",
    "256.1.1.1",
    "1.2.3.4.5",
    "0x100000000",
    "mail\u3000.example",
    "<mail.example>",
    `${"a".repeat(64)}.example`,
    `${"abcdefg.".repeat(31)}ab.com`,
    "[]",
    "[mail.example]",
    "1::2::3",
    "mail.example..",
  ])("rejects %j as a host, even in local development", (input) => {
    expect(checkHost(input, PRIVATE)).toMatchObject({
      ok: false,
      reason: { code: "host_invalid" },
    });
  });

  const ofCloudflare = `
    104.16.1.1 104.27.255.255 172.64.0.1 172.71.255.254 162.159.205.11 198.41.128.0 131.0.75.255
    2606:4700::1111 [2606:4700:ffff::1] 2a06:98c7:ffff::1 ::ffff:104.16.1.1 64:ff9b::104.16.1.1
    0x68100101 smtp.mx.cloudflare.net route1.MX.cloudflare.net. mx.cloudflare.net`;
  it.each(ofCloudflare.trim().split(/\s+/))("rejects %s, a Cloudflare mail host", (input) => {
    expect(checkMailHost(input, PUBLIC)).toMatchObject({
      ok: false,
      reason: { code: "host_of_cloudflare" },
    });
    expect(checkMailHost(input, PRIVATE)).toMatchObject({ ok: true });
  });

  it.each([
    ..."104.15.255.255 104.28.0.0 172.63.255.255 172.72.0.0 162.157.255.255 131.0.76.0".split(" "),
    ..."2606:4701::1 2a06:98bf::1 2a06:98c8::1 mail.example.com mx.cloudflare.net.example".split(
      " ",
    ),
  ])("accepts %s, a mail host that is not one of Cloudflare's", (input) => {
    expect(checkMailHost(input, PUBLIC)).toMatchObject({ ok: true });
  });

  it.each(["10.0.0.1", "localhost", "not a host"])("rejects %s as a mail host, too", (input) => {
    expect(checkMailHost(input, PUBLIC)).toEqual(checkHost(input, PUBLIC));
    expect(checkMailHost(input, PUBLIC)).toMatchObject({ ok: false });
  });

  it("never accepts an address in a private range, in any notation", () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const privateV4 = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127), octet, octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
      fc.tuple(fc.integer({ min: 224, max: 255 }), octet, octet, octet),
    );
    fc.assert(
      fc.property(privateV4, (address) =>
        spellings(address).every((spelling) => !checkHost(spelling, PUBLIC).ok),
      ),
    );
  });

  it.each([
    ["https://hooks.example.com/a?b=c", "https://hooks.example.com/a?b=c"],
    ["http://Hooks.Example.com:8080", "http://hooks.example.com:8080/"],
    ["HTTPS://hooks.example.com/A", "https://hooks.example.com/A"],
  ])("accepts the URL %s as %s", (input, url) => {
    expect(checkUrl(input, PUBLIC)).toEqual({ ok: true, url });
  });

  it.each([
    ["hooks.example.com", "url_invalid"],
    ["", "url_invalid"],
    ["https://hooks.example.com/a b", "url_invalid"],
    ["https:\\\\hooks.example.com", "url_invalid"],
    ["ht\ntp://hooks.example.com", "url_invalid"],
    ["ftp://hooks.example.com", "url_not_web"],
    ["file:///etc/passwd", "url_not_web"],
    ["http:example.com", "url_not_web"],
    ["http:/example.com", "url_not_web"],
    ["https:///example.com", "url_not_web"],
    ["ftp://example.com/?http://a", "url_not_web"],
    ["javascript:alert(1)", "url_not_web"],
    ["https://user@hooks.example.com", "url_with_credentials"],
    ["https://:secret@hooks.example.com", "url_with_credentials"],
    ["https://8.8.8.8@127.0.0.1/", "url_with_credentials"],
    ["https://%31%32%37.0.0.1/", "host_not_public"],
    ["http://2130706433/", "host_not_public"],
    ["http://mail/", "host_incomplete"],
    ["http://router.lan/", "host_of_private_network"],
  ])("rejects the URL %j: %s", (input, reason) => {
    expect(checkUrl(input, PUBLIC)).toMatchObject({ ok: false, reason: { code: reason } });
  });

  it("recognizes loopback in all its spellings, and nothing else", () => {
    const loopback = ["localhost", "LocalHost.", "x.localhost", "127.0.0.1", "127.1", "0x7f000001"];
    const wrapped = ["::1", "[::1]", "::ffff:127.0.0.1"];
    for (const host of [...loopback, ...wrapped]) expect(isLoopbackHost(host)).toBe(true);
    const others = ["localhost.example", "10.0.0.1", "0.0.0.0", "::", "mail", "", "a@localhost"];
    // contains the number of a loopback address
    const alike = ["0.0.0.1", "::7f00:1", "[::7f00:1]", "64:ff9b::7f00:1", "2002:7f00:1::1"];
    for (const host of [...others, ...alike]) expect(isLoopbackHost(host)).toBe(false);
  });

  it("parses every address that the URL parser writes, and no other spelling", () => {
    const written = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc
        .integer({ min: 0, max: 2 ** 32 - 1 })
        .map((n) => `::ffff:${hex(n >>> 16)}:${hex(n & 0xffff)}`),
    );
    fc.assert(
      fc.property(written, (text) => {
        const { hostname } = new URL(`http://${text.includes(":") ? `[${text}]` : text}/`);
        expect(parseIpAddress(hostname)).toBeDefined();
      }),
    );
    const odd = [
      "1.2.3",
      "01.2.3.4",
      "0x7f.0.0.1",
      "2130706433",
      "256.1.1.1",
      "1.2.3.4.",
      "1.2.3.4.5",
    ];
    const oddV6 = ["::1", "[::1", "::1]", "x[::1]", "[::1]x", "[]", "[1.2.3.4]", "[::1.2.3.4]"];
    const invalidV6 = ["[1::2::3]", "[1:2:3]", "[fe80::1%1]", "[1:2:3:4:5:6:7:8:9]", "[12345::]"];
    for (const host of [...odd, ...oddV6, ...invalidV6, "", "mail.example"]) {
      expect(parseIpAddress(host)).toBeUndefined();
    }
  });
});

describe("the byte buffer", () => {
  it("returns the lines and bytes put in, however they are split", () => {
    const line = fc.stringMatching(/^[a-z]{0,40}$/);
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.integer({ min: 1, max: 30 })), (lines, cuts) => {
        const bytes = new TextEncoder().encode(lines.map((text) => `${text}\r\n`).join(""));
        const buffer = new ByteBuffer();
        const read: string[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = cuts[turn % Math.max(1, cuts.length)] ?? bytes.length;
          buffer.append(bytes.subarray(at, at + size));
          at += size;
          for (let taken = buffer.takeLine(); taken; taken = buffer.takeLine()) {
            read.push(new TextDecoder().decode(taken));
          }
        }
        expect(read).toEqual(lines);
        expect(buffer.length).toBe(0);
      }),
    );
  });

  it("also ends a line at a bare LF, and keeps a bare CR", () => {
    const buffer = new ByteBuffer();
    buffer.append(new TextEncoder().encode("a\nb\rc\r\n\r\nrest"));
    const lines = [buffer.takeLine(), buffer.takeLine(), buffer.takeLine(), buffer.takeLine()];
    expect(lines.map((taken) => taken && new TextDecoder().decode(taken))).toEqual([
      "a",
      "b\rc",
      "",
      undefined,
    ]);
    expect(new TextDecoder().decode(buffer.take(2))).toBe("re");
    expect(new TextDecoder().decode(buffer.take(9))).toBe("st");
  });
});

describe("a connection", () => {
  /** Longer than a test: only a later deadline can end anything in time. */
  const connectMs = 60_000;

  async function connectTo(script: RawScript) {
    const server = await startRawServer(script);
    const address = { hostname: "localhost", port: server.port };
    const connection = await Connection.open(address, "off", sockets, connectMs);
    return { server, connection };
  }

  it("reads lines and exact byte counts", async () => {
    const steps = [{ send: "* literal {5}\r\nhel\r\n)\r\nüber\n" }];
    const { connection } = await connectTo({ rules: [{ on: "connect", steps }] });
    expect(await connection.readLine()).toBe("* literal {5}");
    expect(new TextDecoder().decode(await connection.readBytes(5))).toBe("hel\r\n");
    expect(await connection.readLine()).toBe(")");
    connection.close();
    await expect(connection.readBytes(100)).rejects.toEqual(fault("closed"));
  });

  it("has one deadline for a slow peer, which only renew extends", async () => {
    const steps = [{ send: "x".repeat(200), chunkBytes: 1, everyMs: 10 }];
    const { connection, server } = await connectTo({ rules: [{ on: "connect", steps }] });
    connection.renew(150);
    await connection.readBytes(1);
    connection.renew(150);
    await expect(connection.readLine()).rejects.toEqual(fault("timeout"));
    await expect(connection.readLine()).rejects.toEqual(fault("timeout"));
    expect(await server.openConnections()).toBe(0);
  });

  it("has no deadline while it is paused, and one again afterwards", async () => {
    const steps = [{ send: "ab", chunkBytes: 1, everyMs: 100 }];
    const { connection } = await connectTo({ rules: [{ on: "connect", steps }] });
    connection.renew(50);
    connection.pause();
    expect(await connection.readBytes(2)).toHaveLength(2);
    connection.renew(50);
    await expect(connection.readBytes(1)).rejects.toEqual(fault("timeout"));
  });

  it("stops at a line over its limit", async () => {
    const steps = [{ send: "x".repeat(5_000) }];
    const { connection, server } = await connectTo({ rules: [{ on: "connect", steps }] });
    await expect(connection.readLine(1_000)).rejects.toEqual(fault("protocol"));
    expect(await server.openConnections()).toBe(0);
  });

  it("distinguishes a peer that closes from a silent one", async () => {
    const closes = await connectTo({ rules: [{ on: "connect", steps: [{ close: true }] }] });
    await expect(closes.connection.readLine()).rejects.toEqual(fault("closed"));
    const silent = await connectTo({ rules: [{ on: "connect", steps: [] }] });
    silent.connection.renew(50);
    await expect(silent.connection.readLine()).rejects.toEqual(fault("timeout"));
  });

  it("does not hang on a peer that reads nothing", async () => {
    const { connection } = await connectTo({
      rules: [{ on: "connect", steps: [{ stopReading: true }] }],
    });
    connection.renew(200);
    await expect(connection.write(new Uint8Array(50_000_000))).rejects.toEqual(fault("timeout"));
    await connection.released(100);
  });

  it("interrupts pending operations when it is closed", async () => {
    const { connection, server } = await connectTo({ rules: [{ on: "connect", steps: [] }] });
    const pending = expect(connection.readLine()).rejects.toEqual(fault("closed"));
    connection.close();
    await pending;
    await connection.released(1_000);
    expect(await server.openConnections()).toBe(0);
  });

  it("fails to open without a listener, and without an answer", async () => {
    const nobody = Connection.open({ hostname: "localhost", port: 1 }, "off", sockets, connectMs);
    await expect(nobody).rejects.toEqual(fault("refused"));
    const server = await startRawServer({ rules: [{ on: "connect", steps: [] }] });
    const address = { hostname: "localhost", port: server.port };
    await expect(Connection.open(address, "on", sockets, 200)).rejects.toEqual(fault("timeout"));
  });

  it("starts TLS for the name it was opened with, or without a name if the platform rejects the option", async () => {
    for (const isRefused of [false, true]) {
      const asked: unknown[] = [];
      const platform: SocketFactory = (address, options) => {
        const socket = sockets(address, options);
        const startTls = (tls?: TlsOptions) => {
          asked.push(tls);
          if (tls && isRefused) throw new TypeError("The option is not supported.");
          return socket.startTls(tls);
        };
        return new Proxy(socket, {
          get: (target, key) => {
            if (key === "startTls") return startTls;
            const value: unknown = Reflect.get(target, key, target);
            return typeof value === "function" ? value.bind(target) : value;
          },
        });
      };
      const server = await startRawServer({ offers: ["STARTTLS"] });
      const address = { hostname: "localhost", port: server.port };
      const connection = await Connection.open(address, "starttls", platform, connectMs);
      expect(await connection.readLine()).toContain("220");
      await connection.write(new TextEncoder().encode("STARTTLS\r\n"));
      expect(await connection.readLine()).toContain("220");
      await connection.startTls();
      await connection.write(new TextEncoder().encode("EHLO x.test\r\n"));
      expect(await connection.readLine()).toContain("250");
      connection.close();
      const named = { expectedServerHostname: "localhost" };
      expect(asked).toEqual(isRefused ? [named, undefined] : [named]);
    }
  });

  it("fails to open when the factory throws", async () => {
    const opening = Connection.open({ hostname: "x.test", port: 25 }, "off", broken, connectMs);
    await expect(opening).rejects.toEqual(fault("refused"));
  });
});

describe("peeking at a certificate", () => {
  const look = async (script: RawScript) => {
    const server = await startRawServer(script);
    const address = { hostname: "localhost", port: server.port };
    const connection = await Connection.open(address, "off", sockets, 5_000);
    const seen = await peekCertificate(connection, "localhost");
    connection.close();
    expect(await server.openConnections()).toBe(0);
    return seen;
  };
  const bytes = (...values: number[]) => String.fromCharCode(...values);
  const sending = (text: string) => ({ rules: [{ on: "connect", steps: [{ send: text }] }] });
  const record = (...message: number[]) => bytes(22, 3, 3, 0, message.length, ...message);
  const serverHello = [2, 0, 0, 0];

  it("returns names, validity and issuer", async () => {
    const [own, other, old] = await Promise.all([
      look({ tls: "untrusted" }),
      look({ tls: "misnamed" }),
      look({ tls: "expired" }),
    ]);
    const names = ["localhost", "127.0.0.1", "*.public.test"];
    const seen = { names, isForHost: true, isSelfSigned: true };
    expect(own).toMatchObject({ kind: "certificate", certificate: seen });
    expect(other).toMatchObject({ certificate: { isForHost: false, isSelfSigned: false } });
    const validTo = old.kind === "certificate" ? old.certificate.validTo : 0;
    expect(validTo).toBeGreaterThan(Date.UTC(2020, 0)); // the certificates are kept for years
    expect(validTo).toBeLessThan(Date.now());
  });

  it.each([
    ["an alert", bytes(21, 3, 3, 0, 2, 2, 70), "hidden"],
    ["a handshake without a certificate", record(...serverHello, 14, 0, 0, 0), "hidden"],
    ["a chain without certificates", record(...serverHello, 11, 0, 0, 3, 0, 0, 0), "hidden"],
    [
      "a certificate longer than its chain",
      record(...serverHello, 11, 0, 0, 6, 0, 0, 3, 255, 255, 255),
      "hidden",
    ],
    [
      "a certificate of arbitrary bytes",
      record(...serverHello, 11, 0, 0, 9, 0, 0, 6, 0, 0, 3, 1, 2, 3),
      "hidden",
    ],
    ["a record over its bound", bytes(22, 3, 3, 255, 255), "hidden"],
    ["empty records without end", record().repeat(2_000), "hidden"],
    ["records of one byte", record(2).repeat(2_000), "hidden"],
    ["plain text", "220 mail.test ESMTP\r\n", "plain_text"],
  ])("finds no certificate in %s", async (_name, text, kind) => {
    expect(await look(sending(text))).toEqual({ kind });
  });

  it("ends when the server closes", async () => {
    expect(await look({ rules: [{ on: "connect", steps: [{ close: true }] }] })).toEqual({
      kind: "silent",
    });
  });
});

describe("secretHider", () => {
  it("redacts a password with any characters", () => {
    const ascii = Array.from({ length: 94 }, (_, n) => String.fromCharCode(n + 33));
    const within = ascii.map((one) => `pass${one}word`);
    for (const password of [ascii.join(""), ...ascii, ...within]) {
      const told = secretHider("ann", password)(`535 no ${password} here`);
      expect(told).toBe("535 no … here");
    }
  });
});

describe("credentials in server responses", () => {
  const SIGNS = "-\\^$.*+?()[]{}|/&!#%,:;<=>@`~'\"_ \t".split("");
  const sign = fc.oneof(fc.constantFrom(...SIGNS), fc.string({ unit: "binary", maxLength: 1 }));
  const password = fc
    .array(sign, { minLength: 1, maxLength: 40 })
    .map((signs) => `p${signs.join("")}w`);
  const base64 = (text: string) => Buffer.from(text).toString("base64");

  it("are redacted with any characters, in plain text and in any form of AUTH", () => {
    const credentials = [fc.string({ unit: "binary", maxLength: 30 }), password] as const;
    fc.assert(
      fc.property(...credentials, (user, secret) => {
        const hide = secretHider(user, secret);
        const forms = [secret, ...[secret, `\0${user}\0${secret}`].map(base64)];
        for (const form of forms) expect(hide(`<${form}>`)).toBe("<…>");
      }),
      { numRuns: 1_000 },
    );
  });

  it("leave other text unchanged", () => {
    expect(secretHider("me", "a-b-c")("535 a.b.c, xa-b-cx and 5.7.8")).toBe(
      "535 a.b.c, xa-b-cx and 5.7.8",
    );
  });
});
