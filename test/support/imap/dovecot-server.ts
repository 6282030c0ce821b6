/*
 * A real Dovecot in a directory of its own, on a loopback port with implicit TLS, started by hand
 * as root. Every mailbox has a user of its own; folders are directories of a Maildir: messages are
 * written into them, and flags are read from the file names. Where it cannot run, its tests are
 * left out.
 */
import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../free-port.ts";
import type { Certificates } from "../certificates.ts";
import { LIFETIME_SECONDS, listening } from "../listening.ts";

const DOVECOT = "/usr/sbin/dovecot";
const IMAP = "/usr/lib/dovecot/imap";

/** The user who gets the mail for `return.test` from Postfix; the password is `pass-returned`. */
const RETURNED = "returned";

/** A new mailbox with an empty INBOX. */
export interface DovecotMailbox {
  user: string;
  password: string;
}

/** A running Dovecot; `port` is 0 where there is none. */
export interface DovecotServer {
  port: number;
  /** The Maildir of the user `RETURNED`, into which Postfix delivers; undefined without Dovecot. */
  returned: string | undefined;
  newMailbox: () => DovecotMailbox;
  /** Puts a new message into a folder, which is created if missing. */
  dropMessage: (user: string, folder: string, raw: Buffer) => void;
  /** Counts the messages of a folder with the flag \Seen, and all of them. */
  countMessages: (user: string, folder: string) => { seen: number; total: number };
  close: () => Promise<void>;
}

/** Starts Dovecot, or prints in one line why its tests are left out. */
export async function startDovecot(certificate: Certificates["server"]): Promise<DovecotServer> {
  const obstacle = findObstacle();
  if (obstacle) {
    console.log(`dovecot-imapd 2.3 ${obstacle}: its tests are left out`);
    return withoutDovecot();
  }
  const directory = mkdtempSync(join(tmpdir(), "postrider-dovecot-"));
  const port = await freePort();
  writeConfiguration(directory, port, certificate);
  const returned = join(directory, "mail", RETURNED);
  makeMaildir(returned);
  const command = [LIFETIME_SECONDS, DOVECOT, "-F", "-c", join(directory, "dovecot.conf")];
  const dovecot = spawn("timeout", command, { stdio: "ignore" });
  await listening(port, dovecot);
  return {
    port,
    returned,
    ...mailboxes(directory),
    close: async () => {
      const exited = once(dovecot, "exit");
      dovecot.kill("SIGTERM");
      await exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Returns why Dovecot cannot run here, or undefined if it can. The configuration below is in the
 * language of 2.3, which 2.4 rejects.
 */
function findObstacle(): string | undefined {
  if (!existsSync(DOVECOT) || !existsSync(IMAP)) return "is not installed";
  const version = execFileSync(DOVECOT, ["--version"], { encoding: "utf8" }).trim();
  if (!version.startsWith("2.3.")) return `is not the installed version (${version})`;
  return process.getuid?.() === 0 ? undefined : "runs as root only";
}

function withoutDovecot(): DovecotServer {
  const missing = () => {
    throw new Error("there is no Dovecot: run this test only where ports.dovecot is not 0");
  };
  const close = () => Promise.resolve();
  return {
    port: 0,
    returned: undefined,
    newMailbox: missing,
    dropMessage: missing,
    countMessages: missing,
    close,
  };
}

function mailboxes(
  directory: string,
): Pick<DovecotServer, "newMailbox" | "dropMessage" | "countMessages"> {
  const maildir = (user: string, folder: string) =>
    join(directory, "mail", user, folder === "INBOX" ? "" : `.${folder}`);
  let dropped = 0;
  return {
    newMailbox: () => {
      const user = `bounces-${randomUUID()}`;
      makeMaildir(maildir(user, "INBOX"));
      return { user, password: `pass-${user}` };
    },
    dropMessage: (user, folder, raw) => {
      const path = maildir(user, folder);
      makeMaildir(path);
      dropped += 1;
      // Numbers the names in order of arrival, since Dovecot sorts them by their leading seconds.
      const name = `${1_700_000_000 + dropped}.M${dropped}.test`;
      writeFileSync(join(path, "tmp", name), raw);
      const { uid, gid } = statSync(path);
      chownSync(join(path, "tmp", name), uid, gid);
      renameSync(join(path, "tmp", name), join(path, "new", name));
    },
    countMessages: (user, folder) => {
      const path = maildir(user, folder);
      const names = [...readdirSync(join(path, "new")), ...readdirSync(join(path, "cur"))];
      const seen = names.filter((name) => /:2,[A-Za-z]*S/.test(name));
      return { seen: seen.length, total: names.length };
    },
  };
}

function makeMaildir(path: string): void {
  if (existsSync(join(path, "new"))) return;
  for (const name of ["cur", "new", "tmp"]) mkdirSync(join(path, name), { recursive: true });
  execFileSync("chown", ["-R", "dovecot:dovecot", path]);
}

function writeConfiguration(
  directory: string,
  port: number,
  certificate: Certificates["server"],
): void {
  chmodSync(directory, 0o755); // for Dovecot's own users
  mkdirSync(join(directory, "mail"));
  execFileSync("chown", ["dovecot:dovecot", join(directory, "mail")]);
  writeFileSync(join(directory, "tls.pem"), certificate.cert);
  writeFileSync(join(directory, "tls.key"), certificate.key, { mode: 0o600 });
  writeFileSync(join(directory, "dovecot.conf"), configurationFile(directory, port));
}

function configurationFile(directory: string, port: number): string {
  return `base_dir = ${directory}/run
state_dir = ${directory}/run
instance_name = postrider-test-${port}
listen = 127.0.0.1
protocols = imap
log_path = ${directory}/dovecot.log
ssl = required
ssl_cert = <${directory}/tls.pem
ssl_key = <${directory}/tls.key
disable_plaintext_auth = yes
auth_mechanisms = plain login
auth_failure_delay = 0 secs
mail_location = maildir:${directory}/mail/%u
mail_max_userip_connections = 0
mail_uid = dovecot
mail_gid = dovecot
first_valid_uid = 1
default_login_user = dovenull
default_internal_user = dovecot
namespace inbox {
  inbox = yes
}
passdb {
  driver = static
  args = password=pass-%u
}
userdb {
  driver = static
  args = uid=dovecot gid=dovecot home=${directory}/mail/%u
}
service imap-login {
  chroot =
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    port = ${port}
    ssl = yes
  }
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0 # otherwise one wrong password slows every later login down by seconds
  }
}
`;
}
