import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { OperatorError } from "../command-line.ts";

/** A running service with its owner's session. */
export interface DemoService {
  address: string;
  /** The cookie, as `name=value`. */
  session: string;
  /** The demo project of `npm start`. */
  projectId: string;
  /** URL of the local mailbox. */
  inbox: string;
  stop: () => Promise<void>;
}

/** Starts a separate service with its data in `stateDir`. Throws OperatorError if it exits. */
export async function startService(stateDir: string): Promise<DemoService> {
  const [PORT, MAILBOX_SMTP_PORT, MAILBOX_PORT] = await freePorts(3);
  const child = spawn(process.execPath, ["scripts/start.ts"], {
    env: {
      ...process.env,
      STATE_DIR: stateDir,
      PORT: String(PORT),
      MAILBOX_SMTP_PORT: String(MAILBOX_SMTP_PORT),
      MAILBOX_PORT: String(MAILBOX_PORT),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stopped = once(child, "exit");
  const stop = async () => {
    child.kill("SIGTERM");
    await stopped;
  };
  let output = "";
  await new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (/^curl /m.test(output)) resolve();
    });
    child.once("exit", () => resolve());
  });
  const lineOf = (label: string) =>
    new RegExp(`^ {2}${label} +(\\S+)$`, "m").exec(output)?.[1] ?? "";
  const address = lineOf("Address");
  const body = JSON.stringify({ email: lineOf("Email"), password: lineOf("Password") });
  const headers = { "Content-Type": "application/json" };
  const login = await fetch(`${address}/api/v1/auth/login`, { method: "POST", headers, body });
  const session = login.headers.getSetCookie()[0]?.split(";")[0];
  if (session)
    return { address, session, projectId: lineOf("Project"), inbox: lineOf("Inbox"), stop };
  await stop();
  throw new OperatorError(`the service did not start:\n${output}`);
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" && address ? address.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
