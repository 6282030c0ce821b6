/*
 * A real Postfix in a directory of its own, on a loopback port, started by hand as root. It accepts
 * mail for every address and discards it, but refuses `bad550@`, `tmp451@` and
 * `close421@dest.example` with the code in their names. Where it cannot run, its tests are left
 * out.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

/** Starts Postfix, or prints in one line why its tests are left out. */
export async function startPostfix(certificate: Certificates["server"]): Promise<PostfixServer> {
  if (!existsSync(POSTFIX) || process.getuid?.() !== 0) {
    console.log("postfix is not installed: its tests are left out");
    return { port: 0, close: () => undefined };
  }
  const directory = mkdtempSync(join(tmpdir(), "postrider-postfix-"));
  const port = await freePort();
  writeConfiguration(directory, port, certificate);
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
  port: number,
  certificate: Certificates["server"],
): void {
  chmodSync(directory, 0o755); // for Postfix's own user
  const inside = (name: string) => join(directory, name);
  for (const name of ["conf", "queue", "data"]) mkdirSync(inside(name));
  execFileSync("chown", ["postfix", inside("data")]);
  writeFileSync(inside("tls.pem"), certificate.cert);
  writeFileSync(inside("tls.key"), certificate.key, { mode: 0o600 });
  writeFileSync(inside("conf/main.cf"), mainConfiguration(directory));
  writeFileSync(inside("conf/master.cf"), masterConfiguration(port));
}

function mainConfiguration(directory: string): string {
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
virtual_transport = discard:
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
smtpd_forbid_bare_newline = yes
smtputf8_enable = yes
`;
}

/** Service, type, private, unprivileged, chroot, wake-up, processes, command. */
function masterConfiguration(port: number): string {
  return `127.0.0.1:${port} inet n - n - - smtpd
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
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`;
}
