import type {
  Bag,
  BlockFunction,
  CallOptions,
  HelperFunction,
} from "handlebars/dist/cjs/handlebars.runtime.js";
import { templateFault } from "../../messages/templates.ts";
import { TemplateRenderError } from "./errors.ts";
import type { Expression, Frame } from "./frame.ts";

/** A helper call: arguments, `key=value` pairs and blocks. */
export interface Call {
  name: string;
  params: readonly Expression[];
  hash: (frame: Frame) => Bag | undefined;
  fn: ((frame: Frame) => BlockFunction) | undefined;
  inverse: ((frame: Frame) => BlockFunction) | undefined;
}

/**
 * Builds the options of a call, its last argument; `noop` replaces a missing block. Handlebars also
 * adds the tag's source position, which no helper here reads and every tag would have to store.
 */
export function readOptions(call: Call, frame: Frame, noop: BlockFunction): CallOptions {
  const options: CallOptions = {
    name: call.name,
    hash: call.hash(frame),
    data: frame.data,
    blockParams: frame.blockParams,
  };
  if (call.fn !== undefined || call.inverse !== undefined) {
    options.fn = call.fn === undefined ? noop : call.fn(frame);
    options.inverse = call.inverse === undefined ? noop : call.inverse(frame);
  }
  return options;
}

/** Calls a template's named helper. Throws TemplateRenderError if it is not a function. */
export function callHelper(
  helper: unknown,
  call: Call,
  frame: Frame,
  noop: BlockFunction,
): unknown {
  if (!isHelper(helper))
    throw new TemplateRenderError(templateFault("not_a_helper", { name: call.name }));
  const context = contextOf(frame);
  const { params } = call;
  const [first, second] = params;
  // Nearly all calls have few arguments, so they avoid the array.
  if (first === undefined) return helper.call(context, readOptions(call, frame, noop));
  if (second === undefined) {
    return helper.call(context, first(frame), readOptions(call, frame, noop));
  }
  const values = params.map((param) => param(frame));
  return helper.call(context, ...values, readOptions(call, frame, noop));
}

/** Returns true for a value that can be called as a helper. */
export function isHelper(value: unknown): value is HelperFunction {
  return typeof value === "function";
}

/**
 * Returns a helper's `this`: never null, so that sloppy-mode functions do not see the global
 * object.
 */
export function contextOf(frame: Frame): unknown {
  return frame.depth0 ?? frame.container.nullContext;
}
