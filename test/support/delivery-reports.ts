/* Broadcasts with all outcomes, and what their reports say. */
import { expect } from "vitest";
import { scenario as newScenario, type Scenario } from "./broadcasting.ts";
import { allRows, type Row } from "./rows.ts";

type Prepare = NonNullable<Parameters<typeof newScenario>[1]>;

/** A scenario whose subscribers the list counts, like all that come in by an entry point. */
export const scenario = (count: number, prepare?: Prepare) =>
  newScenario(count, async (news, owner, service) => {
    await prepare?.(news, owner, service);
    await allRows(
      `update project_counters set subscribers_active =
        (select count(*) from subscribers where project_id = ?1 and status = 'active') where project_id = ?1`,
      news.id,
    );
  });

const COUNTS = ["sent", "failed", "bounced", "suppressed", "unknown", "waiting", "skipped"];

export const deliveryReportOf = async ({ owner, news, id }: Scenario) => {
  const { status, body } = await owner.get(`${news.path}/broadcasts/${id}/report`);
  expect(status).toBe(200);
  const sum = COUNTS.reduce((total, name) => total + Number(body[name]), 0);
  expect(sum).toBe(body["total"]);
  return body;
};

interface Page {
  recipients: Row[];
  next: string | null;
}
export const recipientsOf = async ({ owner, news, id }: Scenario, query: string) =>
  (await owner.get<Page>(`${news.path}/broadcasts/${id}/recipients?${query}`)).body;

/** All recipients, page by page. */
export async function all(run: Scenario, query: string): Promise<Row[]> {
  const found: Row[] = [];
  let next: string | null = "";
  while (next !== null) {
    const page: Page = await recipientsOf(run, `${query}&limit=2&after=${next}`);
    expect(page.recipients.length).toBeLessThanOrEqual(2);
    found.push(...page.recipients);
    ({ next } = page);
  }
  return found;
}

/** Unsubscribes whoever's address begins so. */
export async function unsubscribe(
  { owner, news }: Pick<Scenario, "owner" | "news">,
  begin: string,
) {
  const list = await owner.get<{ subscribers: Row[] }>(`${news.path}/subscribers?search=${begin}`);
  const id = list.body.subscribers.find(({ email }) => String(email).startsWith(begin))?.["id"];
  const path = `${news.path}/subscribers/${String(id)}`;
  const left = await owner.request("PATCH", path, { status: "unsubscribed" });
  expect(left.status).toBe(200);
}

/** Runs the sender and looks after each of its round trips. */
export async function sendWatched(
  { service, run }: Pick<Scenario, "service" | "run">,
  look: () => Promise<void>,
): Promise<void> {
  let isLooking = false;
  service.d1.after = async () => {
    if (isLooking) return;
    isLooking = true;
    await look();
    isLooking = false;
  };
  await run();
  service.d1.after = undefined;
}

/**
 * Six good recipients, two bad addresses, one suppressed, one policy refusal, one lost connection.
 */
export const mixed = () =>
  scenario(6, async (news, owner) => {
    await news.subscribe(2, (n) => `rcpt.550.5.1.1.bad${n}.${news.from}`);
    await news.subscribe(1, () => `off.${news.from}`);
    await news.subscribe(1, () => `rcpt.550.5.7.1.no.${news.from}`);
    await news.subscribe(1, () => `close.data.lost.${news.from}`);
    await owner.post(`${news.path}/suppressions`, { emails: [`off.${news.from}`] });
  });
