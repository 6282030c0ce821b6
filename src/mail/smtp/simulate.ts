/*
 * Mails that no server gets: those of test keys, and those to the addresses of the simulator, whose
 * local part names the outcome. `bounced+any-label@simulator.postrider.test` bounces.
 */
import type { ServerResult } from "./failover.ts";
import type { OutgoingMessage, RecipientResult } from "./message.ts";
import { describeReply, type SmtpReply } from "./reply.ts";

/** A domain that no DNS has (RFC 6761 section 6.2). */
const DOMAIN = "simulator.postrider.test";

const reply = (code: number, enhanced: string, text: string): SmtpReply => ({
  code,
  enhanced,
  text,
});

/** The replies to the addresses of the simulator. A suppressed address gets none. */
const REPLIES = {
  delivered: reply(250, "2.0.0", "Ok"),
  complained: reply(250, "2.0.0", "Ok"),
  suppressed: reply(250, "2.0.0", "Ok"),
  bounced: reply(550, "5.1.1", "The mailbox does not exist"),
  deferred: reply(450, "4.2.0", "Try again later"),
};

type Simulated = keyof typeof REPLIES;

const isSimulated = (word: string): word is Simulated => Object.hasOwn(REPLIES, word);

/**
 * Returns the outcome that an address of the simulator asks for; undefined for any other address. A
 * word that is not an outcome has no mailbox there.
 */
export function simulatedOutcomeOf(address: string): Simulated | undefined {
  const [local = "", domain] = address.split("@");
  if (domain !== DOMAIN) return undefined;
  const word = local.split("+")[0] ?? "";
  return isSimulated(word) ? word : "bounced";
}

/** A mail of which a test has no real recipient. */
type MaybeTest = { isTest?: boolean | undefined };

/** Returns the recipients of a mail that a server is to get. */
export const realRecipients = (addresses: readonly string[], { isTest }: MaybeTest): string[] =>
  isTest ? [] : addresses.filter((address) => simulatedOutcomeOf(address) === undefined);

/**
 * Sends a message to its real recipients, if there are any, and answers for the others. Throws what
 * `send` throws.
 */
export async function sendToReal(
  message: OutgoingMessage,
  mail: MaybeTest,
  send: (message: OutgoingMessage) => Promise<ServerResult>,
): Promise<ServerResult> {
  const { envelope } = message;
  const real = realRecipients(envelope.to, mail);
  if (real.length === envelope.to.length) return send(message);
  const simulated = simulate(envelope.to.filter((address) => !real.includes(address)));
  if (real.length === 0) return simulated;
  const sent = await send({ ...message, envelope: { ...envelope, to: real } });
  const recipients = [...sent.result.recipients, ...simulated.result.recipients];
  return { ...sent, result: { ...sent.result, recipients } };
}

/** Returns the outcomes of recipients that are not real. */
export const simulate = (addresses: readonly string[]): ServerResult => ({
  result: { recipients: addresses.map(resultOf), sessionUsable: true },
  role: "first",
});

function resultOf(address: string): RecipientResult {
  const answer = REPLIES[simulatedOutcomeOf(address) ?? "delivered"];
  if (answer.code < 400)
    return { address, outcome: "accepted", phase: "body", reply: answer, error: "" };
  const outcome = answer.code < 500 ? "deferred" : "rejected";
  return { address, outcome, phase: "rcpt", reply: answer, error: describeReply(answer) };
}
