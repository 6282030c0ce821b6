// Cost limits of a template. A step is a statement, a path segment after the first, an argument or
// a loop iteration. Authors and data are hostile, so every runtime operation whose cost is
// proportional to data (loops, printing arrays, merging contexts, indenting) is charged before or
// while it runs.
import { templateFault } from "../../messages/templates.ts";
import { TemplateRenderError } from "./errors.ts";
import type { RenderLimits } from "./limits.ts";

/** Characters copied, or array elements joined, in roughly the time of one step. */
const TEXT_CHARS_PER_STEP = 64;
const ARRAY_ELEMENTS_PER_STEP = 32;

/**
 * Remaining allowance of the current render; each compiled template has one and refills it for
 * every render.
 */
export interface Budget {
  steps: number;
  outputBytes: number;
}

/** Takes `steps` from the budget. Throws TemplateRenderError if it is exhausted. */
export function spendSteps(budget: Budget, steps: number): void {
  budget.steps -= steps;
  if (budget.steps < 0) throw new TemplateRenderError(templateFault("too_many_steps"));
}

/** Takes `bytes` of output from the budget. Throws TemplateRenderError if it is exhausted. */
export function spendOutput(budget: Budget, bytes: number): void {
  budget.outputBytes -= bytes;
  if (budget.outputBytes < 0) throw new TemplateRenderError(templateFault("output_too_long"));
}

/**
 * Charges `text` as output, minus what was charged while producing it (a block's own contents);
 * `bytesLeftBefore` is the earlier value of `budget.outputBytes`.
 */
export function spendText(budget: Budget, text: string, bytesLeftBefore: number): void {
  const alreadySpent = bytesLeftBefore - budget.outputBytes;
  if (text.length <= alreadySpent) return;
  // A text longer than the whole allowance fails without counting its bytes.
  const bytes = text.length > bytesLeftBefore ? text.length : utf8Length(text);
  spendOutput(budget, bytes - alreadySpent);
}

/** Charges the conversion of a value to text, which joins an array element by element. */
export function spendConversion(budget: Budget, value: unknown): void {
  if (typeof value === "string") {
    spendSteps(budget, Math.floor(value.length / TEXT_CHARS_PER_STEP));
  } else if (Array.isArray(value)) {
    spendSteps(budget, 1 + Math.floor(value.length / ARRAY_ELEMENTS_PER_STEP));
    for (const element of value) spendConversion(budget, element);
  }
}

/** Charges a copy of a value: an object's keys or a text's characters. */
export function spendCopy(budget: Budget, value: unknown): void {
  if (typeof value === "string" || Array.isArray(value)) spendSteps(budget, value.length);
  else if (typeof value === "object" && value !== null) {
    spendSteps(budget, Object.keys(value).length);
  }
}

export function refill(budget: Budget, limits: RenderLimits): void {
  budget.steps = limits.steps;
  budget.outputBytes = limits.outputBytes;
}

/** Returns the UTF-8 length of a text in bytes (RFC 3629, section 3). */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    const isSurrogate = unit >= 0xd800 && unit < 0xe000; // four bytes for two units
    bytes += unit < 0x800 || isSurrogate ? 1 : 2;
  }
  return bytes;
}
