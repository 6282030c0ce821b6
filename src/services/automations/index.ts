export {
  listRuns,
  listRunsOfSubscriber,
  readRun,
  runReads,
  RUN_STATES,
  selectRunsToExport,
  subscriberRunReads,
  type ExportedRun,
  type ListedRun,
} from "./list-runs.ts";
export { runAutomations } from "./run-automations.ts";
export { sweepAutomations } from "./sweep-automations.ts";
export { readReport, reportReads } from "./read-report.ts";
export { columnsOf, selectAutomation, type Automation } from "./automation-queries.ts";
export { pauseAutomation, startAutomation, stopAutomation } from "./control-automation.ts";
export { deleteAutomation, purgeAutomations } from "./delete-automation.ts";
export { eraseRuns, RUNS_ERASED } from "./erase-runs.ts";
export { continueStops } from "./end-stopped-runs.ts";
export { enterAutomation, MOST_ENTERED } from "./enter-automation.ts";
export {
  changeAutomation,
  createAutomation,
  getAutomation,
  listAutomations,
} from "./manage-automations.ts";
export { readyMade, READY_MADE_LANGUAGES } from "./ready-made.ts";
export { GRADES as AUTOMATION_GRADES } from "./find-problems.ts";
export { rehearse, type Rehearsal } from "./rehearsal/rehearse.ts";
export { LEAVES } from "./rehearsal/walk-person.ts";
