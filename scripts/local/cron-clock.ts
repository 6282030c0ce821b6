import { parseCron } from "./cron-schedule.ts";

const MINUTE_MS = 60_000;

/**
 * Triggers the scheduled handlers on time, as Cloudflare does, because wrangler does not run them
 * locally. `report` receives one line per failed handler.
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
