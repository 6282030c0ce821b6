// `npm run screenshots`: starts a separate service with the demo data of scripts/screenshots and
// takes the screenshots for the README and the documents, light and dark, and the pictures of the
// gallery of layouts. Requires Chromium.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Browser } from "playwright-core";
import { runCommand } from "./command-line.ts";
import { takeLayoutPictures } from "./screenshots/layout-pictures.ts";
import { makeDemo, type Demo } from "./screenshots/demo-data.ts";
import { startService } from "./screenshots/start-service.ts";

const FOLDER = "docs/images";
const BROWSER = process.env["CHROME_PATH"] || "/usr/bin/chromium";
const WINDOW = { width: 1_280, height: 800 };

interface Shot {
  name: string;
  path: (demo: Demo) => string;
  /** Selector that appears once the page is complete. */
  until: string;
  /** True to capture the whole page, including what is below the fold. */
  isWhole?: boolean;
}

const SHOTS: Shot[] = [
  { name: "overview", path: ({ projectId }) => `/p/${projectId}?days=30`, until: "[data-chart]" },
  {
    name: "ledger",
    path: ({ projectId, broadcastId }) => `/p/${projectId}/broadcasts/${broadcastId}`,
    until: "h1",
  },
  {
    name: "mail",
    path: ({ projectId, logId }) => `/p/${projectId}/log/${logId}`,
    until: "h1",
  },
  {
    name: "editor",
    path: ({ projectId, templateId }) => `/p/${projectId}/templates/${templateId}`,
    until: "iframe",
  },
  {
    name: "pre-flight",
    path: ({ projectId, draftId }) => `/p/${projectId}/broadcasts/${draftId}/preflight`,
    until: 'iframe[style*="opacity: 1"]', // the mail is rendered
    isWhole: true,
  },
];

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

await runCommand("Usage: npm run screenshots", async () => {
  const stateDir = mkdtempSync(join(tmpdir(), "postrider-screenshots-"));
  const service = await startService(stateDir);
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({ executablePath: BROWSER, args });
    await takeLayoutPictures(browser);
    const demo = await makeDemo(service, stateDir);
    mkdirSync(FOLDER, { recursive: true });
    for (const theme of ["light", "dark"] as const)
      for (const shot of SHOTS) await take(browser, service, shot, demo, theme);
  } finally {
    await browser?.close();
    await service.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }
});

async function take(
  browser: Browser,
  { address, session }: { address: string; session: string },
  { name, path, until, isWhole = false }: Shot,
  demo: Demo,
  theme: "light" | "dark",
) {
  const context = await browser.newContext({
    baseURL: address,
    colorScheme: theme,
    locale: "en-GB",
    timezoneId: "UTC",
    viewport: WINDOW,
    reducedMotion: "reduce",
  });
  const [cookie = "", value = ""] = session.split("=");
  await context.addCookies([{ name: cookie, value, url: address }]);
  const page = await context.newPage();
  await page.goto(path(demo));
  await page.locator(until).first().waitFor();
  await page.waitForLoadState("networkidle");
  const file = `${FOLDER}/${name}-${theme}.png`;
  await page.screenshot({ path: file, fullPage: isWhole });
  await context.close();
  process.stdout.write(`${file}\n`);
}
