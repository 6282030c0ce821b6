import { encodeText } from "./command.ts";
import type { SmtpReply } from "./reply.ts";

/** Sends one line and reads its reply. */
export type Ask = (line: string) => Promise<SmtpReply>;

const CONTINUE = 334;

/** Mechanism not supported (RFC 4954 section 4); some servers say so with the text of a 535. */
const MECHANISM_REFUSED = 504;
const LOGIN_REFUSED = 535;

/**
 * Logs in with PLAIN (RFC 4616), or with LOGIN if PLAIN is not offered or not supported after all,
 * both in UTF-8. Returns the deciding reply, 235 on success (RFC 4954); undefined if the server
 * offers neither.
 */
export async function authenticate(
  ask: Ask,
  mechanisms: string[],
  credentials: { user: string; password: string },
): Promise<SmtpReply | undefined> {
  const { user, password } = credentials;
  const login = ["AUTH LOGIN", base64(user), base64(password)];
  const hasLogin = mechanisms.includes("LOGIN");
  if (!mechanisms.includes("PLAIN")) return hasLogin ? askInTurn(ask, login) : undefined;
  const response = base64(`\0${user}\0${password}`);
  // Some servers ignore the initial response in the command, and ask for it.
  const reply = await askInTurn(ask, [`AUTH PLAIN ${response}`, response]);
  return hasLogin && refusesMechanism(reply) ? askInTurn(ask, login) : reply;
}

function refusesMechanism({ code, text }: SmtpReply): boolean {
  return code === MECHANISM_REFUSED || (code === LOGIN_REFUSED && /mechanism/i.test(text));
}

/** Answers each request of the server with the next line; any reply other than 334 decides. */
async function askInTurn(ask: Ask, [line = "", ...rest]: string[]): Promise<SmtpReply> {
  const reply = await ask(line);
  return reply.code === CONTINUE && rest.length > 0 ? askInTurn(ask, rest) : reply;
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...encodeText(text)));
}
