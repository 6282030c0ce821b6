import { spendConversion, spendText } from "./budget.ts";
import { emit, popValue } from "./program-builder.ts";
import type { ProgramBuilder } from "./program-builder.ts";

/** `append`: puts the newest value into the output as it is; null and undefined print nothing. */
export function emitRaw(program: ProgramBuilder): void {
  const { budget } = program.template;
  emitText(program, (value) => {
    if (value === undefined || value === null) return "";
    if (typeof value === "string") return value;
    spendConversion(budget, value);
    return String(value);
  });
}

/** `appendEscaped`: puts the newest value into the output, escaped for HTML by the runtime. */
export function emitEscaped(program: ProgramBuilder): void {
  const { budget } = program.template;
  emitText(program, (value, escape) => {
    if (typeof value !== "string") spendConversion(budget, value);
    return escape(value);
  });
}

function emitText(
  program: ProgramBuilder,
  toText: (value: unknown, escape: (value: unknown) => string) => string,
): void {
  const { budget } = program.template;
  const read = popValue(program);
  emit(program, (frame) => {
    const bytesLeftBefore = budget.outputBytes;
    const text = toText(read(frame), frame.container.escapeExpression);
    spendText(budget, text, bytesLeftBefore);
    return text;
  });
}
