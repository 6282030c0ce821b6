// The dashboard in a real browser. The suites share one service and one browser.
import { describe } from "vitest";
import { describeEveryPage } from "./dashboard/every-page.suite.ts";
import { describeShell } from "./dashboard/shell.suite.ts";
import { describeTemplates } from "./dashboard/templates.suite.ts";
import { findBrowser } from "./support/browser.ts";
import { startDashboard } from "./support/dashboard.ts";

const browserPath = findBrowser();

describe.runIf(browserPath)("the dashboard", () => {
  const dashboard = startDashboard(browserPath ?? "");
  describeShell(dashboard);
  describeTemplates(dashboard);
  describeEveryPage(dashboard);
});
