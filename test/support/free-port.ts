import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the ports that systems give to outgoing connections, of which tests open thousands: a server
 * may bind its port long after it was chosen.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;
let nextPort = randomInt(FIRST_PORT, LAST_PORT);

/** Port of 127.0.0.1 without a listener. */
export async function freePort(): Promise<number> {
  do nextPort = nextPort >= LAST_PORT ? FIRST_PORT : nextPort + 1;
  while (!(await isFree(nextPort)));
  return nextPort;
}

/** Ports of 127.0.0.1 without a listener. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const isOpen = await new Promise<boolean>((resolve) => {
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => resolve(true));
  });
  if (isOpen) await new Promise((resolve) => probe.close(resolve));
  return isOpen;
}
