import type { Container } from "handlebars/dist/cjs/handlebars.runtime.js";
import { spendConversion, spendText } from "./budget.ts";
import { emit, popValue } from "./program-builder.ts";
import type { ProgramBuilder } from "./program-builder.ts";
import { isNullish } from "./resolve-path.ts";

/** `append`: adds the newest value to the output unchanged; null and undefined print nothing. */
export function emitRaw(program: ProgramBuilder): void {
  const { budget } = program.template;
  emitText(program, (value) => {
    if (typeof value === "string") return value;
    spendConversion(budget, value);
    return isNullish(value) ? "" : String(value);
  });
}

/** `appendEscaped`: adds the newest value to the output, escaped for HTML by the runtime. */
export function emitEscaped(program: ProgramBuilder): void {
  const { budget } = program.template;
  emitText(program, (value, container) => {
    if (typeof value !== "string") spendConversion(budget, value);
    return container.escapeExpression(value);
  });
}

function emitText(
  program: ProgramBuilder,
  toText: (value: unknown, container: Container) => string,
): void {
  const { budget } = program.template;
  const read = popValue(program);
  emit(program, (frame) => {
    const bytesLeftBefore = budget.outputBytes;
    const text = toText(read(frame), frame.container);
    spendText(budget, text, bytesLeftBefore);
    return text;
  });
}
