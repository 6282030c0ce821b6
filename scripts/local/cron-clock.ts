import type { Unstable_Config } from "wrangler";
import { parseCron } from "./cron-schedule.ts";

const MINUTE_MS = 60_000;

/** The crons of the deployed service, as wrangler.toml has them. */
export async function readCrons(): Promise<string[]> {
  // Loading wrangler takes a second: not before the service runs.
  const { unstable_readConfig } = await import("wrangler");
  const config: Unstable_Config = unstable_readConfig({ config: "wrangler.toml" });
  return config.triggers.crons ?? [];
}

/**
 * Fires the scheduled handlers on time, as Cloudflare would; locally wrangler leaves that to its user.
 * `report` gets one line for a handler that failed.
 */
export function startCronClock(address: string, crons: string[], report: (line: string) => void) {
  const schedules = crons.map((cron) => ({ cron, isDue: parseCron(cron) }));
  const stopping = new AbortController();
  let timer: NodeJS.Timeout;

  const fire = async (cron: string) => {
    const url = `${address}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(cron)}`;
    try {
      const response = await fetch(url, { signal: stopping.signal });
      if (!response.ok) report(`cron ${cron}: ${response.status} ${await response.text()}`);
    } catch (error) {
      if (!stopping.signal.aborted) report(`cron ${cron}: ${String(error)}`);
    }
  };
  const waitForMinute = () => {
    const minute = (Math.floor(Date.now() / MINUTE_MS) + 1) * MINUTE_MS;
    timer = setTimeout(() => {
      const due = schedules.filter(({ isDue }) => isDue(new Date(minute)));
      for (const { cron } of due) void fire(cron);
      waitForMinute();
    }, minute - Date.now());
  };
  waitForMinute();
  return {
    stop: async () => {
      clearTimeout(timer);
      stopping.abort();
    },
  };
}
