import { env } from "cloudflare:workers";

/**
 * Loopback ports of the servers that global-setup.ts starts for a whole test run. A type alias fits
 * a JSON binding; an interface does not.
 */
export type TestPorts = {
  /** Capturing server, STARTTLS, login required: user "user", password "pass". */
  smtp: number;
  /** The same with implicit TLS. */
  smtps: number;
  /** The same without TLS and without login, like a local mail catcher. */
  smtpPlain: number;
  /**
   * Control port (HTTP) for captured messages and scripted servers, used by mailbox.ts and
   * smtp/raw-client.ts.
   */
  smtpControl: number;
  /** A real Postfix, see smtp/postfix.ts; 0 where Postfix is not installed. */
  postfix: number;
  /** A real Exim and a real Haraka, see smtp/real-servers.ts; 0 where one is not in .cache. */
  exim: number;
  haraka: number;
  /** A real Dovecot with implicit TLS, see imap/dovecot.ts; 0 where Dovecot is not installed. */
  dovecot: number;
  /** A DNS-over-HTTPS resolver; doh-server.ts lists its answers. */
  doh: number;
  /** Endpoints for webhooks, see webhooks/receiver.ts. */
  webhooks: number[];
};

declare global {
  namespace Cloudflare {
    interface Env {
      TEST_PORTS: TestPorts;
      /** Runs of tests against the simulator of automations; "" for a few. */
      MODEL_RUNS: string;
    }
  }
}

declare module "vitest" {
  interface ProvidedContext {
    ports: TestPorts;
  }
}

/** Ports inside a test that runs in workerd. */
export const ports = env.TEST_PORTS;
