/* Facts of wrangler.toml that the local runtime does not act on, but the platform does. */
import { describe, expect, it } from "vitest";
import { readRawConfig } from "../../scripts/cloudflare/service-config.ts";
import {
  DEAD_LETTER_BACK_OFF,
  delayAfter,
  TRACKING_BACK_OFF,
  type BackOff,
} from "../../src/queues/back-off.ts";
import { DEAD_QUEUE } from "../../src/queues/keep-dead-letters.ts";

const config = readRawConfig(process.cwd());
const consumers = new Map(
  (config.queues?.consumers ?? []).map((consumer) => [consumer.queue, consumer]),
);

/** Limits of the platform (documented). */
const MAX_DELAY_SECONDS = 12 * 3_600;
const QUEUE_KEEPS_SECONDS = 4 * 86_400;
const MAX_RETRIES = 100;

describe("the deployed service", () => {
  it("does not bypass the Workers and the security settings of its own zone", () => {
    expect(config.compatibility_flags).toContain("global_fetch_strictly_public");
  });

  it("keeps all its log lines, but none per pixel and no query string with a token", () => {
    expect(config.observability).toMatchObject({
      enabled: true,
      redact_query_string: true,
      logs: { invocation_logs: false, head_sampling_rate: 1 },
    });
  });

  it("looks up static files only for its pages, so that no pixel waits for it", () => {
    expect(config.assets?.run_worker_first).toEqual([
      "/*",
      "!/docs",
      "!/docs/*",
      "!/dashboard/assets/*",
    ]);
  });

  it("consumes every queue that it writes to", () => {
    const written = (config.queues?.producers ?? []).flatMap(({ queue }) => queue ?? []);
    expect(written).toHaveLength(4);
    expect(new Set(consumers.keys())).toEqual(new Set([...written, DEAD_QUEUE]));
  });

  it("limits the consumers of each queue, and of all together, that work on one database", () => {
    const bounds = [...consumers.values()].map(({ max_concurrency: most }) => most ?? 0);
    for (const bound of bounds) expect(bound).toBeGreaterThanOrEqual(1);
    expect(bounds.reduce((sum, bound) => sum + bound, 0)).toBeLessThanOrEqual(60);
  });

  it("gives each webhook of a batch one of the five free connections of an invocation", () => {
    expect(consumers.get("postrider-webhook")?.max_batch_size).toBeLessThanOrEqual(5);
  });

  it("moves failed messages to one queue, which stores them and drops none", () => {
    for (const [queue, { dead_letter_queue: dead, max_retries: retries }] of consumers) {
      expect([queue, dead]).toEqual([queue, queue === DEAD_QUEUE ? undefined : DEAD_QUEUE]);
      expect(retries).toBeLessThanOrEqual(MAX_RETRIES);
    }
  });

  it("retries recording opens and clicks for 22 hours, and storing dead letters for as long as a queue can", () => {
    const secondsOf = (queue: string, backOff: BackOff) => {
      const retries = consumers.get(queue)?.max_retries ?? 0;
      const waits = Array.from({ length: retries }, (_, n) => delayAfter(n + 1, backOff));
      for (const wait of waits) expect(wait).toBeLessThanOrEqual(MAX_DELAY_SECONDS);
      return waits.reduce((sum, wait) => sum + wait, 0);
    };
    expect(consumers.get("postrider-tracking")?.max_retries).toBe(30);
    expect(Math.floor(secondsOf("postrider-tracking", TRACKING_BACK_OFF) / 3_600)).toBe(22);
    const kept = secondsOf(DEAD_QUEUE, DEAD_LETTER_BACK_OFF) / QUEUE_KEEPS_SECONDS;
    expect(kept).toBeGreaterThan(0.95);
    expect(consumers.get(DEAD_QUEUE)?.retry_delay).toBe(3_600);
  });

  it("has five minutes of CPU time per batch", () => {
    expect(config.limits?.cpu_ms).toBe(300_000);
  });

  it("keeps its ids, BASE_URL and license although wrangler.toml is uploaded again", () => {
    const places = [...(config.d1_databases ?? []), ...(config.kv_namespaces ?? [])];
    expect(places.map(({ binding }) => binding)).toEqual(["DB", "KV"]);
    for (const place of places)
      for (const id of ["database_id", "id"]) expect(place).not.toHaveProperty(id);
    for (const name of ["BASE_URL", "LICENSE_PUBLIC_KEY"])
      expect(config.vars).not.toHaveProperty(name);
    expect(config.keep_vars).toBe(true);
  });
});
