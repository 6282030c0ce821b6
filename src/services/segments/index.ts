export { compileWhere, parseCondition } from "./compile.ts";
export type { Condition } from "./condition.ts";
export { formatCondition } from "./format-condition.ts";
