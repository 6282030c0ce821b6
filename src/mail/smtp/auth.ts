import { encodeText } from "./command.ts";
import type { SmtpReply } from "./reply.ts";

/** Sends one line and reads its reply. */
export type Ask = (line: string) => Promise<SmtpReply>;

const CONTINUE = 334;

/**
 * Logs in with PLAIN (RFC 4616) or else LOGIN, both in UTF-8. Returns the deciding reply, 235 on
 * success (RFC 4954); undefined when the server offers neither.
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

/**
 * Answers LOGIN's requests for the user and then the password; any reply other than 334 decides.
 */
async function askInTurn(ask: Ask, [line = "", ...rest]: string[]): Promise<SmtpReply> {
  const reply = await ask(line);
  return reply.code === CONTINUE && rest.length > 0 ? askInTurn(ask, rest) : reply;
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...encodeText(text)));
}
