/*
 * A real Exim and a real Haraka, each in a directory of its own and on a loopback port, with
 * STARTTLS and a login ("user", "pass"). A test starts them when it needs them. They accept mail for
 * every address but `unknown…@`, note its Message-ID, and discard it. `.ci/run` puts both into
 * .cache; where one is missing, its tests are left out.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Certificates } from "../certificates.ts";
import { freePort } from "../free-port.ts";
import { LIFETIME_SECONDS, listening } from "../listening.ts";
import type { ControlRoute } from "./control-server.ts";

const EXIM = resolve(".cache/exim/usr/sbin/exim4");
const HARAKA = resolve(".cache/haraka/node_modules/haraka/bin/haraka");
const NODE = resolve("node_modules/.bin/node");

/** A server that can run here. */
interface Program {
  /** The command, its environment and its files, in an empty directory. */
  command: (directory: string, port: number) => [string, ...string[]];
  env: Record<string, string>;
  /** The file to which the server adds the Message-ID of each mail that it has accepted. */
  accepted: string;
  files: (directory: string, port: number) => Record<string, string>;
}

export type RealServerName = "exim" | "haraka";

/** Real servers by name, each with its port, which is 0 where it cannot run. */
export class RealServers {
  readonly ports: Record<RealServerName, number>;
  readonly #certificate: Certificates["server"];
  readonly #running = new Map<string, Promise<() => Promise<void>>>();
  readonly #directories = new Map<string, string>();

  private constructor(ports: Record<RealServerName, number>, certificate: Certificates["server"]) {
    this.ports = ports;
    this.#certificate = certificate;
  }

  static async find(certificate: Certificates["server"]): Promise<RealServers> {
    const isRoot = process.getuid?.() === 0;
    const hasExim = existsSync(EXIM) && isRoot;
    const hasHaraka = existsSync(HARAKA);
    if (!hasExim)
      console.log("exim is not in .cache, or runs as root only: its tests are left out");
    if (!hasHaraka) console.log("haraka is not in .cache: its tests are left out");
    const ports = {
      exim: hasExim ? await freePort() : 0,
      haraka: hasHaraka ? await freePort() : 0,
    };
    return new RealServers(ports, certificate);
  }

  /** Routes of the control port. */
  get routes(): Record<string, ControlRoute> {
    const nameOf = (query: URLSearchParams) => query.get("name") as RealServerName;
    return {
      "POST /real/start": async (query) => {
        const name = nameOf(query);
        const running = this.#running.get(name) ?? this.#start(name);
        this.#running.set(name, running);
        await running;
        return {};
      },
      "GET /real/accepted": async (query) => {
        const name = nameOf(query);
        const file = join(this.#directories.get(name) ?? "", PROGRAMS[name].accepted);
        return readFileSync(file, "utf8").match(/<[^<>]+@postrider\.test>/g) ?? [];
      },
    };
  }

  async close(): Promise<void> {
    for (const running of this.#running.values()) await (await running)();
  }

  async #start(name: RealServerName): Promise<() => Promise<void>> {
    const { command, env, files } = PROGRAMS[name];
    const port = this.ports[name];
    const directory = mkdtempSync(join(tmpdir(), `postrider-${name}-`));
    this.#directories.set(name, directory);
    chmodSync(directory, 0o777); // for the server's own user
    const { cert, key } = this.#certificate;
    const all = { "tls.pem": cert, "tls.key": key, ...files(directory, port) };
    for (const [file, content] of Object.entries(all)) {
      mkdirSync(dirname(join(directory, file)), { recursive: true });
      writeFileSync(join(directory, file), content);
    }
    const server = spawn("timeout", [LIFETIME_SECONDS, ...command(directory, port)], {
      stdio: "ignore",
      env: { ...process.env, ...env },
    });
    await listening(port, server);
    return async () => {
      const exited = once(server, "exit");
      server.kill("SIGTERM");
      await exited;
      rmSync(directory, { recursive: true, force: true });
    };
  }
}

const PROGRAMS: Record<RealServerName, Program> = {
  exim: {
    command: (directory) => [EXIM, "-C", join(directory, "exim.conf"), "-bdf"],
    env: {
      LD_LIBRARY_PATH: globSync(".cache/exim/usr/lib/*-linux-gnu")
        .map((one) => resolve(one))
        .join(":"),
    },
    accepted: "mainlog",
    files: (directory, port) => ({ "exim.conf": eximConfiguration(directory, port) }),
  },
  haraka: {
    command: (directory) => [NODE, HARAKA, "-c", directory],
    env: {},
    accepted: "accepted",
    files: harakaFiles,
  },
};

function eximConfiguration(directory: string, port: number): string {
  return `primary_hostname = mail.test
exim_path = ${EXIM}
spool_directory = ${directory}/spool
log_file_path = ${directory}/%slog
pid_file_path = ${directory}/exim.pid
local_interfaces = 127.0.0.1
daemon_smtp_ports = ${port}
tls_advertise_hosts = *
tls_certificate = ${directory}/tls.pem
tls_privatekey = ${directory}/tls.key
host_lookup =
rfc1413_hosts =
keep_environment =
acl_smtp_rcpt = check_recipient
acl_smtp_data = check_message
begin acl
check_recipient:
  deny local_parts = ^unknown
       message = Unknown user
  accept
check_message:
  warn logwrite = accepted $h_Message-ID:
  discard
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if and{{eq{$auth2}{user}}{eq{$auth3}{pass}}}}
  server_set_id = $auth2
`;
}

/**
 * The group ffdhe2048 (RFC 7919 appendix A.1). Without a group, Haraka generates one at its start,
 * and offers no TLS for up to half a minute.
 */
const FFDHE2048 = `-----BEGIN DH PARAMETERS-----
MIIBCAKCAQEA//////////+t+FRYortKmq/cViAnPTzx2LnFg84tNpWp4TZBFGQz
+8yTnc4kmz75fS/jY2MMddj2gbICrsRhetPfHtXV/WVhJDP1H18GbtCFY2VVPe0a
87VXE15/V8k1mE8McODmi3fipona8+/och3xWKE2rec1MKzKT0g6eXq8CrGCsyT7
YdEIqUuyyOP7uWrat2DX9GgdT0Kj3jlN9K5W7edjcrsZCwenyO4KbXCeAvzhzffi
7MA0BM0oNC9hkXL+nOmFg/+OTxIy7vKBg8P+OxtMb61zO7X8vC7CIAXFjvGDfRaD
ssbzSibBsu/6iGtCOGEoXJf//////////wIBAg==
-----END DH PARAMETERS-----
`;

function harakaFiles(directory: string, port: number): Record<string, string> {
  const plugin = `const { appendFileSync } = require("node:fs");
exports.hook_rcpt = (next, _connection, [to]) =>
  /unknown/.test(String(to)) ? next(DENY, "unknown user") : next(OK);
exports.hook_queue_outbound = (next, { transaction }) => {
  appendFileSync(${JSON.stringify(join(directory, "accepted"))}, transaction.header.get("message-id"));
  next(OK, "queued");
};
`;
  return {
    "config/smtp.ini": `listen=127.0.0.1:${port}\nnodes=0\n`,
    "config/connection.ini": readFileSync(resolve(HARAKA, "../../config/connection.ini"), "utf8"),
    "config/plugins": "tls\nauth/flat_file\nkeep\n",
    "config/tls.ini": `key=${directory}/tls.key\ncert=${directory}/tls.pem\ndhparam=dhparams.pem\n`,
    "config/dhparams.pem": FFDHE2048,
    "config/auth_flat_file.ini":
      "[core]\nmethods=PLAIN,LOGIN\nconstrain_sender=false\n[users]\nuser=pass\n",
    "config/me": "mail.test\n",
    "queue/.keep": "",
    accepted: "",
    "plugins/keep.js": plugin,
  };
}
