/*
 * Starts every server of the tests once for a whole run, on loopback only, and hands over their
 * ports (ports.ts). Tests inside workerd trust the CA of certificates.ts.
 */
import type { TestProject } from "vitest/node";
import { loadCertificates } from "./certificates.ts";
import { startDohServer } from "./doh-server.ts";
import { dovecotRoutes } from "./imap/dovecot-routes.ts";
import { startDovecot } from "./imap/dovecot-server.ts";
import { ImapServers } from "./imap/scripted-server.ts";
import { startCaptureServers } from "./smtp/capture-server.ts";
import { inboxQuery, startControlServer } from "./smtp/control-server.ts";
import { Inbox } from "./smtp/inbox.ts";
import { startPostfix } from "./smtp/postfix.ts";
import { RealServers } from "./smtp/real-servers.ts";
import { RawServers } from "./smtp/raw-server.ts";
import { startWebhookReceiver } from "./webhooks/receiver.ts";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const certificates = await loadCertificates(".cache/test-ca");
  const inbox = new Inbox();
  const capture = await startCaptureServers(inbox, certificates.server);
  const rawServers = new RawServers(certificates);
  const doh = await startDohServer();
  const dovecot = await startDovecot(certificates.server);
  const postfix = await startPostfix(certificates.server, dovecot.returned);
  const realServers = await RealServers.find(certificates.server);
  const imapServers = new ImapServers(certificates);
  const webhooks = await startWebhookReceiver();
  const control = await startControlServer({
    "GET /messages": (query) =>
      inbox.wait(inboxQuery(query), Number(query.get("count")), Number(query.get("timeout_ms"))),
    "POST /raw/start": (_query, body) => rawServers.start(JSON.parse(body)),
    "GET /raw/log": async (query) => rawServers.log(Number(query.get("port"))),
    "GET /doh/questions": async (query) => {
      const domain = query.get("domain") ?? "";
      return doh.questions.filter((question) => question.endsWith(domain));
    },
    "GET /raw/idle": (query) =>
      rawServers.idle(Number(query.get("port")), Number(query.get("timeout_ms"))),
    "POST /imap/start": (_query, body) => imapServers.start(JSON.parse(body)),
    "GET /imap/commands": async (query) => imapServers.commands(Number(query.get("port"))),
    "GET /webhooks/received": (query) =>
      webhooks.wait(
        query.get("name") ?? "",
        Number(query.get("count")),
        Number(query.get("timeout_ms")),
      ),
    "POST /webhooks/release": async (query) => webhooks.release(query.get("name") ?? ""),
    ...dovecotRoutes(dovecot),
    ...realServers.routes,
  });
  project.provide("ports", {
    smtp: capture.smtp,
    smtps: capture.smtps,
    smtpPlain: capture.smtpPlain,
    smtpControl: control.port,
    postfix: postfix.port,
    ...realServers.ports,
    doh: doh.port,
    dovecot: dovecot.port,
    webhooks: webhooks.ports,
  });
  return async () => {
    await Promise.all([
      capture.close(),
      control.close(),
      rawServers.close(),
      imapServers.close(),
      doh.close(),
      webhooks.close(),
      dovecot.close(),
      realServers.close(),
    ]);
    postfix.close();
  };
}
