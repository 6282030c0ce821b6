export { selectSuppressed, touchSuppressions } from "./queries.ts";
export { suppressStatements, type NewSuppression } from "./suppress.ts";
