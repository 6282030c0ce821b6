import { ports } from "../ports.ts";
import type { RawLog, RawScript } from "./raw-script.ts";

/** A scripted server as seen by a test inside workerd. */
export interface RawServer {
  port: number;
  log: () => Promise<RawLog>;
  /** Waits until every connection is closed; returns the number still open after `timeoutMs`. */
  openConnections: (timeoutMs?: number) => Promise<number>;
}

/** Starts a server that plays a script; it ends with the run. */
export async function startRawServer(script: RawScript): Promise<RawServer> {
  const { port } = await call<{ port: number }>("/raw/start", {
    method: "POST",
    body: JSON.stringify(script),
  });
  return {
    port,
    log: () => call<RawLog>(`/raw/log?port=${port}`),
    openConnections: async (timeoutMs = 2_000) => {
      const path = `/raw/idle?port=${port}&timeout_ms=${timeoutMs}`;
      return (await call<{ open: number }>(path)).open;
    },
  };
}

/** Starts a real server, unless it runs. Returns the Message-IDs of the mails that it accepted. */
export async function startRealServer(name: "exim" | "haraka"): Promise<() => Promise<string[]>> {
  await call(`/real/start?name=${name}`, { method: "POST" });
  return () => call<string[]>(`/real/accepted?name=${name}`);
}

async function call<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${ports.smtpControl}${path}`, init);
  if (!response.ok) throw new Error(`control port: ${response.status} ${await response.text()}`);
  return response.json<T>();
}
