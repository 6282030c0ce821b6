import type { Interface } from "node:readline/promises";
import { OperatorError } from "./command-line.ts";

/**
 * Asks one question on a terminal, and closes it; Ctrl-C ends the process. Throws OperatorError if
 * the input ends without an answer (Ctrl-D).
 */
export async function readAnswer(terminal: Interface, question: string): Promise<string> {
  terminal.once("SIGINT", () => process.exit(130));
  const unanswered = Promise.withResolvers<never>();
  const refuse = () => {
    process.stdout.write("\n");
    unanswered.reject(new OperatorError("no answer"));
  };
  terminal.once("close", refuse);
  const answer = await Promise.race([terminal.question(question), unanswered.promise]);
  terminal.off("close", refuse);
  terminal.close();
  return answer;
}
