// `npm run recording`: starts a separate service and records a first broadcast for the README, from
// the import of a list to the delivery report. Requires Chromium.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Browser } from "playwright-core";
import { runCommand } from "./command-line.ts";
import { recordPage } from "./recording/record-page.ts";
import { sendFirstBroadcast } from "./recording/send-first-broadcast.ts";
import { showPointer } from "./recording/show-pointer.ts";
import { startService } from "./screenshots/start-service.ts";

const FILE = "docs/images/first-broadcast.webp";
const BROWSER = process.env["CHROME_PATH"] || "/usr/bin/chromium";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

await runCommand("Usage: npm run recording", async () => {
  const stateDir = mkdtempSync(join(tmpdir(), "postrider-recording-"));
  const service = await startService(stateDir);
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({ executablePath: BROWSER, args });
    const context = await browser.newContext({
      baseURL: service.address,
      locale: "en-GB",
      timezoneId: "UTC",
      viewport: { width: 1_100, height: 720 },
    });
    const [name = "", value = ""] = service.session.split("=");
    await context.addCookies([{ name, value, url: service.address }]);
    const page = await context.newPage();
    await showPointer(page);
    await page.goto(`/p/${service.projectId}/audience`);
    await page.waitForLoadState("networkidle");
    const film = await recordPage(browser, page, (setSpeed) => sendFirstBroadcast(page, setSpeed));
    writeFileSync(FILE, film);
    process.stdout.write(`${FILE}: ${Math.ceil(film.length / 1_024)} KB\n`);
  } finally {
    await browser?.close();
    await service.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }
});
