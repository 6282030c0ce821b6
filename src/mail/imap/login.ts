/*
 * IMAP from the greeting to the authenticated state (RFC 3501 section 6.2): AUTHENTICATE PLAIN (RFC
 * 4616), in one step if the server offers SASL-IR (RFC 4959), else LOGIN.
 *
 * A hostile server may ask for the password twice, or repeat it in a response that users see as an
 * error. The client sends each piece once and redacts the password in errors.
 */
import { connectionMessage, type ConnectionMessage } from "../../messages/connections.ts";
import { secretHider } from "../net/hide-secrets.ts";
import { type Command, commandWithStrings } from "./command.ts";
import type { Dialogue } from "./dialogue.ts";
import { ImapError } from "./imap-error.ts";
import type { ImapSettings } from "./settings.ts";

type Credentials = Pick<ImapSettings, "user" | "password">;

/** The steps of opening a session, in order. */
export type ImapOpeningStep = "connect" | "greeting" | "capability" | "login";

/** Receives each completed step with its finding. */
export type ImapWatch = (step: ImapOpeningStep, found: ConnectionMessage) => void;

/**
 * Reads the greeting and logs in, unless the server has already authenticated the client.
 * @throws ImapError `login`, `login_method`, `protocol`
 * @throws ConnectionError
 */
export async function logIn(
  dialogue: Dialogue,
  credentials: Credentials,
  watch?: ImapWatch,
): Promise<void> {
  const greeting = await dialogue.readGreeting();
  watch?.("greeting", connectionMessage("server_said", { words: greeting.text }));
  const capabilities = await dialogue.capabilities();
  if (!capabilities.has("IMAP4REV1")) {
    throw new ImapError("protocol", connectionMessage("not_imap4rev1"));
  }
  const words = [...capabilities].join(" ");
  watch?.("capability", connectionMessage("server_said", { words }));
  if (greeting.status === "PREAUTH") {
    watch?.("login", connectionMessage("login_not_needed"));
    return;
  }
  const { isOk, text } = await dialogue.run(loginCommand(credentials, capabilities));
  if (!isOk) {
    const hide = secretHider(credentials.user, credentials.password);
    const reply = hide(text);
    throw loginError(capabilities, (methods) =>
      methods === undefined
        ? connectionMessage("login_refused", { reply })
        : connectionMessage("login_refused_with_methods", { reply, methods }),
    );
  }
  watch?.("login", connectionMessage("logged_in"));
}

function loginCommand(credentials: Credentials, capabilities: ReadonlySet<string>): Command {
  const { user, password } = credentials;
  if (`${user}${password}`.includes("\0")) {
    throw new ImapError("login", connectionMessage("nul_in_imap_login"));
  }
  if (capabilities.has("AUTH=PLAIN")) {
    const response = plainResponse(credentials);
    return capabilities.has("SASL-IR")
      ? [`AUTHENTICATE PLAIN ${response}\r\n`]
      : ["AUTHENTICATE PLAIN\r\n", `${response}\r\n`];
  }
  if (capabilities.has("LOGINDISABLED")) {
    throw loginError(capabilities, (methods) =>
      methods === undefined
        ? connectionMessage("login_without_password")
        : connectionMessage("login_without_password_with_methods", { methods }),
    );
  }
  return commandWithStrings("LOGIN", [user, password]);
}

/** Returns the login error, with the methods that the server offers instead. */
function loginError(
  capabilities: ReadonlySet<string>,
  reasonOf: (methods: string | undefined) => ConnectionMessage,
): ImapError {
  const methods = [...capabilities].filter((name) => name.startsWith("AUTH="));
  if (methods.length === 0 || methods.includes("AUTH=PLAIN"))
    return new ImapError("login", reasonOf(undefined));
  return new ImapError("login_method", reasonOf(methods.join(", ")));
}

function plainResponse({ user, password }: Credentials): string {
  const bytes = new TextEncoder().encode(`\0${user}\0${password}`);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
