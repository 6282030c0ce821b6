// Broadcasts in the dashboard, in a real browser. The suites share one service and one browser.
import { describe } from "vitest";
import { describeAutomationReport } from "./dashboard/automation-report.suite.ts";
import { describeAutomations } from "./dashboard/automations.suite.ts";
import { describeBroadcasts } from "./dashboard/broadcasts.suite.ts";
import { describeDrafts } from "./dashboard/drafts.suite.ts";
import { describeFirstRun } from "./dashboard/first-run.suite.ts";
import { describeRestart } from "./dashboard/restart.suite.ts";
import { describeWalk } from "./dashboard/walk.suite.ts";
import { findBrowser } from "./support/browser.ts";
import { startDashboard } from "./support/dashboard.ts";

const browserPath = findBrowser();

describe.runIf(browserPath)("broadcasts in the dashboard", () => {
  const dashboard = startDashboard(browserPath ?? "");
  describeAutomations(dashboard);
  describeAutomationReport(dashboard);
  describeBroadcasts(dashboard);
  describeDrafts(dashboard);
  describeWalk(dashboard);
  describeRestart(dashboard); // kills the service of all suites
  describeFirstRun(dashboard); // deletes everybody's account
});
