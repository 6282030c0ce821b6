/*
 * Evaluates the bounce classifier against labeled mail: `node scripts/measure-bounces.ts FOLDER`.
 * The folder contains `messages/`, `labels.json` (file → `[{to, label}]`) and `replies.json`
 * (`[{phase, reply, label}]`). Labels are address, not_address, complaint, none, and either, which
 * does not count.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { classifyReply, parseBounce } from "../src/mail/bounce/index.ts";
import { OperatorError, runCommand, UsageError } from "./command-line.ts";

const USAGE = `Usage:
  node scripts/measure-bounces.ts FOLDER [--half 0|1] [--list]
      prints how many bad addresses are found and how many others are suppressed; --half takes one
      of two fixed random halves, so that rules can be written on one and measured on the other;
      --list prints every miss`;

type Label = "address" | "not_address" | "complaint" | "none" | "either";
interface MessageLabel {
  to: string;
  label: Label;
  reason: string;
}
interface LabelledReply {
  phase: string;
  reply: string;
  label: Label;
  reason: string;
}

/** Counts of one set of labels. */
class Tally {
  addresses = 0;
  found = 0;
  others = 0;
  suppressed = 0;
  complaints = 0;
  heard = 0;

  count(label: Label, isBad: boolean, isComplaint: boolean): boolean {
    if (label === "either") return true;
    if (label === "address") {
      this.addresses += 1;
      if (isBad) this.found += 1;
      return isBad;
    }
    if (label === "complaint") {
      this.complaints += 1;
      if (isComplaint) this.heard += 1;
      return isComplaint;
    }
    this.others += 1;
    if (isBad) this.suppressed += 1;
    return !isBad;
  }

  toString() {
    const share = (part: number, whole: number) =>
      `${part}/${whole} (${whole === 0 ? "-" : ((100 * part) / whole).toFixed(1)} %)`;
    return (
      `bad addresses found ${share(this.found, this.addresses)}, ` +
      `others suppressed ${share(this.suppressed, this.others)}, ` +
      `complaints found ${share(this.heard, this.complaints)}`
    );
  }
}

await runCommand(USAGE, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { half: { type: "string" }, list: { type: "boolean", default: false } },
  });
  const [folder] = positionals;
  if (folder === undefined) throw new UsageError("the folder is missing");
  if (values.half !== undefined && values.half !== "0" && values.half !== "1")
    throw new UsageError("--half must be 0 or 1");
  const isInHalf = (key: string) => values.half === undefined || halfOf(key) === values.half;
  const list = values.list ? (line: string) => process.stdout.write(`${line}\n`) : () => undefined;
  process.stdout.write(`messages: ${String(await measureMessages(folder, isInHalf, list))}\n`);
  process.stdout.write(`replies:  ${String(measureReplies(folder, isInHalf, list))}\n`);
});

/** Assigns a key to one of two halves, deterministically. */
function halfOf(key: string): string {
  return String((createHash("sha256").update(key).digest()[0] ?? 0) & 1);
}

type Report = Awaited<ReturnType<typeof parseBounce>>;

async function measureMessages(
  folder: string,
  isInHalf: (key: string) => boolean,
  list: (line: string) => void,
): Promise<Tally> {
  const tally = new Tally();
  const labels = readJson(join(folder, "labels.json")) as Record<string, MessageLabel[]>;
  for (const [file, expected] of Object.entries(labels).filter(([name]) => isInHalf(name))) {
    const report = await parseBounce(readFileSync(join(folder, "messages", file)));
    for (const { to, label, reason } of expected) {
      const found = recipientOf(report, to);
      const isBad = report.kind === "bounce" && found?.verdict === "bad_address";
      if (!tally.count(label, isBad, report.kind === "complaint"))
        list(`${file} ${to} ${label}/${reason} → ${report.kind} ${JSON.stringify(found)}`);
    }
  }
  return tally;
}

function recipientOf({ recipients }: Report, to: string) {
  return recipients.find(({ email }) => email === to.toLowerCase());
}

function measureReplies(
  folder: string,
  isInHalf: (key: string) => boolean,
  list: (line: string) => void,
): Tally {
  const tally = new Tally();
  const replies = readJson(join(folder, "replies.json")) as LabelledReply[];
  for (const { phase, reply, label, reason } of replies.filter((item) => isInHalf(item.reply))) {
    const said = classifyReply(phase, reply);
    if (!tally.count(label, said.verdict === "bad_address", false))
      list(`${phase} ${reply}\n    ${label}/${reason} → ${said.verdict} ${said.reason}`);
  }
  return tally;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new OperatorError(`cannot read ${file}: ${String(error)}`);
  }
}
