import { encodeText } from "./command.ts";
import type { SmtpReply } from "./reply.ts";

/** Sends one line and reads its reply. */
export type Ask = (line: string) => Promise<SmtpReply>;

const CONTINUE = 334;

/**
 * Logs in with PLAIN (RFC 4616) or else LOGIN, both of which send UTF-8, and returns the deciding
 * reply, 235 on success (RFC 4954); undefined when the server offers neither.
 */
export async function authenticate(
  ask: Ask,
  mechanisms: string[],
  credentials: { user: string; password: string },
): Promise<SmtpReply | undefined> {
  const { user, password } = credentials;
  if (mechanisms.includes("PLAIN")) return ask(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`);
  if (mechanisms.includes("LOGIN"))
    return askInTurn(ask, ["AUTH LOGIN", base64(user), base64(password)]);
  return undefined;
}

/** LOGIN asks for the user, then for the password; any other answer than 334 decides. */
async function askInTurn(ask: Ask, [line = "", ...rest]: string[]): Promise<SmtpReply> {
  const reply = await ask(line);
  return reply.code === CONTINUE && rest.length > 0 ? askInTurn(ask, rest) : reply;
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...encodeText(text)));
}
