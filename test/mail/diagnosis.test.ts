/* Tests of mail settings, step by step, through the whole service and over real sockets. */
import { connect } from "cloudflare:sockets";
import { describe, expect, it } from "vitest";
import type { SocketFactory } from "../../src/mail/net/socket.ts";
import { startImapServer } from "../support/imap/sessions.ts";
import type { ImapScript } from "../support/imap/script.ts";
import { DOH_URL } from "../support/resolver.ts";
import { createService, unique } from "../support/service.ts";
import { FAULTS } from "../support/smtp/faults.ts";
import { type RawServer, startRawServer } from "../support/smtp/raw-client.ts";
import type { RawScript, RawStep } from "../support/smtp/raw-script.ts";

interface Step {
  step: string;
  ok: boolean;
  ms: number;
  detail?: string;
  code?: string;
  params?: object;
  remedy?: string;
  remedy_code?: string;
}
interface Result {
  error?: string;
  message?: string;
  id?: string;
  steps: Step[];
  unseen?: number;
  alternative?: { port: number; ok: boolean; steps: Step[]; remedy?: string };
}

const PASSWORD = "Tr0ub4dor-and-3";

/** Where "host:port" of the settings leads; everything else has no listener. */
const routes = new Map<string, number>();
/** Silent servers behind "host:port", with which no connection ever opens. */
const unopened = new Map<string, number>();
const dialled: string[] = [];
const sockets: SocketFactory = ({ hostname, port }, options) => {
  const address = `${hostname}:${port}`;
  dialled.push(address);
  const silent = unopened.get(address); // a handshake with it never ends, so nothing opens
  const opening = silent === undefined ? options : { ...options, secureTransport: "on" as const };
  return connect({ hostname: "localhost", port: silent ?? routes.get(address) ?? 1 }, opening);
};
const service = createService({ ALLOW_PRIVATE_TARGETS: "false", DOH_URL }, { sockets });
const owner = await service.newOwner();

const host = (parent = "public.test") => `${unique("mail")}.${parent}`;
const named = (steps: Step[] = []) =>
  steps.map(({ step, ok }) => `${step} ${ok ? "ok" : "failed"}`);
const failedStep = ({ steps }: Result) => steps.find(({ ok }) => !ok);

/** Saves SMTP settings for `host` and tests them; `scripts` are its servers by port. */
async function testSmtp(scripts: Record<number, RawScript>, changes: Record<string, unknown> = {}) {
  const smtp_host = host();
  const servers: Record<number, RawServer> = {};
  for (const [port, script] of Object.entries(scripts)) {
    const server = await startRawServer(script);
    servers[Number(port)] = server;
    routes.set(`${smtp_host}:${port}`, server.port);
  }
  const smtp_port = Number(Object.keys(scripts)[0] ?? 587);
  return { servers, ...(await testSettings({ smtp_host, smtp_port, ...changes })) };
}

async function testSettings(changes: Record<string, unknown>) {
  const { id } = await owner.newProject();
  const settings = { smtp_user: "user", smtp_password: PASSWORD, from_email: "me@postrider.test" };
  const saved = await owner.put(`/projects/${id}/smtp`, { ...settings, ...changes });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  const { status, body } = await owner.post<Result & Record<string, unknown>>(
    `/projects/${id}/smtp/test`,
  );
  expect(JSON.stringify(body)).not.toContain(PASSWORD);
  for (const { ms } of body.steps ?? []) expect(ms).toBeGreaterThanOrEqual(0);
  return { projectId: id, status, body };
}

const GOOD = { offers: ["STARTTLS", "PIPELINING", "SIZE 1000000", "AUTH PLAIN LOGIN"] };
const GOOD_TLS: RawScript = { ...GOOD, tls: "trusted" };
const close: RawStep = { close: true };
const at = (on: string, send: string): RawScript => ({
  ...GOOD,
  rules: [{ on, steps: [{ send }] }],
});
const showing = (shown: "misnamed" | "expired" | "untrusted" | "unchained"): RawScript => ({
  ...GOOD,
  rules: [{ on: "STARTTLS", steps: [{ send: "220 go ahead\r\n" }, { startTls: shown }] }],
});

describe.concurrent("POST /projects/{id}/smtp/test", () => {
  it("returns 200 with each step, its duration and the server's response", async () => {
    const { status, body, servers } = await testSmtp({ 587: GOOD });
    expect([status, body.message]).toEqual([200, "sent"]);
    const steps = ["dns", "address", "connect", "greeting", "tls", "ehlo", "auth", "mail"];
    expect(named(body.steps)).toEqual(steps.map((step) => `${step} ok`));
    const detail = Object.fromEntries(body.steps.map(({ step, detail }) => [step, detail]));
    expect(detail).toMatchObject({
      address: "8.8.8.8, 2001:4860:4860::8888",
      greeting: "raw.test ESMTP",
      ehlo: "STARTTLS, PIPELINING, SIZE 1000000, AUTH PLAIN LOGIN",
      mail: "queued",
    });
    expect(body.alternative).toBeUndefined();
    expect(await servers[587]?.openConnections()).toBe(0);
    expect((await servers[587]?.log())?.connections).toHaveLength(1);
  });

  it("counts TLS as part of the connection on port 465", async () => {
    const { status, body } = await testSmtp({ 465: GOOD_TLS });
    expect(status).toBe(200);
    const steps = ["dns", "address", "connect", "greeting", "ehlo", "auth", "mail"];
    expect(named(body.steps)).toEqual(steps.map((step) => `${step} ok`));
    expect(body.steps[2]?.detail).toBe("connected with TLS");
  });

  it.each([
    ["a certificate for another name", "misnamed", "certificate_for_others", "use_covered_host"],
    ["an expired certificate", "expired", "certificate_expired", "renew_certificate"],
    ["a certificate signed by itself", "untrusted", "certificate_self_signed", "get_certificate"],
    ["a certificate without its authority", "unchained", "certificate_untrusted", "send_chain"],
  ] as const)("names %s on both ports", async (_name, shown, code, remedy) => {
    for (const [port, script] of [
      [465, { ...GOOD, tls: shown }],
      [587, showing(shown)],
    ] as const) {
      const { status, body } = await testSmtp({ [port]: script });
      const failed = failedStep(body);
      expect([status, failed?.step, failed?.code, failed?.remedy_code]).toEqual([
        502,
        "tls",
        code,
        remedy,
      ]);
      expect(body.error).toContain(`:${port}: ${failed?.detail}`);
      expect(named(body.steps)).toContain("connect ok");
    }
  });

  it("returns the names in a certificate as params", async () => {
    const { body } = await testSmtp({ 465: { ...GOOD, tls: "misnamed" } });
    const names = "mail.other.test, smtp.other.test";
    expect(failedStep(body)).toMatchObject({
      params: { names, host: expect.any(String) },
      remedy_params: { field: "smtp_host", host: expect.any(String) },
    });
  });

  it.each([
    ["nobody listens", 587, {}, "connect", "refused check_smtp_host"],
    ["the port of TLS has no listener", 465, {}, "connect", "refused check_smtp_host"],
    [
      "the server closes in the handshake of STARTTLS",
      587,
      FAULTS.closesInHandshake,
      "tls",
      "certificate_hidden check_tls_port",
    ],
    [
      "the server closes before the second EHLO",
      587,
      FAULTS.closesAfterHandshake,
      "tls",
      "closed_in_tls use_port_465",
    ],
    [
      "the server closes in the handshake of port 465",
      465,
      FAULTS.closesAtConnect,
      "tls",
      "certificate_hidden check_tls_port",
    ],
    [
      "the server presents no certificate over TLS 1.2",
      465,
      { rules: [{ on: "connect", steps: [{ send: "\x15\x03\x03\x00\x02\x02\x46" }] }] },
      "tls",
      "certificate_hidden check_tls_port",
    ],
    ["port 465 speaks plain text", 465, GOOD, "tls", "port_in_plain_text use_port_587"],
    [
      "the server closes before its greeting",
      587,
      FAULTS.closesAtConnect,
      "greeting",
      "closed check_smtp_port",
    ],
    [
      "the greeting is garbage",
      587,
      { rules: [{ on: "connect", steps: [{ send: "SSH-2.0-OpenSSH_9.6\r\n" }] }] },
      "greeting",
      "not_smtp check_smtp_port",
    ],
    [
      "the greeting refuses",
      587,
      at("connect", "554 5.7.1 go away\r\n"),
      "greeting",
      "server_answered client_refused",
      "554 5.7.1 go away",
    ],
    [
      "the server is too busy",
      587,
      FAULTS.closes421AtGreeting,
      "greeting",
      "server_answered test_again",
      "421",
    ],
    [
      "EHLO is refused",
      587,
      at("EHLO", "550 5.7.1 bad name\r\n"),
      "ehlo",
      "server_answered use_own_domain",
      "bad name",
    ],
    ["STARTTLS is missing", 587, FAULTS.hasNoStartTls, "tls", "starttls_missing use_port_465"],
    [
      "STARTTLS is refused",
      587,
      FAULTS.refusesStartTls,
      "tls",
      "server_answered test_again",
      "454 4.7.0",
    ],
    [
      "the login is refused",
      587,
      at("AUTH", `535 5.7.8 no ${PASSWORD} here\r\n`),
      "auth",
      "server_answered check_smtp_login",
      "535 5.7.8 no … here",
    ],
    [
      "no login is possible with a password",
      587,
      { offers: ["STARTTLS", "AUTH XOAUTH2"] },
      "auth",
      "login_methods_unknown use_other_server",
      "XOAUTH2",
    ],
    [
      "the sender is refused",
      587,
      at("MAIL", "553 5.7.1 not yours\r\n"),
      "mail",
      "server_said use_allowed_sender",
      "553 5.7.1 not yours",
    ],
    [
      "the recipient is refused",
      587,
      at("RCPT", "550 5.7.1 no relay\r\n"),
      "mail",
      "server_said check_recipients",
      "550 5.7.1 no relay",
    ],
    [
      "the mail is refused",
      587,
      at("body", "554 5.6.0 spam\r\n"),
      "mail",
      "server_said set_up_domain",
      "554 5.6.0 spam",
    ],
    [
      "the mail is put off",
      587,
      at("RCPT", "451 4.7.1 greylisted\r\n"),
      "mail",
      "server_said test_again",
      "451",
    ],
    [
      "the server closes after the mail",
      587,
      { ...GOOD, rules: [{ on: "body", steps: [close] }] },
      "mail",
      "closed look_for_mail",
    ],
  ] as [string, number, RawScript, string, string, string?][])(
    "answers 502 with the failed step and a remedy when %s",
    async (name, port, script, step, codes, words = "") => {
      const hasServer = !name.includes("listen");
      const { status, body, projectId } = await testSmtp(hasServer ? { [port]: script } : {}, {
        smtp_port: port,
      });
      const failed = failedStep(body);
      expect([status, failed?.step]).toEqual([502, step]);
      expect(`${failed?.code} ${failed?.remedy_code}`).toBe(codes);
      expect(JSON.stringify(failed?.params ?? {})).toContain(words);
      expect(body.steps.filter(({ ok }) => !ok)).toEqual([body.steps.at(-1)]);
      const { body: log } = await owner.get(`/projects/${projectId}/logs`);
      expect(log).toMatchObject({ logs: [{ id: body.id, error: body.error }] });
    },
  );

  it("redacts the password in any server response", async () => {
    const says = `250-raw.test\r\n250-STARTTLS\r\n250-X ${PASSWORD}\r\n250 AUTH PLAIN\r\n`;
    const { status, body } = await testSmtp({
      587: {
        rules: [
          { on: "connect", steps: [{ send: `220 ${btoa(PASSWORD)}\r\n` }] },
          { on: "EHLO", steps: [{ send: says }] },
          { on: "body", steps: [{ send: `250 ${PASSWORD}\u0007 \r\n` }] },
        ],
      },
    });
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(btoa(PASSWORD));
    expect(body.steps.find(({ step }) => step === "ehlo")?.detail).toContain("X …");
    expect(body.steps.at(-1)?.detail).toBe("…");
  });

  it.each([
    [587, FAULTS.hasNoStartTls, 465, GOOD_TLS],
    [465, GOOD, 587, GOOD],
    [465, { tls: "expired" }, 587, { offers: ["STARTTLS"] }],
  ] as [number, RawScript, number, RawScript][])(
    "tries the other port when port %i fails before the login, without the password",
    async (port, script, other, works) => {
      const smtp_host = host();
      const servers = [await startRawServer(script), await startRawServer(works)] as const;
      routes.set(`${smtp_host}:${port}`, servers[0].port);
      routes.set(`${smtp_host}:${other}`, servers[1].port);
      const { status, body } = await testSettings({ smtp_host, smtp_port: port });
      expect(status).toBe(502);
      expect(body.alternative).toMatchObject({
        port: other,
        ok: true,
        remedy_code: "use_other_port",
        remedy_params: { port: String(other) },
      });
      expect(named(body.alternative?.steps).at(-1)).toBe("ehlo ok");
      const [connection] = (await servers[1].log()).connections;
      const written = connection?.traffic.filter(({ from }) => from === "client") ?? [];
      expect(written.map(({ text }) => text.slice(0, 4))).not.toContain("AUTH");
      expect(written.at(-1)?.text).toBe("QUIT\r\n");
      expect(await servers[1].openConnections()).toBe(0);
    },
  );

  it("reports that both ports fail, and tries no other port after a failed login", async () => {
    const both = await testSmtp({ 587: FAULTS.hasNoStartTls });
    expect(both.body.alternative).toMatchObject({ port: 465, ok: false });
    expect(both.body.alternative?.remedy).toBeUndefined();
    expect(named(both.body.alternative?.steps)).toEqual(["connect failed"]);
    const login = await testSmtp({ 465: { ...GOOD_TLS, ...at("AUTH", "535 no\r\n") } });
    expect(failedStep(login.body)?.step).toBe("auth");
    expect(login.body.alternative).toBeUndefined();
    expect(await login.servers[465]?.openConnections()).toBe(0);
  });

  it("ends within 5 seconds for each port when neither opens", async () => {
    const smtp_host = host();
    const silent = await startRawServer(FAULTS.silentAtConnect);
    for (const port of [587, 465]) unopened.set(`${smtp_host}:${port}`, silent.port);
    const startedAt = performance.now();
    const { body } = await testSettings({ smtp_host, smtp_port: 587 });
    expect(named(body.steps).at(-1)).toBe("connect failed");
    expect(body.alternative).toMatchObject({ port: 465, ok: false });
    expect(performance.now() - startedAt).toBeLessThan(20_000); // 10 are of the test
  });

  it("ends within 15 seconds wherever the server hangs, and tries the other port then", async () => {
    const hangs: [string, number, RawScript][] = [
      ["connect", 465, FAULTS.silentAtConnect],
      ["greeting", 587, FAULTS.silentAtConnect],
      ["greeting", 587, FAULTS.dripsGreeting],
      ["ehlo", 587, { rules: [{ on: "EHLO", steps: [] }] }],
      ["tls", 587, { ...GOOD, rules: [{ on: "STARTTLS", steps: [] }] }],
      ["tls", 587, { ...GOOD, rules: [{ on: "STARTTLS", steps: [{ send: "220 go\r\n" }] }] }],
      ["auth", 587, { ...GOOD, rules: [{ on: "AUTH", steps: [] }] }],
      ["mail", 587, { ...GOOD, rules: [{ on: "MAIL", steps: [] }] }],
      ["mail", 587, { ...GOOD, rules: [{ on: "body", steps: [] }] }],
    ];
    const results = await Promise.all(
      hangs.map(async ([, port, script]) => {
        const startedAt = performance.now();
        const { body } = await testSmtp({ [port]: script });
        return { body, seconds: (performance.now() - startedAt) / 1_000 };
      }),
    );
    expect(results.map(({ body }) => failedStep(body)?.step)).toEqual(hangs.map(([step]) => step));
    for (const { body, seconds } of results) {
      expect(seconds).toBeLessThan(15 + 20); // of it 20 for the start on a busy machine
      const step = failedStep(body)?.step ?? "";
      expect(body.alternative?.ok).toBe(["auth", "mail"].includes(step) ? undefined : false);
    }
  });
});

describe.concurrent("a test of mail settings", () => {
  it.each([
    ["nx.test", "dns", "name_unknown", "check_host_name"],
    ["no-mail.test", "dns", "address_missing", "enter_mail_host"],
    ["proxied.test", "address", "cloudflare_unreachable", "turn_off_proxy"],
    ["inside.test", "address", "address_not_public", "use_public_host"],
  ])(
    "reports what is wrong with a name below %s, and opens no connection",
    async (parent, ...rest) => {
      const [step, code, remedy] = rest;
      const name = host(parent);
      const smtp = await testSettings({ smtp_host: name, smtp_port: 587 });
      const imap = await testImapSettings({ host: name, port: 993 });
      for (const { status, body } of [smtp, imap]) {
        expect([status, failedStep(body)?.step]).toEqual([502, step]);
        expect(failedStep(body)).toMatchObject({ code, remedy_code: remedy });
        expect(body.error).toContain(failedStep(body)?.detail);
        expect(JSON.stringify(body)).not.toMatch(/10\.20\.30\.40|fd00/);
        expect(body.alternative).toBeUndefined();
      }
      expect(dialled.filter((address) => address.startsWith(name))).toEqual([]);
    },
  );

  it("continues if the resolver does not respond, and if at least one address is reachable", async () => {
    for (const [parent, expected] of [
      ["servfail.test", ["dns ok", "connect failed"]],
      ["slow.test", ["dns ok", "connect failed"]],
      ["half.test", ["dns ok", "address ok", "connect failed"]],
    ] as const) {
      const { body } = await testSettings({ smtp_host: host(parent), smtp_port: 2525 });
      expect(named(body.steps)).toEqual(expected);
      if (parent === "half.test") expect(body.steps[1]?.detail).toBe("8.8.4.4");
    }
  });

  it("is not needed for a Cloudflare address: the settings get 400", async () => {
    const { id } = await owner.newProject();
    for (const name of ["104.16.1.1", "[2606:4700::1]", "smtp.mx.cloudflare.net"]) {
      const smtp = { smtp_host: name, smtp_port: 465, smtp_user: "u", smtp_password: "p" };
      const imap = { enabled: true, host: name, port: 993, user: "u", password: "p" };
      const answers = [
        await owner.put(`/projects/${id}/smtp`, smtp),
        await owner.put(`/projects/${id}/bounce-imap`, imap),
      ];
      for (const { status, body } of answers) {
        expect(status).toBe(400);
        expect(body["error"]).toMatch(/host:? is not allowed: it belongs to Cloudflare/);
      }
    }
  });
});

async function testImapSettings(changes: Record<string, unknown>) {
  const { id } = await owner.newProject();
  const settings = { enabled: true, user: "ann", password: PASSWORD, ...changes };
  const saved = await owner.put(`/projects/${id}/bounce-imap`, settings);
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  const { status, body } = await owner.post<Result & Record<string, unknown>>(
    `/projects/${id}/bounce-imap/test`,
  );
  expect(JSON.stringify(body)).not.toContain(PASSWORD);
  return { status, body };
}

async function testImap(server?: { port: number }) {
  const name = host();
  if (server) routes.set(`${name}:993`, server.port);
  return testImapSettings({ host: name, port: 993 });
}

describe.concurrent("POST /projects/{id}/bounce-imap/test", () => {
  const answering = (on: string, send: string): ImapScript => ({
    rules: [{ on, steps: [{ send }] }],
  });

  it("returns 200 with each step, its duration and the server's response", async () => {
    const { status, body } = await testImap(await startImapServer({}));
    expect([status, body.message, body.unseen]).toEqual([200, "connected", 0]);
    const steps = [
      "dns",
      "address",
      "connect",
      "greeting",
      "capability",
      "login",
      "folder",
      "unread",
    ];
    expect(named(body.steps)).toEqual(steps.map((step) => `${step} ok`));
    expect(body.steps.find(({ step }) => step === "capability")?.detail).toContain("AUTH=PLAIN");
  });

  it.each([
    ["nobody listens", undefined, "connect", "refused check_imap_host"],
    [
      "the certificate is for another name",
      { certificate: "misnamed" },
      "tls",
      "certificate_for_others use_covered_host",
    ],
    [
      "the certificate expired",
      { certificate: "expired" },
      "tls",
      "certificate_expired renew_certificate",
    ],
    [
      "the certificate is self-signed",
      { certificate: "untrusted" },
      "tls",
      "certificate_self_signed get_certificate",
    ],
    [
      "the greeting is garbage",
      answering("connect", "220 mail.test ESMTP\r\n"),
      "greeting",
      "not_imap check_imap_server",
    ],
    [
      "the server closes before its greeting",
      { rules: [{ on: "connect", steps: [{ close: true }] }] },
      "greeting",
      "closed check_imap_server",
    ],
    [
      "the server speaks another version",
      { rules: [{ on: "connect", steps: [{ send: "* OK [CAPABILITY IMAP2] hi\r\n" }] }] },
      "capability",
      "not_imap4rev1 check_imap_server",
    ],
    [
      "the login is refused",
      answering("AUTHENTICATE", `<tag> NO not ${PASSWORD}\r\n`),
      "login",
      "login_refused check_imap_login",
      "not …",
    ],
    [
      "the folder does not exist",
      answering("SELECT", "<tag> NO [NONEXISTENT] no\r\n"),
      "folder",
      "folder_missing check_folder",
    ],
    [
      "the folder is refused with the password",
      answering("SELECT", `<tag> NO ${PASSWORD}\r\n`),
      "folder",
      "folder_not_opened check_folder",
      "…",
    ],
    [
      "the search fails",
      answering("UID SEARCH", "<tag> NO not now\r\n"),
      "unread",
      "unread_not_searched test_again",
      "not now",
    ],
  ] as [string, ImapScript | undefined, string, string, string?][])(
    "answers 502 with the failed step and a remedy when %s",
    async (_name, script, step, codes, words = "") => {
      const { status, body } = await testImap(script && (await startImapServer(script)));
      const failed = failedStep(body);
      expect([status, failed?.step]).toEqual([502, step]);
      expect(`${failed?.code} ${failed?.remedy_code}`).toBe(codes);
      expect(JSON.stringify(failed?.params ?? {})).toContain(words);
      expect(body.steps.filter(({ ok }) => !ok)).toEqual([body.steps.at(-1)]);
    },
  );

  it("distinguishes a port without TLS from a server that closes during the handshake", async () => {
    const greets = { rules: [{ on: "connect", steps: [{ send: "* OK hi\r\n" }] }] };
    const plain = await testImap(await startRawServer(greets));
    expect(failedStep(plain.body)).toMatchObject({
      step: "tls",
      code: "port_in_plain_text",
      remedy_code: "use_port_993",
    });
    const closing = await testImap(await startRawServer(FAULTS.closesAtConnect));
    expect(failedStep(closing.body)).toMatchObject({ step: "tls", code: "certificate_hidden" });
    expect(closing.body).toMatchObject({
      code: "mailbox_failed",
      params: {
        reason: { code: "tls_not_started", params: { reason: { code: "certificate_hidden" } } },
      },
    });
  });

  it("ends within 15 seconds wherever the server hangs", async () => {
    const hangs = ["connect", "AUTHENTICATE", "SELECT", "UID SEARCH", "LOGOUT"];
    const startedAt = performance.now();
    const results = await Promise.all([
      ...hangs.map((on) => startImapServer({ rules: [{ on, steps: [] }] }).then(testImap)),
      startRawServer(FAULTS.silentAtConnect).then(testImap),
    ]);
    const steps = ["greeting", "login", "folder", "unread", undefined, "connect"];
    expect(results.map(({ body }) => failedStep(body)?.step)).toEqual(steps);
    expect(performance.now() - startedAt).toBeLessThan(35_000); // of it 20 s for the start on a busy machine
  });
});
