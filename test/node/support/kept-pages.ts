/*
 * Pages of a browser that tests take in turn. A page in a new context starts two processes of the
 * browser, which takes about as much processor time as all that a test does there.
 */
import type { Browser, Page } from "playwright-core";

/** A second page is for tests of two people; more of them would take memory only. */
const MOST_KEPT = 2;

export class KeptPages {
  private readonly browser: Browser;
  private readonly free: Page[] = [];
  private readonly taken: Page[] = [];

  constructor(browser: Browser) {
    this.browser = browser;
  }

  /** Returns a page without cookies, stored values, routes or listeners, on an empty document. */
  async take(baseURL: string): Promise<Page> {
    const page = this.free.pop() ?? (await this.make(baseURL));
    this.taken.push(page);
    return page;
  }

  /** Returns a page that only one test uses, with a history, a clock and scripts of its own. */
  async make(baseURL: string, hasScripts = true): Promise<Page> {
    const context = await this.browser.newContext({
      baseURL,
      javaScriptEnabled: hasScripts,
      locale: "en-GB",
      permissions: ["clipboard-read", "clipboard-write"],
      reducedMotion: "reduce", // tests look at pages at rest
    });
    return context.newPage();
  }

  /** Cleans the pages that tests took, and closes all others. */
  async takeBack(): Promise<void> {
    const taken = this.taken.splice(0, MOST_KEPT - this.free.length);
    this.taken.length = 0;
    const cleaned = await Promise.all(taken.map((page) => clean(page)));
    this.free.push(...taken.filter((_, n) => cleaned[n]));
    const kept = this.free.map((page) => page.context());
    const others = this.browser.contexts().filter((context) => !kept.includes(context));
    await Promise.all(others.map((context) => context.close()));
  }
}

/** Returns false for a page that is closed, or that still loads another document. */
async function clean(page: Page): Promise<boolean> {
  const context = page.context();
  page.removeAllListeners();
  const tabs = context.pages().filter((other) => other !== page);
  try {
    await Promise.all([
      page.unrouteAll({ behavior: "ignoreErrors" }),
      context.clearCookies(),
      context.setOffline(false),
      ...tabs.map((tab) => tab.close()),
    ]);
    // page.goto would start another process
    await page.evaluate(
      "localStorage.clear(); sessionStorage.clear(); location.replace('about:blank')",
    );
    await page.waitForURL("about:blank");
    return true;
  } catch {
    return false;
  }
}
