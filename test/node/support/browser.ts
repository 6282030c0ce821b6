// Real browser, if one is installed: Chromium or Chrome, driven through playwright-core.
import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const PLACES = [
  process.env["CHROME_PATH"] ?? "",
  "/usr/bin/chromium-headless-shell", // takes two thirds of the processor time of chromium
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** Path of the browser; undefined, with a line that explains it, without one. */
export function findBrowser(): string | undefined {
  const found = PLACES.find((place) => place !== "" && existsSync(place));
  if (!found)
    process.stderr.write("no Chromium or Chrome found (CHROME_PATH): browser tests are left out\n");
  return found;
}

/**
 * Opens it without a window. Containers that run as root have no sandbox to offer. The last of its
 * compilers costs more than it saves on pages that live for a second.
 */
export function openBrowser(executablePath: string): Promise<Browser> {
  const args = ["--js-flags=--no-turbofan"];
  if (process.getuid?.() === 0) args.push("--no-sandbox");
  return chromium.launch({ executablePath, args });
}
