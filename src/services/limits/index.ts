export { judgeHit, type Limit, type Verdict } from "./sliding-window.ts";
export { takeHit, takeLoginTry, type LimitedAction } from "./take-hit.ts";
