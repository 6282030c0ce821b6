import type { Instruction } from "handlebars/dist/cjs/handlebars/compiler/compiler.js";
import {
  ambiguousBlockValue,
  assignToHash,
  blockValue,
  emptyHash,
  invokeAmbiguous,
  invokeHelper,
  invokeKnownHelper,
  popHash,
  pushHash,
  pushProgram,
} from "./emit-call.ts";
import {
  lookupBlockParam,
  lookupData,
  lookupOnContext,
  pushContext,
  resolvePossibleLambda,
} from "./emit-lookup.ts";
import { emitEscaped, emitRaw } from "./emit-output.ts";
import { invokePartial, registerDecorator } from "./emit-partial.ts";
import type { ProgramBuilder } from "./program-builder.ts";

/** Executes one instruction of the opcode compiler on the stacks of `program`. */
export function applyOpcode(program: ProgramBuilder, instruction: Instruction): void {
  switch (instruction.opcode) {
    case "appendContent":
      program.text += instruction.args[0];
      return;
    case "append":
      return emitRaw(program);
    case "appendEscaped":
      return emitEscaped(program);
    case "getContext":
      [program.contextDepth] = instruction.args;
      return;
    case "pushContext":
      return pushContext(program);
    case "pushString": {
      const [text] = instruction.args;
      program.values.push(() => text);
      return;
    }
    case "pushLiteral":
      return pushLiteral(program, instruction.args[0]);
    case "lookupOnContext":
      return lookupOnContext(program, ...instruction.args);
    case "lookupBlockParam":
      return lookupBlockParam(program, ...instruction.args);
    case "lookupData":
      return lookupData(program, ...instruction.args);
    case "resolvePossibleLambda":
      return resolvePossibleLambda(program);
    case "pushHash":
      return pushHash(program);
    case "assignToHash":
      return assignToHash(program, instruction.args[0]);
    case "popHash":
      return popHash(program);
    case "emptyHash":
      return emptyHash(program, instruction.args[0]);
    case "pushProgram":
      return pushProgram(program, instruction.args[0]);
    case "invokeHelper":
      return invokeHelper(program, ...instruction.args);
    case "invokeKnownHelper":
      return invokeKnownHelper(program, ...instruction.args);
    case "invokeAmbiguous":
      return invokeAmbiguous(program, instruction.args[0]);
    case "blockValue":
      return blockValue(program, instruction.args[0]);
    case "ambiguousBlockValue":
      return ambiguousBlockValue(program);
    case "invokePartial":
      return invokePartial(program, ...instruction.args);
    case "registerDecorator":
      return registerDecorator(program, ...instruction.args);
    default:
      throw new Error(`unknown template opcode: ${JSON.stringify(instruction)}`);
  }
}

/** Pushes a literal. The opcode compiler writes undefined and null as strings. */
function pushLiteral(program: ProgramBuilder, literal: number | boolean | "undefined" | "null") {
  const value = literal === "undefined" ? undefined : literal === "null" ? null : literal;
  program.values.push(() => value);
}
