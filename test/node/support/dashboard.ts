/*
 * The dashboard in a real browser, on one service as `npm start` runs it. All suites of a test file
 * share it, so each makes a project of its own for what it changes.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { withDatabase } from "../../../scripts/accounts/with-database.ts";
import { openBrowser } from "./browser.ts";
import { KeptPages } from "./kept-pages.ts";
import {
  ANNOUNCED,
  endEverything,
  killEverything,
  logIn,
  makeStateDir,
  NODE,
  readJson,
  readLine,
  start,
  type Run,
} from "./local-run.ts";

const ACCOUNTS = ["users", "sessions", "workspaces", "workspace_members", "projects"];
const AXE = "node_modules/axe-core/axe.min.js";
/** Bounds for hangs, far above what a busy machine needs. */
const START_TIMEOUT_MS = 300_000;
const STEP_TIMEOUT_MS = 100_000;

/** Leaves out the line that wrangler writes for each call. */
const QUIET = { WRANGLER_LOG: "warn" };

/** Errors of the console that are no fault of the page: a refused call, what a mail may not do. */
const EXPECTED =
  /^(?:Failed to load resource|Refused to execute the redirect|Blocked form submission to '[^']*\/away'|Blocked script execution in '(?:about:blank|[^']*\/preview|[^']*\/page[^']*|[^']*\/(?:view|archive)\/[^']*)')/;

type Theme = "light" | "dark";

export interface PageOptions {
  /** The width of the window in pixels; 1,280 by default. */
  width?: number;
  /** The session of somebody else, as `logIn` returns it; "" opens the page signed out. */
  session?: string;
  /** False for a browser without JavaScript. */
  hasScripts?: boolean;
  /** True for a page that no test has used or will use, with its own history, clock and scripts. */
  isNew?: boolean;
}

export interface Dashboard {
  /** The running service with its addresses and logins. */
  run: () => Run;
  address: () => string;
  /** Kills the service without a clean shutdown. */
  kill: () => Promise<void>;
  /** Starts the killed service again, at the same address and with the same state. */
  restart: () => Promise<void>;
  /** Deletes all accounts and projects, as if nobody had registered yet. */
  empty: () => Promise<void>;
  /** Runs statements in the database of the service. */
  execute: (statements: string[]) => Promise<unknown>;
  /** The demo project of `npm start`. */
  projectId: () => string;
  /** Calls the API as the owner, or as somebody else. */
  call: <T>(
    method: string,
    path: string,
    body?: unknown,
    session?: string,
    headers?: Record<string, string>,
  ) => Promise<T>;
  /** Opens a page; the test fails when it writes an error to its console or breaks its policy. */
  open: (path: string, options?: PageOptions) => Promise<Page>;
}

/** Starts service and browser before the tests, and ends them afterwards. */
export function startDashboard(browserPath: string): Dashboard {
  let run: Run;
  let browser: Browser;
  let pages: KeptPages;
  const stateDir = makeStateDir();
  let owner = "";
  let faults: string[] = [];
  const address = () => readLine(run, "Address");

  beforeAll(async () => {
    buildAssets();
    [run, browser] = await Promise.all([
      start(stateDir, ANNOUNCED, QUIET),
      openBrowser(browserPath),
    ]);
    pages = new KeptPages(browser);
    owner = await logIn(run);
  }, START_TIMEOUT_MS);
  afterEach(async ({ task }) => {
    if (task.result?.errors?.length) await tellPages(browser, run);
    await pages.takeBack();
    const seen = faults;
    faults = [];
    expect(seen).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await endEverything();
  });

  return {
    run: () => run,
    address,
    kill: killEverything,
    async restart() {
      const { ports } = run;
      const env = Object.entries(ports).map(([name, port]) => [name, String(port)] as const);
      const again = await start(stateDir, ANNOUNCED, { ...QUIET, ...Object.fromEntries(env) });
      run = Object.assign(again, { ports });
    },
    empty: () =>
      withDatabase({ kind: "local", stateDir }, ({ execute }) =>
        execute(ACCOUNTS.map((table) => `DELETE FROM ${table};`)),
      ),
    execute: (statements) =>
      withDatabase({ kind: "local", stateDir }, ({ execute }) => execute(statements)),
    projectId: () => readLine(run, "Project"),
    async call(method, path, body, session = owner, headers = {}) {
      const response = await fetch(`${address()}/api/v1${path}`, {
        method,
        headers: {
          // A new connection each: the service closes an idle one about when Node would use it.
          Connection: "close",
          Cookie: session,
          "Content-Type": "application/json",
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
      return response.status === 204 ? (undefined as never) : readJson(response);
    },
    async open(path, options = {}) {
      const { width = 1_280, session = owner, hasScripts = true, isNew = !hasScripts } = options;
      const at = address();
      const page = await (isNew ? pages.make(at, hasScripts) : pages.take(at));
      await Promise.all([
        page.emulateMedia({ colorScheme: "light" }),
        page.setViewportSize({ width, height: 800 }),
      ]);
      const [name = "", value = ""] = session.split("=");
      if (value !== "") await page.context().addCookies([{ name, value, url: at }]);
      page.context().setDefaultTimeout(STEP_TIMEOUT_MS);
      page.on("pageerror", (error) => faults.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error" && !EXPECTED.test(message.text()))
          faults.push(message.text());
      });
      await page.goto(path);
      return page;
    },
  };
}

/** Characters of a page, or of the service's log, that explain a failure. */
const TOLD_CHARACTERS = 1_500;

/** Prints what the pages of a failed test show, and what the service said last. */
async function tellPages(browser: Browser, { output }: Run): Promise<void> {
  const open = browser.contexts().flatMap((context) => context.pages());
  const texts = open.map(async (page) => {
    const words = await page.locator("body").innerText({ timeout: 5_000 }).catch(String);
    return `${page.url()}: ${words.slice(0, TOLD_CHARACTERS)}`;
  });
  const lines = [...(await Promise.all(texts)), `the service: ${output.slice(-TOLD_CHARACTERS)}`];
  process.stdout.write(`${lines.join("\n--\n")}\n`);
}

function buildAssets() {
  const { status } = spawnSync(NODE, ["scripts/build-assets.mjs"], { stdio: "inherit" });
  if (status !== 0) throw new Error("the assets could not be built");
}

const ALL_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Returns what axe finds wrong with a page (WCAG 2.2, levels A and AA), a line for each element.
 * `rules` names rules or sets of rules.
 */
export async function accessibilityFaults(page: Page, rules = ALL_RULES): Promise<string[]> {
  const isLoaded = await page.evaluate<boolean>("'axe' in window");
  if (!isLoaded) await page.evaluate(readFileSync(AXE, "utf8")); // 600 kB of script
  return page.evaluate(async (runOnly) => {
    // @ts-expect-error the script above made it
    const { violations } = await axe.run({ runOnly });
    return violations.flatMap(({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
      nodes.map(({ html }) => `${id}: ${html}`),
    );
  }, rules);
}

/** Returns the elements whose colours contrast too little in the other theme, without a reload. */
export async function contrastFaults(page: Page, theme: Theme): Promise<string[]> {
  await page.emulateMedia({ colorScheme: theme });
  return accessibilityFaults(page, ["color-contrast"]);
}

/** Leads to another page as a link does, without loading all scripts again. */
export const goTo = (page: Page, path: string): Promise<void> =>
  page.evaluate(`history.pushState({}, "", ${JSON.stringify(path)})`);

/** Waits for a field or button, then presses Tab until it has the focus, as without a mouse. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const MOST_STOPS = 60;
  const field = page.getByLabel(name);
  await field.or(page.getByRole("button", { name })).first().waitFor();
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(
      "(({ ariaLabel, labels, innerText }) => ariaLabel ?? labels?.[0]?.innerText ?? innerText)(document.activeElement)",
    );
    if (typeof focused === "string" && focused.includes(name)) return;
  }
  throw new Error(`the keyboard does not reach ${name}`);
}

/**
 * Presses a button that signs in, or that uses a token. Presses it again, once the service says so,
 * when a quick run has used up the logins or tokens of its address.
 */
export async function signIn(button: Locator, path = "login"): Promise<void> {
  const answered = button.page().waitForResponse(`**/api/v1/auth/${path}`);
  await button.click();
  const answer = await answered;
  if (answer.status() !== 429) return;
  await delay(Number((await answer.headerValue("Retry-After")) ?? 1) * 1_000);
  return signIn(button, path);
}

/** Opens a step of a draft, which saves the one before, and waits until it is shown. */
export async function goToStep(page: Page, name: "Email" | "People" | "Time" | "Review") {
  const step = page.getByRole("navigation", { name: "Steps" }).getByRole("button", { name });
  await step.click();
  await step.and(page.locator("[aria-current=step]")).waitFor();
}

/** Leads a draft through its pre-flight, and starts it for so many people. */
export async function checkAndSend(page: Page, people: number): Promise<void> {
  await goToStep(page, "Review");
  await page.getByText(`= ${people}`, { exact: true }).waitFor();
  const accept = page.getByLabel("I have read this and want to send anyway");
  if (await accept.isVisible()) await accept.check();
  // a click right after the scroll to it would go to the frame that was there before
  await page
    .getByRole("button", { name: `Send to ${people} ${people === 1 ? "person" : "people"} now` })
    .press("Enter");
  await page.getByText("Sending starts in 15 seconds.").waitFor();
  await waitForReport(page);
}

/** Waits until a start has led from the pre-flight to the report. */
export const waitForReport = (page: Page) =>
  page.waitForURL(({ pathname }) => !pathname.endsWith("/preflight"));

/** Tells whether a page is wider than its window. */
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
