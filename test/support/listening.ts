import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A killed run leaves servers behind, which `timeout` ends after this time. */
export const LIFETIME_SECONDS = "1800";
const START_MS_MAX = 10_000;
const START_POLL_MS = 50;

/** Waits until a server accepts connections on its port. */
export async function listening(port: number, server: ChildProcess): Promise<void> {
  for (let waitedMs = 0; waitedMs < START_MS_MAX; waitedMs += START_POLL_MS) {
    if (server.exitCode !== null) break;
    const socket = connect(port, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await sleep(START_POLL_MS);
  }
  server.kill();
  throw new Error(`no server came to listen on port ${port}`);
}
