import { sql } from "../accounts/sql-literal.ts";
import { withDatabase } from "../accounts/with-database.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS_OF_HISTORY = 45;
const HOUR_OF_SENDING = 9;

/** Weekly letters go out on Tuesdays; on other days there are receipts alone. */
const LETTER_DAY = 2;

/** Writes the totals of past days, as the service would have counted them. */
export function writeHistory(stateDir: string, projectId: string): Promise<void> {
  const random = createRandom(20_261_122);
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const days = Array.from({ length: DAYS_OF_HISTORY }, (_, ago) => {
    const at = today - (DAYS_OF_HISTORY - ago) * DAY_MS;
    const isLetterDay = new Date(at).getUTCDay() === LETTER_DAY;
    const sent = isLetterDay ? 2_150 + random(120) : 60 + random(70);
    const opened = Math.round(sent * (isLetterDay ? 0.41 : 0.72));
    const clicked = Math.round(opened * 0.18);
    return { at, sent, failed: random(4), bounced: Math.round(sent / 160), opened, clicked };
  });
  const statements = days.flatMap(({ at, sent, failed, bounced, opened, clicked }) =>
    [
      ["hour", at + HOUR_OF_SENDING * HOUR_MS],
      ["day", at],
      ["all", 0],
    ].map(
      ([grain = "", bucket = 0]) =>
        sql`INSERT INTO rollups (project_id, kind, grain, bucket_at, subject, label, sent, failed, bounced, suppressed, opened, clicked, opens, clicks) VALUES (${projectId}, ${"log"}, ${grain}, ${bucket}, ${""}, ${""}, ${sent}, ${failed}, ${bounced}, 0, ${opened}, ${clicked}, ${opened}, ${clicked}) ON CONFLICT DO UPDATE SET sent = sent + excluded.sent, failed = failed + excluded.failed, bounced = bounced + excluded.bounced, opened = opened + excluded.opened, clicked = clicked + excluded.clicked;`,
    ),
  );
  return withDatabase({ kind: "local", stateDir }, ({ execute }) => execute(statements));
}

/** Makes a source of numbers from 0 to below `most`, the same at every run. */
function createRandom(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
}
