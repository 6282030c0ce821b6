// `npm run screenshots`: starts a separate service with the demo data of scripts/screenshots and
// takes the screenshots for the README and the documents, light and dark, and the pictures of the
// gallery of layouts. With `-- --all DIR`, it takes every page at three widths into that folder
// instead. Requires Chromium.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium, type Browser, type Page } from "playwright-core";
import { runCommand } from "./command-line.ts";
import { takeLayoutPictures } from "./screenshots/layout-pictures.ts";
import { makeDemo, type Demo } from "./screenshots/demo-data.ts";
import { pagesOf } from "./screenshots/pages.ts";
import { startService, type DemoService } from "./screenshots/start-service.ts";

const FOLDER = "docs/images";
const BROWSER = process.env["CHROME_PATH"] || "/usr/bin/chromium";
const WINDOW = { width: 1_280, height: 800 };
const WIDTHS = [390, 1_280, 1_920];

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

await runCommand("Usage: npm run screenshots [-- --all DIR]", async () => {
  const { values } = parseArgs({ options: { all: { type: "string" } } });
  const everyInto = values.all === undefined ? undefined : resolve(values.all);
  process.chdir(fileURLToPath(new URL("..", import.meta.url)));
  const stateDir = mkdtempSync(join(tmpdir(), "postrider-screenshots-"));
  const service = await startService(stateDir);
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({ executablePath: BROWSER, args });
    if (everyInto === undefined) await takeLayoutPictures(browser);
    const demo = await makeDemo(service, stateDir);
    mkdirSync(everyInto ?? FOLDER, { recursive: true });
    for (const theme of ["light", "dark"] as const)
      if (everyInto !== undefined) await takeAll(browser, service, demo, theme, everyInto);
      else for (const shot of SHOTS) await take(browser, service, shot, demo, theme);
  } finally {
    await browser?.close();
    await service.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }
});

type Theme = "light" | "dark";
type Session = Pick<DemoService, "address" | "session">;

async function take(
  browser: Browser,
  service: Session,
  { name, path, until, isWhole = false }: Shot,
  demo: Demo,
  theme: Theme,
) {
  const page = await openPage(browser, service, theme);
  await page.goto(path(demo));
  await page.locator(until).first().waitFor();
  await save(page, `${FOLDER}/${name}-${theme}.png`, isWhole);
  await page.context().close();
}

/** Takes every page at each width, as far as one scrolls. */
async function takeAll(
  browser: Browser,
  service: Session,
  demo: Demo,
  theme: Theme,
  folder: string,
) {
  const page = await openPage(browser, service, theme);
  for (const [name, path] of Object.entries(pagesOf(demo))) {
    await page.goto(path);
    await page.locator("h1").first().waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ ...WINDOW, width });
      await save(page, `${folder}/${name}-${width}-${theme}.png`, true);
    }
  }
  await page.context().close();
}

async function openPage(browser: Browser, { address, session }: Session, theme: Theme) {
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
  return context.newPage();
}

async function save(page: Page, path: string, fullPage: boolean) {
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path, fullPage });
  process.stdout.write(`${path}\n`);
}
