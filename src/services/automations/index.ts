export {
  listRuns,
  listRunsOfSubscriber,
  runReads,
  RUN_STATES,
  subscriberRunReads,
  type ListedRun,
} from "./list-runs.ts";
export { readReport, reportReads } from "./read-report.ts";
