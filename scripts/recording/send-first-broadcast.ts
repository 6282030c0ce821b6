import type { Page } from "playwright-core";
import type { SetSpeed } from "./record-page.ts";
import { clickSlowly } from "./show-pointer.ts";

const PEOPLE = 240;
const TYPING_MS = 45;
const READING_MS = 1_200;
const FIRST_NAMES = ["Ada", "Ben", "Cleo", "Dan", "Elif", "Finn", "Gwen", "Hugo", "Ines", "Jan"];
const LAST_NAMES = ["Abbott", "Brandt", "Castro", "Dubois", "Ekberg", "Fischer"];
const CITIES = ["Bergen", "Lisbon", "Utrecht", "Turin"];

/** Imports a list, writes a mail, reviews it and sends it, from the audience page on. */
export async function sendFirstBroadcast(page: Page, setSpeed: SetSpeed) {
  const button = (name: string | RegExp) => page.getByRole("button", { name }).last();
  const press = (name: string | RegExp) => clickSlowly(page, button(name));
  await clickSlowly(page, page.getByRole("link", { name: "Import contacts" }));
  await page.getByLabel("Drop a CSV file here, or choose one").setInputFiles({
    name: "readers.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(list()),
  });
  await clickSlowly(page, page.getByText("Yes, they agreed"));
  await page.waitForTimeout(READING_MS);
  await press("Looks right, continue");
  await press("Import now");
  await page.getByRole("heading", { name: "Import complete" }).waitFor();
  await clickSlowly(page, page.getByRole("link", { name: "Send them a broadcast" }));
  await press("Choose a template or layout");
  await page.waitForTimeout(READING_MS);
  await press(/^Newsletter/);
  await clickSlowly(page, page.getByLabel("Subject", { exact: true }));
  await page.keyboard.type("Six new books for long evenings", { delay: TYPING_MS });
  await press("Continue");
  await page.getByText(`${PEOPLE} people would get it now`).waitFor();
  await press("Continue");
  await press("Review and send");
  await page.getByText(`= ${PEOPLE}`, { exact: true }).waitFor();
  await page.waitForTimeout(READING_MS);
  await press(`Send to ${PEOPLE} people now`);
  await page
    .getByText(/Sending starts in/)
    .first()
    .waitFor();
  setSpeed(8); // the 15 seconds in which it can be undone
  await page
    .getByText(/Sending starts in/)
    .first()
    .waitFor({ state: "detached" });
  setSpeed(1);
  await page.getByText(`All ${PEOPLE} processed`).waitFor({ timeout: 60_000 });
}

function list(): string {
  const rows = Array.from({ length: PEOPLE }, (_, index) => {
    const first = FIRST_NAMES[index % FIRST_NAMES.length] ?? "";
    const last = LAST_NAMES[Math.floor(index / FIRST_NAMES.length) % LAST_NAMES.length] ?? "";
    const city = CITIES[index % CITIES.length] ?? "";
    const address = `${first}.${last}.${index}@example.com`.toLowerCase();
    return `${address},${first} ${last},${city}`;
  });
  return ["Email,Name,City", ...rows].join("\n");
}
