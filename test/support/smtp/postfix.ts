/*
 * A real Postfix in a directory of its own, on a loopback port, started by hand as root. It accepts
 * mail for every address and discards it, with these exceptions. It refuses `bad550@`, `tmp451@`
 * and `close421@dest.example` with the code in their names. It passes mail for `away.example` on to
 * a next server, which knows none of its users, so it returns that mail. Mail for `return.test`
 * goes into the mailbox of one user of Dovecot. Where it cannot run, its tests are left out.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { freePort } from "../free-port.ts";
import type { Certificates } from "../certificates.ts";

const POSTFIX = "/usr/sbin/postfix";
const MASTER = "/usr/lib/postfix/sbin/master";
/** A killed run leaves a Postfix behind, which ends by itself after this time. */
const LIFETIME_SECONDS = "1800";

/** A running Postfix; `port` is 0 where there is none. */
export interface PostfixServer {
  port: number;
  close: () => void;
}

/**
 * Starts Postfix, or prints in one line why its tests are left out. Without the Maildir of
 * Dovecot's user, returned mail is discarded.
 */
export async function startPostfix(
  certificate: Certificates["server"],
  returned: string | undefined,
): Promise<PostfixServer> {
  const reason = existsSync(POSTFIX) ? "runs as root only" : "is not installed";
  if (!existsSync(POSTFIX) || process.getuid?.() !== 0) {
    console.log(`postfix ${reason}: its tests are left out`);
    return { port: 0, close: () => undefined };
  }
  const directory = mkdtempSync(join(tmpdir(), "postrider-postfix-"));
  const port = await freePort();
  const nextPort = await freePort();
  writeConfiguration(directory, certificate, {
    "conf/main.cf": mainConfiguration(directory, nextPort) + deliveryTo(returned),
    "conf/master.cf": masterConfiguration(port, nextPort),
  });
  const configuration = ["-c", join(directory, "conf")];
  execFileSync(POSTFIX, [...configuration, "check"], { stdio: "pipe" });
  execFileSync(MASTER, [...configuration, "-w", "-e", LIFETIME_SECONDS], { stdio: "ignore" });
  const close = () => {
    execFileSync(POSTFIX, [...configuration, "stop"], { stdio: "ignore" });
    rmSync(directory, { recursive: true, force: true });
  };
  return { port, close };
}

function writeConfiguration(
  directory: string,
  certificate: Certificates["server"],
  files: Record<string, string>,
): void {
  chmodSync(directory, 0o755); // for Postfix's own user
  const inside = (name: string) => join(directory, name);
  for (const name of ["conf", "queue", "data"]) mkdirSync(inside(name));
  execFileSync("chown", ["postfix", inside("data")]);
  writeFileSync(inside("tls.pem"), certificate.cert);
  writeFileSync(inside("tls.key"), certificate.key, { mode: 0o600 });
  for (const [name, content] of Object.entries(files)) writeFileSync(inside(name), content);
}

/** Delivers mail for `return.test` into a Maildir. */
function deliveryTo(maildir: string | undefined): string {
  if (maildir === undefined) return "virtual_transport = discard:\n";
  const idOf = (option: string) =>
    execFileSync("id", [option, "dovecot"], { encoding: "utf8" }).trim();
  return `virtual_transport = virtual
virtual_mailbox_domains = return.test
virtual_mailbox_base = ${dirname(maildir)}
virtual_mailbox_maps = static:${basename(maildir)}/
virtual_uid_maps = static:${idOf("-u")}
virtual_gid_maps = static:${idOf("-g")}
`;
}

function mainConfiguration(directory: string, nextPort: number): string {
  return `compatibility_level = 3.6
config_directory = ${directory}/conf
queue_directory = ${directory}/queue
data_directory = ${directory}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
meta_directory = /etc/postfix
shlib_directory = /usr/lib/postfix
mail_owner = postfix
setgid_group = postdrop
maillog_file = ${directory}/mail.log
maillog_file_prefixes = ${directory}
myhostname = mail.test
enable_long_queue_ids = yes
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
disable_dns_lookups = yes
smtpd_peername_lookup = no
default_transport = discard:
relay_transport = discard:
transport_maps = inline:{{away.example = smtp:[127.0.0.1]:${nextPort}}}
local_transport = discard:
smtpd_tls_cert_file = ${directory}/tls.pem
smtpd_tls_key_file = ${directory}/tls.key
smtpd_tls_security_level = may
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_recipient_restrictions =
    check_recipient_access inline:{
        {bad550@dest.example = 550 5.1.1 No such user},
        {tmp451@dest.example = 451 4.7.1 Greylisted},
        {close421@dest.example = 421 4.3.2 Shutting down}},
    permit_mynetworks, reject
next_server_restrictions =
    check_recipient_access inline:{
        {away.example = 550 5.1.1 Recipient address rejected: User unknown in virtual mailbox table}},
    reject
smtpd_forbid_bare_newline = yes
smtputf8_enable = yes
`;
}

/** Service, type, private, unprivileged, chroot, wake-up, processes, command. */
function masterConfiguration(port: number, nextPort: number): string {
  return `127.0.0.1:${port} inet n - n - - smtpd
127.0.0.1:${nextPort} inet n - n - - smtpd
  -o smtpd_recipient_restrictions=$next_server_restrictions
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
smtp unix - - n - - smtp
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`;
}
