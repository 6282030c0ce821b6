import { callHelper, contextOf, isHelper, readOptions } from "./call-helper.ts";
import { pop, popCall, popValue } from "./program-builder.ts";
import type { ProgramBuilder } from "./program-builder.ts";

/** `pushHash`: starts a list of `key=value` pairs. */
export function pushHash(program: ProgramBuilder): void {
  program.openHashes.push([]);
}

/** `assignToHash`: assigns the newest value to a key of the open list; never to `__proto__`. */
export function assignToHash(program: ProgramBuilder, key: string): void {
  program.steps++;
  const value = popValue(program);
  if (key !== "__proto__") program.openHashes.at(-1)?.push([key, value]);
}

/** `popHash`: closes the open list and pushes the resulting hash. */
export function popHash(program: ProgramBuilder): void {
  const pairs = pop(program.openHashes);
  program.hashes.push((frame) =>
    Object.fromEntries(pairs.map(([key, value]) => [key, value(frame)])),
  );
}

/** `emptyHash`: pushes a hash without pairs, or none if `omit` is set. */
export function emptyHash(program: ProgramBuilder, omit = false): void {
  program.hashes.push(omit ? noHash : newHash);
}

const noHash = () => undefined;
const newHash = () => ({});

/** `pushProgram`: pushes a block of the following call, or its absence. */
export function pushProgram(program: ProgramBuilder, child: number | null | undefined): void {
  const target = child === null || child === undefined ? undefined : program.children[child];
  if (target === undefined) {
    program.blocks.push(undefined);
    return;
  }
  const { index, blockParams } = target;
  program.blocks.push((frame) =>
    frame.container.program(index, frame.data, blockParams, frame.blockParams, frame.depths),
  );
}

/** `invokeKnownHelper`: calls a helper that is known to exist. */
export function invokeKnownHelper(program: ProgramBuilder, count: number, name: string): void {
  const call = popCall(program, name, count);
  const { noop } = program.template;
  program.values.push((frame) =>
    callHelper(frame.container.lookupProperty(frame.helpers, name), call, frame, noop),
  );
}

/** `invokeHelper`: calls a helper, else a function in the context, else `helperMissing`. */
export function invokeHelper(
  program: ProgramBuilder,
  count: number,
  name: string,
  isSimple: boolean,
): void {
  const inContext = popValue(program);
  const call = popCall(program, name, count);
  const { noop, options } = program.template;
  program.values.push((frame) => {
    const { container } = frame;
    const helper =
      (isSimple && container.lookupProperty(frame.helpers, name)) ||
      inContext(frame) ||
      (options.strict ? undefined : container.hooks.helperMissing);
    return callHelper(helper, call, frame, noop);
  });
}

/** `invokeAmbiguous`: treats `{{name}}` as a helper call if the helper exists, else as a value. */
export function invokeAmbiguous(program: ProgramBuilder, name: string): void {
  const inContext = popValue(program);
  emptyHash(program);
  const call = popCall(program, name, 0);
  const { noop, options } = program.template;
  program.ambiguousName = name;
  program.values.push((frame) => {
    const { container } = frame;
    let found = container.lookupProperty(frame.helpers, name) || inContext(frame);
    if (!options.strict) found ??= container.hooks.helperMissing;
    if (!isHelper(found)) return found;
    return found.call(contextOf(frame), readOptions(call, frame, noop));
  });
}

/** `blockValue`: passes the newest value to a block that is not a helper call. */
export function blockValue(program: ProgramBuilder, name: string): void {
  const call = popCall(program, name, 0);
  const value = popValue(program);
  const { noop } = program.template;
  program.values.push((frame) =>
    frame.container.hooks.blockHelperMissing.call(
      frame.depth0,
      value(frame),
      readOptions(call, frame, noop),
    ),
  );
}

/** `ambiguousBlockValue`: does the same unless `invokeAmbiguous` found a helper for the block. */
export function ambiguousBlockValue(program: ProgramBuilder): void {
  const name = program.ambiguousName;
  const call = popCall(program, name, 0);
  const value = popValue(program);
  const { noop } = program.template;
  program.values.push((frame) => {
    const { container } = frame;
    const found = value(frame);
    if (container.lookupProperty(frame.helpers, name)) return found;
    const options = readOptions(call, frame, noop);
    return container.hooks.blockHelperMissing.call(frame.depth0, found, options);
  });
}
