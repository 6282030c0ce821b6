// The pages of the dashboard in a real browser. The suites share one service and one browser.
// Those that wait for broadcasts run beside them (dashboard-broadcasts.test.ts).
import { describe } from "vitest";
import { describeAudience } from "./dashboard/audience.suite.ts";
import { describeBrand } from "./dashboard/brand.suite.ts";
import { describeDocs } from "./dashboard/docs.suite.ts";
import { describeEveryPage } from "./dashboard/every-page.suite.ts";
import { describeGallery } from "./dashboard/gallery.suite.ts";
import { describeForms } from "./dashboard/forms.suite.ts";
import { describeImages } from "./dashboard/images.suite.ts";
import { describeOverview } from "./dashboard/overview.suite.ts";
import { describePeople } from "./dashboard/people.suite.ts";
import { describeLog } from "./dashboard/log.suite.ts";
import { describeReaderPages } from "./dashboard/reader-pages.suite.ts";
import { describeSegments } from "./dashboard/segments.suite.ts";
import { describeSettings } from "./dashboard/settings.suite.ts";
import { describeShell } from "./dashboard/shell.suite.ts";
import { describeTemplates } from "./dashboard/templates.suite.ts";
import { describeTexts } from "./dashboard/texts.suite.ts";
import { findBrowser } from "./support/browser.ts";
import { startDashboard } from "./support/dashboard.ts";

const browserPath = findBrowser();

describe.runIf(browserPath)("the dashboard", () => {
  const dashboard = startDashboard(browserPath ?? "");
  describeShell(dashboard);
  describeDocs(dashboard);
  describeTemplates(dashboard);
  describeImages(dashboard);
  describeGallery(dashboard);
  describeOverview(dashboard);
  describePeople(dashboard);
  describeLog(dashboard);
  describeAudience(dashboard);
  describeSegments(dashboard);
  describeForms(dashboard);
  describeSettings(dashboard);
  describeBrand(dashboard);
  describeEveryPage(dashboard);
  describeReaderPages(dashboard);
});

describe("the texts", describeTexts);
