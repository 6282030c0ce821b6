import { env } from "cloudflare:workers";

/** Loopback ports of the servers that global-setup.ts starts for a whole test run (a type alias, so that it fits a JSON binding). */
export type TestPorts = {
  /** Capturing server, STARTTLS, login required: user "user", password "pass". */
  smtp: number;
  /** The same with implicit TLS. */
  smtps: number;
  /** The same without TLS and without login, like a local mail catcher. */
  smtpPlain: number;
  /** HTTP: captured messages and servers made to order; mailbox.ts and smtp/raw-client.ts speak to it. */
  smtpControl: number;
  /** A real Postfix that discards what it accepts; 0 where Postfix is not installed. */
  postfix: number;
  /** A real Dovecot with implicit TLS, see imap/dovecot.ts; 0 where Dovecot is not installed. */
  dovecot: number;
  /** A DNS-over-HTTPS resolver; doh-server.ts tells what it answers. */
  doh: number;
  /** Endpoints for webhooks, see webhooks/receiver.ts. */
  webhooks: number[];
};

declare global {
  namespace Cloudflare {
    interface Env {
      TEST_PORTS: TestPorts;
    }
  }
}

declare module "vitest" {
  interface ProvidedContext {
    ports: TestPorts;
  }
}

/** The ports, inside a test that runs in workerd. */
export const ports = env.TEST_PORTS;
