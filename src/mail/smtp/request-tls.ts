import type { Connection } from "../net/connection.ts";
import { encodeText } from "./command.ts";
import { isPositive, readReply } from "./reply.ts";

/**
 * Brings a plain-text connection to the start of the TLS handshake (RFC 3207). Returns false if the
 * server rejects a step.
 * @throws ConnectionError
 */
export async function requestTls(connection: Connection, ehloName: string): Promise<boolean> {
  if (!isPositive(await readReply(connection))) return false;
  for (const command of [`EHLO ${ehloName}`, "STARTTLS"]) {
    await connection.write(encodeText(`${command}\r\n`));
    if (!isPositive(await readReply(connection))) return false;
  }
  return true;
}
