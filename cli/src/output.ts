/** Removes control characters: a subject or a name must not steer the terminal. */
export const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ");

/** Prints the result of a command: one line of JSON, or text for people. */
export function print(isJson: boolean, value: unknown, text: string): void {
  process.stdout.write(`${isJson ? JSON.stringify(value) : text}\n`);
}

/** Prints what happens meanwhile, apart from the result. */
export const note = (text: string): void => void process.stderr.write(`${text}\n`);
