import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { classifyReply, parseBounce } from "../src/mail/bounce/index.ts";
import { OperatorError, runCommand, UsageError } from "./command-line.ts";

const USAGE = `Usage:
  npm run -s bounce -- FILE…
      reads each file as a message of a bounce mailbox and prints one line of JSON:
      {"kind", "recipients": [{"email", "verdict", "reason", "diagnostic"}], "message_ids"}
  npm run -s bounce -- --replies
      reads lines such as {"phase": "RCPT", "reply": "550 5.1.1 No such user"} from standard input
      and prints {"verdict", "reason"} for each; phase is the SMTP command that was answered`;

await runCommand(USAGE, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      replies: { type: "boolean", default: false },
    },
  });
  if (values.replies && positionals.length > 0)
    throw new UsageError("--replies reads standard input and does not accept a file");
  if (values.replies) return explainReplies();
  if (positionals.length === 0) throw new UsageError("name a file, or use --replies");
  for (const file of positionals) write(JSON.stringify(await explainFile(file)));
});

async function explainFile(file: string) {
  const { kind, recipients, messageIds } = await parseBounce(readMessage(file));
  return {
    kind,
    recipients: recipients.map(({ email, verdict, reason, diagnostic }) => ({
      email,
      verdict,
      reason,
      diagnostic,
    })),
    message_ids: messageIds,
  };
}

function readMessage(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new OperatorError(`cannot read ${file}: ${String(error)}`);
  }
}

async function explainReplies() {
  let number = 0;
  for await (const line of createInterface({ input: process.stdin })) {
    number += 1;
    if (line.trim() === "") continue;
    const { phase, reply } = readReply(line, number);
    const { verdict, reason } = classifyReply(phase, reply);
    write(JSON.stringify({ verdict, reason }));
  }
}

function readReply(line: string, number: number): { phase: string; reply: string } {
  const { phase = "", reply } = parseLine(line, number);
  if (typeof phase !== "string" || typeof reply !== "string")
    throw new OperatorError(`line ${number} needs "reply", and "phase" must be a string`);
  return { phase, reply };
}

function parseLine(line: string, number: number): Record<string, unknown> {
  try {
    return Object(JSON.parse(line));
  } catch {
    throw new OperatorError(`line ${number} is not JSON: ${line.slice(0, 60)}`);
  }
}

function write(line: string) {
  process.stdout.write(`${line}\n`);
}
