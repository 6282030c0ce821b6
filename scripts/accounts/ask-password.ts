import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { newPassword } from "../../src/http/password-field.ts";
import { readAnswer } from "../read-answer.ts";
import { readField } from "./read-field.ts";

const MADE_UP_PASSWORD_BYTES = 15;

/** A password for an account; the operator must see a generated one. */
export interface ChosenPassword {
  password: string;
  isMadeUp: boolean;
}

/**
 * Returns the given password, prompts for one on a terminal without echo, or generates one. Throws
 * UsageError if the API would reject it, and OperatorError if the input ends without a password.
 */
export async function choosePassword(given: string | undefined): Promise<ChosenPassword> {
  const password = given ?? (process.stdin.isTTY ? await askUnseen() : "");
  if (given === undefined && password === "") {
    const madeUp = randomBytes(MADE_UP_PASSWORD_BYTES).toString("base64url");
    return { password: madeUp, isMadeUp: true };
  }
  return { password: readField("the password", newPassword, password), isMadeUp: false };
}

async function askUnseen(): Promise<string> {
  process.stdout.write("Password (leave empty to generate one): ");
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: unseen, terminal: true });
  const password = await readAnswer(terminal, "");
  process.stdout.write("\n");
  return password;
}
